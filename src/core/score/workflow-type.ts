/**
 * The workflow type of a request, from its words: A build, B debug, C refactor. If several match, B precedes C
 * precedes A; if none does, it is A.
 */
import type { WorkflowType } from '../../model/loop/assessment.ts'

/** Phrases in which such a word means something else: an error page is built, not repaired. */
const misleading: readonly RegExp[] = [
  /\berrors?[ -](?:pages?|messages?|handling|handlers?|boundar(?:y|ies)|codes?|screens?|states?|toasts?|banners?|budgets?|tracking|reports?|reporting|logs?|logging|types?|classe?s?|views?|responses?|dialogs?|formats?|texts?)\b/gi,
  /\b(?:no|zero|without(?: any)?) (?:\w+ )?errors?\b/gi,
  /\b(?:show|display|translate|log|print|render|return|throw|report|collect|list|wrap|format)s? (?:the |all |any )?errors?\b/gi,
  /\bdebug[ -](?:modes?|flags?|logs?|logging|output|builds?|symbols?|panels?|menus?|levels?|info|views?|endpoints?|toolbars?)\b/gi,
  /\b(?:without|never|not) (?:\w+ )?failing\b/gi,
  /\bclean(?:s|ing)? ?up after\b/gi,
]

/** The indicators of the specification, in the order in which they are tried. */
const indicators: readonly [WorkflowType, RegExp][] = [
  ['B', /\b(?:fix|fixes|fixing|debug|broken|errors?|failing)\b/i],
  ['C', /\b(?:refactor|refactoring|clean ?up|reorganize|migrate)\b/i],
]

export function workflowType(prompt: string): WorkflowType {
  const plain = misleading.reduce((text, phrase) => text.replaceAll(phrase, ' '), prompt)
  return indicators.find(([, words]) => words.test(plain))?.[0] ?? 'A'
}

/** The first rule for each type of work, which the prompt tells the agent. */
export const workflowRules: Record<WorkflowType, string> = {
  A: 'This is something to build: before you write a part yourself, look for it in this project and in the libraries it uses.',
  B: 'This is something to fix: find the root cause before you change anything, and fix that; no workaround for a cause you do not know.',
  C: 'This is something to reshape: delete what is not needed before you redesign the rest, and keep what it does as it is.',
}

/** The questions at the final gate for each type of work; an unanswered one becomes a task. */
export const workflowChecklists: Record<WorkflowType, readonly string[]> = {
  A: ['Which libraries were looked at', 'Which was chosen or rejected, and why'],
  B: ['The cause, with file and line', 'How the failing case was reproduced before the fix'],
  C: ['What was deleted first', 'Which checks show that the behaviour is the same'],
}

/**
 * The workflow type of a request, from the words it uses: A build, B debug, C refactor.
 * Where several fit B goes before C before A; where none does it is A.
 */

export type WorkflowType = 'A' | 'B' | 'C'

const debugWords = /\b(fix|fixes|fixing|debug|broken|errors?|failing)\b/i
const refactorWords = /\b(refactor|refactoring|clean ?up|reorganize|migrate)\b/i

export function workflowType(prompt: string): WorkflowType {
  if (debugWords.test(prompt)) return 'B'
  return refactorWords.test(prompt) ? 'C' : 'A'
}

/** What each type of work begins with: told to the agent in its prompt. */
export const workflowRules: Record<WorkflowType, string> = {
  A: 'This is something to build: before you write a part yourself, look for it in this project and in the libraries it uses.',
  B: 'This is something to mend: find the root cause before you change anything, and mend that; no workaround for a cause you do not know.',
  C: 'This is something to reshape: delete what is not needed before you redesign the rest, and keep what it does as it is.',
}

/**
 * How hard a change would be to undo, from the words of the request: 2A within a minute (configuration, renames), 2B
 * within minutes (the usual: code, dependencies, refactoring), 1 hours or more (schemas, public interfaces,
 * migrations). If several match, the hardest counts.
 */
import type { Reversibility } from '../../model/loop/assessment.ts'
import { reversibilities } from '../../model/loop/words.ts'

/**
 * Promises to leave something alone: what they name is not changed. Only these forms count: "never lose data" does
 * not.
 */
const leftAlone: readonly RegExp[] = [
  /\b(?:do not|don't|never|must not|may not|should not) (?:touch|change|alter|modify|break|edit)\b[^.;,\n]{0,60}/gi,
  /\bwithout (?:touching|changing|altering|modifying|breaking|editing)\b[^.;,\n]{0,60}/gi,
  /\bno (?:new )?(?:\w+ ){1,3}changes?\b/gi,
  /\bno (?:new )?(?:schemas?|migrations?|databases?)\b/gi,
  /\b(?:keep|leave)s?\b[^.;,\n]{1,40}\b(?:unchanged|as is|as it is|as they are|intact|alone|compatible)\b/gi,
]

/** Phrases that contain a hard word but only talk about it. */
const harmless: readonly RegExp[] = [
  /\b(?:json|yaml|zod|form|validation|color|colour) schemas?\b/gi,
  /\bschema[. ](?:viewer|validation|validator|editor|browser|org)\b/gi,
  /\b(?:comments?|typos?|docs?|documentation) (?:in|of|for|on|to) (?:the )?\S+/gi,
  /\b(?:document|describe|explain)s? (?:the |our |its )?\S+ \S+/gi,
  /\bmigrat(?:e|es|ing) (?:our |the |all )?(?:\w+ )?(?:tests?|specs?|suites?|builds?|ci|docs?|components?|imports?|types?|scripts?|config\w*|styles?)\b/gi,
  /\b(?:when|if|while) an? migration\b/gi,
  /\bmigration (?:guide|docs?)\b/gi,
]
const hardWords: readonly RegExp[] = [
  /\b(?:schemas?|migrations?|migrate|database|public (?:api|interface)s?|breaking changes?|protocol|file format)\b/i,
  /\b(?:drop|delete|remove)s? (?:the |all |a )?(?:\S+ )?(?:tables?|columns?|routes?|endpoints?)\b/i,
  /\b(?:switch|move|convert)\b[^.;\n]{0,40}\b(?:store|storage|tables?)\b/i,
  /\bpublish(?:es|ed)?\b|\breleased? (?:to|as)\b/i,
]
const usualWords =
  /\b(?:dependenc(?:y|ies)|packages?|upgrade|refactor\w*|implement|add|build|create|fix|rewrite)\b/i
/** Small work on texts, whatever its verb. */
const onWords =
  /\b(?:fix|add|write|correct|improve|update)\w* (?:an? |the |some |all )?(?:typos?|comments?|docs?|documentation|readme)\b/gi
const easyWords =
  /\b(?:config(?:uration)?s?|settings?|renam(?:e|es|ing)|typos?|comments?|docs?|documentation|readme|document)\b/i

export function reversibility(prompt: string): Reversibility {
  const changed = [...leftAlone, ...harmless].reduce((text, phrase) => text.replaceAll(phrase, ' '), prompt)
  if (hardWords.some(words => words.test(changed))) return '1'
  if (usualWords.test(prompt.replaceAll(onWords, ' '))) return '2B'
  return easyWords.test(prompt) ? '2A' : '2B'
}

export function isHarder(one: Reversibility, other: Reversibility): boolean {
  return reversibilities.indexOf(one) > reversibilities.indexOf(other)
}

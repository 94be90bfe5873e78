/**
 * How hard it would be to take a change back, from the words of the request: 2A within a minute (configuration,
 * renames), 2B within minutes (the usual: code, dependencies, refactoring), 1 hours and more (schemas, public
 * interfaces, migrations). Where several fit the hardest goes first.
 */

export type Reversibility = '2A' | '2B' | '1'

const hardWords =
  /\b(schemas?|migrations?|migrate|database|public (api|interface)s?|breaking change|drop (table|column)s?|protocol|file format)\b/i
const usualWords =
  /\b(dependenc(y|ies)|packages?|upgrade|refactor\w*|implement|add|build|create|fix|rewrite)\b/i
const easyWords =
  /\b(config(uration)?s?|settings?|renam(e|es|ing)|typos?|comments?|docs?|documentation|readme)\b/i

export function reversibility(prompt: string): Reversibility {
  if (hardWords.test(prompt)) return '1'
  if (usualWords.test(prompt)) return '2B'
  return easyWords.test(prompt) ? '2A' : '2B'
}

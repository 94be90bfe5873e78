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

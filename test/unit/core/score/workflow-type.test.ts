/** The workflow type of a request, by every indicator word in the table of the specification. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { workflowChecklists, workflowType } from '../../../../src/core/score.ts'
import type { WorkflowType } from '../../../../src/model/loop/assessment.ts'

const words: Record<WorkflowType, string[]> = {
  A: ['add', 'implement', 'create', 'new feature'],
  B: ['fix', 'debug', 'broken', 'error', 'failing'],
  C: ['refactor', 'clean up', 'reorganize', 'migrate'],
}
const types = ['A', 'B', 'C'] as const

test('each indicator word gives its workflow, in any case and place', () => {
  for (const type of types)
    for (const word of words[type]) {
      for (const text of [word, `please ${word} the cart`, word.toUpperCase(), `(${word})`, `x\n${word}.`])
        assert.equal(workflowType(text), type, text)
    }
})

test('where several fit, debug goes before refactor before build', () => {
  const rank = ['A', 'C', 'B']
  for (const one of types)
    for (const other of types) {
      const wins = rank.indexOf(one) > rank.indexOf(other) ? one : other
      const pairs = words[one].flatMap(word => words[other].map(next => `${word} and ${next}`))
      for (const text of pairs) assert.equal(workflowType(text), wins, text)
    }
})

test('a word inside another word says nothing', () => {
  for (const text of ['prefix the names', 'mirror it', 'the terrors', 'immigrate', 'suffixes'])
    assert.equal(workflowType(text), 'A', text)
})

test('where no word fits it is a build', () => {
  for (const text of ['', 'make it better', 'prices in euro']) assert.equal(workflowType(text), 'A', text)
})

test('each type of work has its questions at the final gate', () => {
  assert.deepEqual(workflowChecklists, {
    A: ['Which libraries were looked at', 'Which was chosen or rejected, and why'],
    B: ['The cause, with file and line', 'How the failing case was reproduced before the fix'],
    C: ['What was deleted first', 'Which checks show that the behaviour is the same'],
  })
})

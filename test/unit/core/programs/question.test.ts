/** A question as a node: the options it keeps from the loops of its group, and its answer. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answerTo, questionNode } from '../../../../src/core/programs/question.ts'
import { node as nodeSchema } from '../../../../src/model/group/node.ts'
import { goodAnswers } from '../../../rig/answers.ts'
import { aSpec } from '../../../rig/given.ts'
import { afterEvents, aGroup } from '../../../rig/given-group.ts'

const loop = aSpec({
  model: 'big',
  env: { A: 'b' },
  mustNot: [{ name: 'x', command: 'x' }],
  protect: ['test/**'],
  hooks: { complete: 'tell', timeoutMs: 1 },
  session: { run: null },
})

test('it keeps agent, time and environment, and nothing by which work is judged or limited', () => {
  const node = questionNode(loop, { id: 'shape', needs: [], schema: 'shape', prompt: 'What?', about: ['a'] })
  assert.deepEqual(nodeSchema.parse(node), node)
  const { spec, place, reads } = node
  assert.deepEqual({ place, reads }, { place: 'copy', reads: true })
  assert.equal(spec.model, 'big')
  assert.deepEqual(spec.env, { A: 'b' })
  assert.equal(spec.maxIterations, 3)
  assert.deepEqual([spec.baseline, spec.checkpoint, spec.budgetUsd], [false, 'none', null])
  assert.equal(spec.breakers?.noChange, null)
  for (const field of ['mustNot', 'protect', 'hooks', 'session'] as const)
    assert.equal(spec[field], undefined)
  assert.deepEqual(spec.criteria[0]?.answer, { schema: 'shape', about: ['a'] })
})

test('what was answered is read from the end of its node, and from no other end', () => {
  const node = questionNode(loop, { id: 'judge', needs: [], schema: 'judge', prompt: 'Which?' })
  const began = aGroup([node])
  assert.equal(answerTo(began, 'judge', 'judge'), null)
  const end = { node: 'judge', attempt: 1, answer: JSON.stringify(goodAnswers.judge) }
  const after = (how: 'completed' | 'failed') =>
    answerTo(afterEvents(began, { kind: 'node.ended', data: { ...end, how } }), 'judge', 'judge')
  assert.deepEqual(after('completed'), goodAnswers.judge)
  assert.equal(after('failed'), null)
})

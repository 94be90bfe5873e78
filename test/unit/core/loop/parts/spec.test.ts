/** The difficulty of reversing a change rises with the files that the agent changes, and never falls. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { after, at, created, taken } from '../../../../rig/given.ts'

const schema = { reversibility: '1', path: 'db/migrations/1.sql' } as const
const code = { reversibility: '2B', path: 'src/a.ts' } as const
const left = (raises: typeof schema | typeof code) => taken('iter-001-after', { raises })

test('what the agent changed raises it; what is easier changes nothing', () => {
  const easy = at('cleared', { prompt: 'rename the setting' })
  assert.equal(easy.assessed.reversibility, '2A')
  const usual = after(easy, left(code))
  assert.deepEqual([usual.assessed.reversibility, usual.assessed.raisedBy], ['2B', 'src/a.ts'])
  const hard = after(easy, left(schema))
  assert.deepEqual([hard.assessed.reversibility, hard.assessed.raisedBy], ['1', schema.path])
  assert.equal(after(hard, left(code)).assessed, hard.assessed)
})

test('a rollback and a resume do not lower it', () => {
  const hard = after(at('cleared'), left(schema))
  const back = after(
    hard,
    { kind: 'tree.restored', data: { to: 'initial', written: 1, deleted: 1 } },
    { kind: 'loop.resumed', data: {} },
  )
  assert.equal(back.assessed.reversibility, '1')
  assert.equal(created({ prompt: 'migrate it' }).assessed.raisedBy, null)
})

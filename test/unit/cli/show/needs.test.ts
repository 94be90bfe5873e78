/** What stands below the table of `loop status`: only the loops that are shown there are read. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { needsOfLoops } from '../../../../src/cli/show/needs.ts'
import type { Store } from '../../../../src/store/contract.ts'
import { createdAt, held, story, tempStore, writeLoop } from '../../../rig/given.ts'

/** The same store; `read` gets the id of each summary that is read. */
function counted(store: Store): { store: Store; read: string[] } {
  const read: string[] = []
  const get: Store['heads']['get'] = id => {
    read.push(id)
    return store.heads.get(id)
  }
  return { store: { ...store, heads: { ...store.heads, get } }, read }
}

test('the needs of four are worked out and shown, the others are counted', t => {
  const real = tempStore(t)
  const orphans = ['a1', 'a2', 'a3', 'a4', 'a5', 'a6']
  for (const [i, id] of orphans.entries()) writeLoop(real, { id, events: story, at: createdAt + i })
  writeLoop(real, { id: 'held', events: [...story, held()] })
  const { store, read } = counted(real)
  const lines = needsOfLoops(store, ['held', ...orphans], {})
  assert.deepEqual(read, ['held', 'a1', 'a2', 'a3', 'a4'])
  const shown = ['a1', 'a2', 'a3', 'a4'].filter(id => lines.some(line => line.startsWith(`${id} `)))
  assert.equal(shown.length, 4, lines.join('\n'))
  assert.equal(lines.at(-1), '2 more at rest: loop status <id> says whether it needs you.')
})

test('none is counted where all are shown, and nothing is said where nobody is needed', t => {
  const store = tempStore(t)
  writeLoop(store, { id: 'held', events: [...story, held()] })
  assert.deepEqual(needsOfLoops(store, ['held'], {}), [])
  writeLoop(store, { id: 'orphan', events: story })
  const lines = needsOfLoops(store, ['held', 'orphan'], {})
  assert.equal(lines[0], '')
  assert.ok(!lines.some(line => line.includes(' more at rest')), lines.join('\n'))
})

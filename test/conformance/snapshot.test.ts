/** What is known of a tree is written down for the next program, of a large tree later: only to save time. */
import assert from 'node:assert/strict'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { gitCheckpoints } from '../../src/adapters/checkpoints/git.ts'
import { savedPaths, take } from './checkpoint-calls.ts'
import { openBox } from './work-tree.ts'

const filesIn = { small: 3, large: 2_100 }

for (const [size, count] of Object.entries(filesIn)) {
  it(`a snapshot that can not be written costs nothing but time: in a ${size} tree`, async t => {
    const at = openBox()
    for (let n = 0; n < count; n += 1) writeFileSync(join(at.tree, `f${n}`), String(n))
    mkdirSync(at.store)
    // It is written here first, and nothing can be.
    symlinkSync('/none/at/all', join(at.store, `snapshot.${process.pid}.tmp`))
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const { tree } = await take(gitCheckpoints(at), 'iter-001')
    t.mock.timers.tick(10_000)
    assert.equal(savedPaths(at, tree).size, count)
  })
}

/** The fate of a run, for every combination of claim, exit file, life and boot. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Recovery, recover } from '../../../../src/core/loop/verdict.ts'

const killed = { lost: 'killed' } as const
const restarted = { lost: 'restarted' } as const

test('every row of the table, in the boot of the run and in another', () => {
  const table: { claim: boolean; exit: boolean; alive: boolean; same: Recovery; other: Recovery }[] = [
    { claim: false, exit: false, alive: false, same: 'launch', other: restarted },
    { claim: true, exit: false, alive: true, same: 'watch', other: restarted },
    { claim: true, exit: false, alive: false, same: killed, other: restarted },
    { claim: true, exit: true, alive: true, same: 'ended', other: 'ended' },
    { claim: true, exit: true, alive: false, same: 'ended', other: 'ended' },
  ]
  for (const { claim, exit, alive, same, other } of table) {
    const files = { claimed: claim, exited: exit, alive }
    assert.deepEqual(recover({ boot: 'now' }, files, 'now'), same, JSON.stringify(files))
    assert.deepEqual(recover({ boot: 'before' }, files, 'now'), other, `${JSON.stringify(files)}, other boot`)
  }
})

test('a run that anybody has claimed is never launched again', () => {
  for (const boot of ['now', 'before'])
    for (const exited of [false, true])
      for (const alive of [false, true])
        assert.notEqual(recover({ boot }, { claimed: true, exited, alive }, 'now'), 'launch')
})

/**
 * `kill -9` at each system call that changes the disk, during a checkpoint and during a restore. Afterwards the same
 * call makes the tree the one before or the one after, never a mixture, and no checkpoint is lost.
 */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { gitCheckpoints } from '../../src/checkpoints/git/backend.ts'
import { restore, savedTree, take } from '../conformance/checkpoint/calls.ts'
import type { Call } from '../conformance/checkpoint/driver.ts'
import { type Box, listing, openBox, sh, sorted } from '../conformance/checkpoint/work-tree.ts'

const driver = fileURLToPath(new URL('../conformance/checkpoint/driver.ts', import.meta.url))
const every = process.env['LOOP_LONG'] ? 1 : 12

const build = `git init -q; seq 12 | while read n; do mkdir -p d$n; echo $n > d$n/f; done; echo k > k; chmod 600 k; mkdir -p e/e
  echo '*.log' > .gitignore; echo l > x.log; ln -s k link; echo f > swap; commit all`
const change = `for n in 1 2 3 4 5 6; do echo more >> d$n/f; done; rm -r d7 d8; chmod 644 k; rmdir e/e; mkdir -p n/o; echo p > n/o/p
  rm link swap; ln -s f link; mkdir swap; echo in > swap/in; echo '*.tmp' > .gitignore; echo t > x.tmp; mkdir empty`

/** A copy of a box that was prepared once, with the same modes and times. */
function copyOf(at: Box): Box {
  const copy = openBox()
  execFileSync('cp', ['-a', `${at.tree}/.`, copy.tree])
  cpSync(at.store, copy.store, { recursive: true, preserveTimestamps: true })
  return copy
}

function run(call: Call, killAt?: number): { calls: number; signal: string | null } {
  const env = { ...process.env, KILL_AT: String(killAt ?? 0) }
  const { stdout, stderr, signal, status } = spawnSync(process.execPath, [driver, JSON.stringify(call)], {
    env,
    encoding: 'utf8',
  })
  if (signal !== null) return { calls: 0, signal }
  assert.equal(status, 0, stderr)
  const result = JSON.parse(stdout)
  assert.ok(result.ok, stdout)
  return { calls: result.calls, signal }
}

function soundness(at: Box): void {
  execFileSync('git', ['--git-dir', at.store, 'fsck', '--full'], { stdio: 'pipe' })
}

describe('killed at each change on disk', { concurrency: 2 }, () => {
  it('a checkpoint', { timeout: 600_000 }, async () => {
    const at = openBox()
    sh(at, build)
    const saved = sorted(listing(at.tree))
    const { tree } = await take(gitCheckpoints(at), 'initial')
    sh(at, change)
    const present = sorted(listing(at.tree))
    const whole = copyOf(at)
    const { calls } = run({ tree: whole.tree, store: whole.store, take: 'iter-001', since: null })
    assert.ok(calls >= 15, `${calls} points`)
    for (let point = 1; point <= calls; point += every > 1 ? 4 : 1) {
      const box = copyOf(at)
      const { signal } = run({ tree: box.tree, store: box.store, take: 'iter-001', since: null }, point)
      assert.equal(signal, 'SIGKILL')
      assert.deepEqual(sorted(listing(box.tree)), present, `${point}: a checkpoint touches nothing`)
      const again = gitCheckpoints(box)
      await take(again, 'iter-001')
      soundness(box)
      await restore(again, tree, 'undo')
      const kept = present.filter(([path]) => path === 'x.tmp')
      assert.deepEqual(sorted(listing(box.tree)), [...saved, ...kept].sort(byPath), `${point}: restored`)
      await restore(again, savedTree(box, 'iter-001'), 'redo')
      assert.deepEqual(sorted(listing(box.tree)), present, `${point}: what was saved`)
    }
  })

  it('a restore', { timeout: 900_000 }, async () => {
    const at = openBox()
    sh(at, build)
    const saved = sorted(listing(at.tree))
    const { tree } = await take(gitCheckpoints(at), 'initial')
    sh(at, change)
    const present = sorted(listing(at.tree))
    const restored = [...saved, ...present.filter(([path]) => path === 'x.tmp')].sort(byPath)
    const whole = copyOf(at)
    const { calls } = run({ tree: whole.tree, store: whole.store, restore: tree, keepAs: 'undo' })
    assert.deepEqual(sorted(listing(whole.tree)), restored)
    assert.ok(calls >= 85, `${calls} points`)
    for (let point = 1; point <= calls; point += every) {
      const box = copyOf(at)
      const { signal } = run({ tree: box.tree, store: box.store, restore: tree, keepAs: 'undo' }, point)
      assert.equal(signal, 'SIGKILL')
      const again = gitCheckpoints(box)
      await restore(again, tree, 'undo')
      assert.deepEqual(sorted(listing(box.tree)), restored, `${point}: finished`)
      await restore(again, savedTree(box, 'undo'), 'redo')
      assert.deepEqual(sorted(listing(box.tree)), present, `${point}: undone`)
      soundness(box)
    }
  })
})

function byPath([a]: [string, string], [b]: [string, string]): number {
  return a < b ? -1 : 1
}

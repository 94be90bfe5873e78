/** The snapshot of a scanned tree, a cache for the next process. That of a large tree is written later, in steps. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { setImmediate as breath } from 'node:timers/promises'
import { gitCheckpoints } from '../../../src/checkpoints/git/backend.ts'
import { openCache } from '../../../src/checkpoints/scan/cache.ts'
import type { Dir } from '../../../src/checkpoints/scan/snapshot.ts'
import { savedPaths, take } from './calls.ts'
import { openBox } from './work-tree.ts'

const filesIn = { small: 3, large: 2_100 }

for (const [size, count] of Object.entries(filesIn)) {
  it(`a snapshot that cannot be written costs nothing but time: in a ${size} tree`, async t => {
    const at = openBox()
    for (let n = 0; n < count; n += 1) writeFileSync(join(at.tree, `f${n}`), String(n))
    // A directory at the temporary path: the snapshot cannot be written.
    mkdirSync(join(at.store, 'snapshot.tmp'), { recursive: true })
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const { tree } = await take(gitCheckpoints(at), 'iter-001')
    t.mock.timers.tick(10_000)
    assert.equal(savedPaths(at, tree).size, count)
  })
}

const usual = { file: 0o644, exec: 0o755, dir: 0o755 }

it('the snapshot of a large tree is written in steps, and is read back unchanged', async t => {
  const { root: dir } = openBox()
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const cache = openCache(join(dir, 'snapshot'))
  const root = dirOf(3, ['plain', '__proto__', 'two\nlines', 'caf\xe9', '"', ''])
  const files = 6 ** 4
  cache.changed({ root, usual, skipped: [], rules: '', checkpoint: null }, { read: files, files: 2_000 })
  t.mock.timers.tick(10_000)
  const steps = []
  while (!existsSync(join(dir, 'snapshot'))) steps.push(await breath())
  assert.ok(steps.length > 1)
  assert.deepEqual(cache.read(() => true)?.root, root)
  assert.ok(!existsSync(join(dir, 'snapshot.tmp')))
})

it('a snapshot that is written at once replaces one that is being written in steps', async t => {
  const { root: dir } = openBox()
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const cache = openCache(join(dir, 'snapshot'))
  const [before, after] = [dirOf(3, ['a', 'b', 'c', 'd', 'e', 'f']), dirOf(1, ['g'])]
  cache.changed(
    { root: before, usual, skipped: [], rules: '', checkpoint: null },
    { read: 2_000, files: 2_000 },
  )
  t.mock.timers.tick(10_000)
  await breath()
  assert.ok(existsSync(join(dir, 'snapshot.tmp')) && !existsSync(join(dir, 'snapshot')))
  cache.write({ root: after, usual, skipped: [], rules: '', checkpoint: null })
  for (let n = 0; n < 100; n += 1) await breath()
  assert.deepEqual(cache.read(() => true)?.root, after)
  assert.ok(!existsSync(join(dir, 'snapshot.tmp')))
})

it('a snapshot by another process is not damaged by one that is being written in steps', async t => {
  const { root: dir } = openBox()
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const path = join(dir, 'snapshot')
  const [before, after] = [dirOf(3, ['a', 'b', 'c', 'd', 'e', 'f']), dirOf(1, ['g'])]
  openCache(path).changed(
    { root: before, usual, skipped: [], rules: '', checkpoint: null },
    { read: 2_000, files: 2_000 },
  )
  t.mock.timers.tick(10_000)
  await breath()
  assert.ok(existsSync(join(dir, 'snapshot.tmp')))
  const other = openCache(path)
  other.write({ root: after, usual, skipped: [], rules: '', checkpoint: null })
  for (let n = 0; n < 100; n += 1) await breath()
  assert.deepEqual(other.read(() => true)?.root, after)
  assert.deepEqual(
    readdirSync(dir).filter(name => name.startsWith('snapshot')),
    ['snapshot'],
  )
})

/** A directory with files and, down to a depth, directories of these names. */
function dirOf(depth: number, names: string[]): Dir {
  const file = {
    mode: 0o100644,
    size: 5,
    mtimeMs: 1.25,
    ctimeMs: 2.5,
    ino: 7,
    id: '0'.repeat(40),
    racy: false,
  }
  return {
    mode: 0o40755,
    files: new Map(names.map((name, n) => [name, { ...file, ino: n }])),
    dirs: new Map(depth === 0 ? [] : names.map(name => [name, dirOf(depth - 1, names)])),
  }
}

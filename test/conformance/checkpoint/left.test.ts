/** A rollback leaves what it cannot remove, and names it (a new repository, a new mount), or changes nothing at all. */

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { gitCheckpoints } from '../../../src/checkpoints/git/backend.ts'
import { failureWords } from '../../../src/failures/words.ts'
import { without } from '../../rig/needs.ts'
import { loop, restore, take, value } from './calls.ts'
import { type Box, listing, openBox, sh, sorted } from './work-tree.ts'

it('leaves the .git of a repository that was made meanwhile', async () => {
  const at = openBox()
  writeFileSync(join(at.tree, 'a'), 'a')
  const checkpoints = gitCheckpoints(at)
  const { tree } = await take(checkpoints, 'initial')
  sh(at, 'git init -q sub; echo b > sub/b; mkdir -p deep/er; git init -q deep/er')
  const { left } = await restore(checkpoints, tree, 'before')
  assert.deepEqual(left, ['deep/er/.git', 'sub/.git'])
  assert.ok(existsSync(join(at.tree, 'sub/.git')) && !existsSync(join(at.tree, 'sub/b')))
})

const skip = without('root')

it('leaves a mount that was made meanwhile', { skip }, async t => {
  const at = openBox()
  writeFileSync(join(at.tree, 'a'), 'a')
  const checkpoints = gitCheckpoints(at)
  const { tree } = await take(checkpoints, 'initial')
  const mount = join(at.tree, 'm')
  mkdirSync(mount)
  execFileSync('mount', ['-t', 'tmpfs', 'none', mount])
  t.after(() => execFileSync('umount', [mount]))
  writeFileSync(join(mount, 'inside'), 'inside')
  const { left, deleted } = await restore(checkpoints, tree, 'before')
  assert.deepEqual([left, deleted], [['m'], 1])
  assert.equal(existsSync(join(mount, 'inside')), false)
})

/** Mounts on this path of the tree, with these arguments of `mount`; unmounts after the test. */
function mountOn(t: TestContext, at: Box, [place, ...args]: [string, ...string[]]): void {
  const path = join(at.tree, place)
  execFileSync('mount', [...args, path])
  t.after(() => execFileSync('umount', [path]))
}

it('leaves a mount of the same disk, and a file that something is mounted on', { skip }, async t => {
  const at = openBox()
  sh(at, 'echo a > a; mkdir ../other; echo o > ../other/o')
  const checkpoints = gitCheckpoints(at)
  const { tree } = await take(checkpoints, 'initial')
  sh(at, 'mkdir -p x/m; touch f')
  mountOn(t, at, ['x/m', '--bind', join(at.root, 'other')])
  mountOn(t, at, ['f', '--bind', join(at.root, 'other/o')])
  const seen = value(await checkpoints.preview({ loop, tree }))
  assert.deepEqual(seen, { written: [], deleted: ['x/m/o'], left: ['f', 'x/m'] })
  const { left, deleted } = await restore(checkpoints, tree, 'before')
  assert.deepEqual([left, deleted], [['f', 'x/m'], 1])
  assert.deepEqual([...listing(at.tree).keys()].sort(), ['a', 'f', 'x/', 'x/m/'])
})

for (const [what, build, edit, place, why] of [
  ['a file where a mount is', 'echo a > m', 'rm m; mkdir m', 'm', 'm, on which something is mounted'],
  ['a file above a mount', 'echo a > x', 'rm x; mkdir -p x/m', 'x/m', 'x, on which something is mounted'],
  [
    'into a mount that is read-only',
    'mkdir m; echo a > m/a',
    'rm m/a',
    'm',
    'm/a, which is mounted read-only',
  ],
] as const)
  it(`changes nothing if it would have to write ${what}`, { skip }, async t => {
    const at = openBox()
    sh(at, `echo k > k; ${build}`)
    const checkpoints = gitCheckpoints(at)
    const { tree } = await take(checkpoints, 'initial')
    sh(at, `rm k; ${edit}`)
    mountOn(t, at, [place, '-t', 'tmpfs', '-o', why.endsWith('read-only') ? 'ro' : 'rw', 'none'])
    const present = sorted(listing(at.tree))
    const refused = await checkpoints.restore({ loop, tree, keepAs: 'undo' })
    assert.ok(!refused.ok)
    const words = `Restoring ${at.tree} would change ${why}. Nothing was changed; unmount it and restore again.`
    assert.equal(failureWords(refused.failure), words)
    assert.deepEqual(sorted(listing(at.tree)), present)
  })

it('leaves permissions that a mount refuses to change', { skip }, async t => {
  const at = openBox()
  sh(at, 'mkdir -m 700 m; echo k > k')
  const checkpoints = gitCheckpoints(at)
  const { tree } = await take(checkpoints, 'initial')
  sh(at, 'rm k')
  mountOn(t, at, ['m', '-t', 'tmpfs', '-o', 'ro,mode=755', 'none'])
  const { left, written } = await restore(checkpoints, tree, 'before')
  assert.deepEqual([left, written], [['m'], 1])
  assert.equal(readFileSync(join(at.tree, 'k'), 'utf8'), 'k\n')
})

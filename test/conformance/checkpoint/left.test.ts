/** What a rollback cannot take away stays, and is named: a repository made meanwhile, a mount. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { gitCheckpoints } from '../../../src/checkpoints/git/backend.ts'
import { restore, take } from './calls.ts'
import { openBox, sh } from './work-tree.ts'

it('the .git of a repository that was made meanwhile', async () => {
  const at = openBox()
  writeFileSync(join(at.tree, 'a'), 'a')
  const checkpoints = gitCheckpoints(at)
  const { tree } = await take(checkpoints, 'initial')
  sh(at, 'git init -q sub; echo b > sub/b; mkdir -p deep/er; git init -q deep/er')
  const { left } = await restore(checkpoints, tree, 'before')
  assert.deepEqual(left, ['deep/er/.git', 'sub/.git'])
  assert.ok(existsSync(join(at.tree, 'sub/.git')) && !existsSync(join(at.tree, 'sub/b')))
})

it('a mount that was made meanwhile', async t => {
  if (process.getuid?.() !== 0) return t.skip('only root can mount')
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

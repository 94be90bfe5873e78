/** What a promise that runs git sees of a repository besides its files, with real git. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { gitChanges, gitState } from '../../../../src/adapters/steering/git-state.ts'

test('hidden paths and moved tags are seen; a commit is not', async t => {
  const tree = mkdtempSync(join(tmpdir(), 'loop-git-state-'))
  t.after(() => rmSync(tree, { recursive: true }))
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: tree })
  assert.deepEqual(await gitState(tree), { hidden: [], refs: [] }, 'no repository')
  git('init', '-q')
  writeFileSync(join(tree, 'a'), '1\n')
  git('add', 'a')
  git('commit', '-qm', 'one')
  git('tag', 'v1')
  const before = await gitState(tree)
  assert.deepEqual(gitChanges(before, before), [])
  writeFileSync(join(tree, 'a'), '2\n')
  git('commit', '-qam', 'two')
  assert.deepEqual(gitChanges(before, await gitState(tree)), [])
  git('tag', '-f', 'v1')
  const tag = { path: '.git/refs/tags/v1', isNew: false }
  assert.deepEqual(gitChanges(before, await gitState(tree)), [tag])
  git('update-index', '--skip-worktree', 'a')
  assert.deepEqual(gitChanges(before, await gitState(tree)), [{ path: '.git/index', isNew: false }, tag])
})

test('what is staged and moved branches are seen; new tags are new', async t => {
  const tree = mkdtempSync(join(tmpdir(), 'loop-git-state-'))
  t.after(() => rmSync(tree, { recursive: true }))
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: tree })
  git('init', '-q')
  writeFileSync(join(tree, 'a'), '1\n')
  git('add', 'a')
  git('commit', '-qm', 'one')
  git('branch', 'base')
  const before = await gitState(tree)
  writeFileSync(join(tree, 'a'), '2\n')
  git('add', 'a')
  assert.deepEqual(gitChanges(before, await gitState(tree)), [{ path: '.git/index', isNew: false }])
  git('commit', '-qm', 'two')
  assert.deepEqual(gitChanges(before, await gitState(tree)), [], 'a commit alone')
  git('branch', '-f', 'base')
  git('tag', 'v2')
  assert.deepEqual(gitChanges(before, await gitState(tree)), [
    { path: '.git/refs/heads/base', isNew: false },
    { path: '.git/refs/tags/v2', isNew: true },
  ])
})

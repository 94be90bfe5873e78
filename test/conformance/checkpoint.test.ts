/**
 * Every backend that saves a tree must pass this: take, change, restore, undo, and each time the tree is
 * equal file by file; the user's repository is the same to the byte, and nothing of it was run.
 */
import assert from 'node:assert/strict'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import type { Checkpoints } from '../../src/adapters/checkpoint.ts'
import { gitCheckpoints } from '../../src/adapters/checkpoints/git.ts'
import type { Result } from '../../src/model/failure.ts'
import { type Case, cases } from './checkpoint-cases.ts'
import {
  type Box,
  expected,
  listing,
  openBox,
  repositoryListing,
  sh,
  sorted,
  withoutSpecial,
} from './work-tree.ts'

const backends: Record<string, (box: Box) => Checkpoints> = { git: gitCheckpoints }
const never = new AbortController().signal
const boxes: string[] = []

after(() => {
  for (const root of boxes) rmSync(root, { recursive: true, force: true })
})

function box(): Box {
  const opened = openBox()
  boxes.push(opened.root)
  return opened
}

function value<T>(result: Result<T>): T {
  assert.ok(result.ok, result.ok ? '' : result.failure.message)
  return result.value
}

function message(result: Result<unknown>): string {
  assert.ok(!result.ok, 'it must fail')
  assert.equal(result.failure.reason, 'step-failed')
  return result.failure.message
}

async function take(checkpoints: Checkpoints, name: string, since: string | null = null) {
  const taken = value(await checkpoints.take({ loop: 'abc123', name, since, signal: never }))
  assert.ok(taken.tree)
  return { ...taken, tree: taken.tree }
}

async function restore(checkpoints: Checkpoints, tree: string, keepAs: string) {
  return value(await checkpoints.restore({ loop: 'abc123', tree, keepAs }))
}

function savedTree(at: Box, name: string): string {
  return readFileSync(join(at.store, 'refs/loop/abc123', name), 'utf8').trim()
}

function repositories(at: Box, test: Case) {
  return (test.repositories ?? ['.git']).map(path => sorted(repositoryListing(join(at.tree, path))))
}

/** Runs one step and asserts that the user's repository did not notice. */
async function unnoticed<T>(at: Box, test: Case, step: () => Promise<T>): Promise<T> {
  const before = repositories(at, test)
  rmSync(at.ran, { force: true })
  const result = await step()
  assert.deepEqual(repositories(at, test), before, 'the repository of the user is the same to the byte')
  assert.ok(!existsSync(at.ran), 'nothing of the user was run')
  return result
}

async function roundTrip(make: (box: Box) => Checkpoints, test: Case): Promise<void> {
  const at = box()
  sh(at, test.build)
  const checkpoints = make(at)
  const saved = listing(at.tree)
  const first = await unnoticed(at, test, () => take(checkpoints, 'iter-001'))
  assert.deepEqual(sorted(listing(at.tree)), sorted(saved), 'taking changes nothing')

  sh(at, test.change)
  const present = listing(at.tree)
  const kept = test.kept ?? []
  if (test.skipped) assert.deepEqual((await take(checkpoints, 'skipping')).skipped, test.skipped)
  await unnoticed(at, test, () => restore(checkpoints, first.tree, 'undo'))
  assert.deepEqual(sorted(listing(at.tree)), sorted(expected({ saved, present, kept })), 'restored')

  await unnoticed(at, test, () => restore(checkpoints, savedTree(at, 'undo'), 'redo'))
  const undone = withoutSpecial(listing(at.tree))
  assert.deepEqual(sorted(undone), sorted(withoutSpecial(present)), 'undone')
}

for (const [backend, make] of Object.entries(backends)) {
  describe(`${backend}: saved, changed, restored, undone`, () => {
    for (const test of cases) it(test.name, () => roundTrip(make, test))
  })
}

/**
 * The contract of every backend that saves a tree: take, change, restore, undo, and each time the tree is equal file by
 * file. The user's repository stays the same to the byte, and none of its hooks and filters runs.
 */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { asyncProperty, assert as holds } from 'fast-check'
import { btrfsCheckpoints } from '../../../src/checkpoints/btrfs.ts'
import type { Checkpoints } from '../../../src/checkpoints/contract.ts'
import { gitCheckpoints } from '../../../src/checkpoints/git/backend.ts'
import { makeSubvolume, mountBtrfs } from './btrfs-image.ts'
import { loop, never, restore, savedPaths, savedTree, take, value } from './calls.ts'
import { type Case, cases } from './cases.ts'
import { apply, edits, ignoringEdits } from './edits.ts'
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

type Backend = { open(): Box; make(box: Box): Checkpoints; cases: readonly Case[]; skip: string | false }

const btrfs = mountBtrfs()

const backends: Record<string, Backend> = {
  git: { open: openBox, make: gitCheckpoints, cases, skip: false },
  btrfs: {
    open: () => openBox(btrfs.root, makeSubvolume),
    make: btrfsCheckpoints,
    // A case that makes the tree directory itself would replace the subvolume.
    cases: cases.filter(({ build }) => !build.includes('rmdir "$PWD"')),
    skip: btrfs.skip,
  },
}
// The number of random cases of each property.
const numRuns = process.env['LOOP_LONG'] ? 550 : 35

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

async function roundTrip({ open, make }: Backend, test: Case): Promise<void> {
  const at = open()
  sh(at, test.build)
  // The backend gets the user's home, and could run hooks and filters that are configured there.
  Object.assign(process.env, { HOME: join(at.root, 'home'), RAN: at.ran })
  const checkpoints = make(at)
  const saved = listing(at.tree)
  const first = await unnoticed(at, test, () => take(checkpoints, 'iter-001'))
  assert.deepEqual(sorted(listing(at.tree)), sorted(saved), 'taking changes nothing')

  sh(at, test.change)
  const present = listing(at.tree)
  const kept = test.kept ?? []
  if (test.skipped) assert.deepEqual((await take(checkpoints, 'skipping')).skipped, test.skipped)
  await unnoticed(at, test, () => restore(checkpoints, first.tree, 'undo'))
  const restored = listing(at.tree)
  assert.deepEqual(sorted(restored), sorted(expected({ saved, present, kept })), 'restored')

  await unnoticed(at, test, () => restore(checkpoints, savedTree(at, 'undo'), 'redo'))
  const undone = withoutSpecial(listing(at.tree))
  // A file that the checkpoint before the restore could not save stays as the restore left it.
  const left = [...restored].filter(([path]) => test.skipped?.includes(path))
  assert.deepEqual(sorted(undone), sorted(withoutSpecial(new Map([...present, ...left]))), 'undone')
}

/** A tree without ignored files: a restore makes it exactly what it was, and the undo brings it back exactly. */
async function exactly({ open, make }: Backend): Promise<void> {
  const property = asyncProperty(edits, edits, edits, async (build, between, change) => {
    const at = open()
    const checkpoints = make(at)
    apply(at.tree, build)
    const saved = sorted(listing(at.tree))
    const { tree } = await take(checkpoints, 'iter-001')
    apply(at.tree, between)
    await take(checkpoints, 'iter-002')
    apply(at.tree, change)
    const present = sorted(listing(at.tree))
    await restore(checkpoints, tree, 'undo')
    assert.deepEqual(sorted(listing(at.tree)), saved, 'restored')
    await restore(checkpoints, savedTree(at, 'undo'), 'redo')
    assert.deepEqual(sorted(listing(at.tree)), present, 'undone')
  })
  await holds(property, { numRuns })
}

/** With ignore rules that come and go: everything saved is restored, and no file that was there is lost. */
async function losingNothing({ open, make }: Backend): Promise<void> {
  const property = asyncProperty(
    ignoringEdits,
    ignoringEdits,
    ignoringEdits,
    async (build, between, change) => {
      const at = open()
      const checkpoints = make(at)
      apply(at.tree, build)
      const { tree } = await take(checkpoints, 'iter-001')
      const held = savedPaths(at, tree)
      const saved = sorted(listing(at.tree)).filter(([path]) => held.has(path))
      assert.equal(saved.length, held.size)
      apply(at.tree, between)
      await take(checkpoints, 'iter-002')
      apply(at.tree, change)
      const present = sorted(listing(at.tree))
      await restore(checkpoints, tree, 'undo')
      const restored = listing(at.tree)
      assert.deepEqual(
        sorted(restored).filter(([path]) => held.has(path)),
        saved,
        'restored',
      )
      const safe = savedPaths(at, savedTree(at, 'undo'))
      const isFile = ([path]: [string, string]) => !path.endsWith('/') && !safe.has(path)
      for (const [path, what] of present.filter(isFile)) assert.equal(restored.get(path), what, path)
      await restore(checkpoints, savedTree(at, 'undo'), 'redo')
      const undone = listing(at.tree)
      for (const [path, what] of present) assert.equal(undone.get(path), what, `${path} is back`)
    },
  )
  await holds(property, { numRuns })
}

/** `changedSince` counts the same changes as a checkpoint taken now, and leaves no ref. */
async function counted({ open, make }: Backend): Promise<void> {
  const property = asyncProperty(edits, edits, async (build, change) => {
    const at = open()
    const checkpoints = make(at)
    apply(at.tree, build)
    const { tree } = await take(checkpoints, 'iter-001')
    apply(at.tree, change)
    const present = sorted(listing(at.tree))
    const { changes, changed } = value(await checkpoints.changedSince({ since: tree, signal: never }))
    assert.deepEqual(readdirSync(join(at.store, 'refs/loop', loop)), ['iter-001'])
    assert.deepEqual(sorted(listing(at.tree)), present, 'looking changes nothing')
    const taken = await take(checkpoints, 'iter-002', tree)
    assert.deepEqual({ changes, changed }, { changes: taken.changes, changed: taken.changed })
  })
  await holds(property, { numRuns: Math.ceil(numRuns / 5) })
}

for (const [name, backend] of Object.entries(backends)) {
  describe(`${name}: saved, changed, restored, undone`, { concurrency: 4 }, () => {
    const { skip } = backend
    for (const test of backend.cases) it(test.name, { skip }, () => roundTrip(backend, test))
    it('any edits of any tree', { skip }, () => exactly(backend))
    it('any edits, with rules that ignore', { skip }, () => losingNothing(backend))
    it('any edits, counted without taking a checkpoint', { skip }, () => counted(backend))
  })
}

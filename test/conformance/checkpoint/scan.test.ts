/** A tree that changes during the scan: everything saved was in the tree at some time. */
import assert from 'node:assert/strict'
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { openBatch } from '../../../src/checkpoints/objects/batch.ts'
import { openObjects } from '../../../src/checkpoints/objects/objects.ts'
import { openLister } from '../../../src/checkpoints/scan/listing.ts'
import { type ScanRequest, scan } from '../../../src/checkpoints/scan/scan.ts'
import { filesOf } from '../../../src/checkpoints/scan/snapshot.ts'
import { openBox } from './work-tree.ts'

it('a directory that becomes a link is not followed', async () => {
  const at = openSwap()
  const lister = openLister()
  const found = await pathsFound(at, {
    list(directory, stat) {
      if (directory === 'd') at.swap()
      return lister(at.tree, directory, stat)
    },
    seed: null,
  })
  assert.deepEqual(found, ['a'])
})

it('a directory that becomes a link once its files are known is not followed to those below it', async () => {
  const at = openSwap()
  const lister = openLister()
  const found = await pathsFound(at, {
    list(directory, stat) {
      const listed = lister(at.tree, directory, stat)
      if (directory === 'd') at.swap()
      return listed
    },
    seed: {
      wholeAt: () => null,
      idsIn: directory => () => (directory === 'd' ? '0'.repeat(40) : null),
    },
  })
  assert.deepEqual(found, ['a', 'd/in'])
})

it('a directory that is replaced by another during the scan is saved', async () => {
  const at = openSwap()
  const lister = openLister()
  const found = await pathsFound(at, {
    list(directory, stat) {
      if (directory === 'd/below') {
        renameSync(join(at.tree, 'd/below'), join(at.root, 'gone'))
        mkdirSync(join(at.tree, 'd/below'))
        writeFileSync(join(at.tree, 'd/below/new'), 'new')
      }
      return lister(at.tree, directory, stat)
    },
    seed: null,
  })
  assert.deepEqual(found, ['a', 'd/in', 'd/below/new'])
})

function openSwap() {
  const { root, tree, store } = openBox()
  for (const path of [join(tree, 'd/below'), join(root, 'elsewhere/below'), join(store, 'objects/pack')])
    mkdirSync(path, { recursive: true })
  for (const path of ['tree/a', 'tree/d/in', 'elsewhere/secret', 'elsewhere/below/secret'])
    writeFileSync(join(root, path), path)
  const swap = () => {
    renameSync(join(tree, 'd'), join(root, 'd'))
    symlinkSync('../elsewhere', join(tree, 'd'))
  }
  return { root, tree, store, swap }
}

async function pathsFound(
  { tree, store }: { tree: string; store: string },
  eyes: Pick<ScanRequest, 'list' | 'seed'>,
): Promise<string[]> {
  const { root } = await scan({
    tree,
    ...eyes,
    objects: openObjects(join(store, 'objects'), openBatch()),
    known: null,
    outer: [],
    holds: () => false,
    includes: null,
    signal: undefined,
  })
  return [...filesOf(root)].map(([path]) => path)
}

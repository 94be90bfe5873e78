/** A tree that changes while it is looked at: whatever is saved of it was in it. */
import assert from 'node:assert/strict'
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { openBatch } from '../../src/adapters/checkpoints/objects/batch.ts'
import { openObjects } from '../../src/adapters/checkpoints/objects/objects.ts'
import { openLister } from '../../src/adapters/checkpoints/scan/listing.ts'
import { scan } from '../../src/adapters/checkpoints/scan/scan.ts'
import { filesOf } from '../../src/adapters/checkpoints/scan/snapshot.ts'
import { openBox } from './work-tree.ts'

it('a directory that becomes a link is not followed', async () => {
  const { root, tree, store } = openBox()
  for (const path of [join(tree, 'd'), join(root, 'elsewhere/below'), join(store, 'objects/pack')])
    mkdirSync(path, { recursive: true })
  for (const path of ['tree/a', 'tree/d/in', 'elsewhere/secret', 'elsewhere/below/secret'])
    writeFileSync(join(root, path), path)
  const lister = openLister()
  const { root: found } = await scan({
    tree,
    list(directory, stat) {
      if (directory === 'd') {
        renameSync(join(tree, 'd'), join(root, 'd'))
        symlinkSync('../elsewhere', join(tree, 'd'))
      }
      return lister(tree, directory, stat)
    },
    objects: openObjects(join(store, 'objects'), openBatch()),
    known: null,
    outer: [],
    holds: () => false,
    includes: null,
    seed: null,
    signal: undefined,
  })
  assert.deepEqual(
    [...filesOf(found)].map(([path]) => path),
    ['a'],
  )
})

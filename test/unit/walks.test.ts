/** docs/walks.md and ARCHITECTURE.md name only files that exist, and no walk comes back to a file it has left. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from '../rig/rig.ts'

const text = readFileSync(join(root, 'docs', 'walks.md'), 'utf8')

/** The files of each walk in order; a list that starts at 1 again is the next walk. */
function walks(): string[][] {
  const found: string[][] = []
  for (const line of text.split('\n')) {
    const [, number] = /^(\d+)\. /.exec(line) ?? []
    if (!number) continue
    if (number === '1') found.push([])
    found
      .at(-1)
      ?.push(...Array.from(line.matchAll(/`((?:src|bin|plugins)\/[^`]+)`/g), ([, file = '']) => file))
  }
  return found
}

test('every file that a walk names is there', () => {
  const missing = walks()
    .flat()
    .filter(file => !existsSync(join(root, file)))
  assert.deepEqual(missing, [])
  assert.equal(walks().length, 5)
})

test('no walk comes back to a file it has left', () => {
  for (const files of walks()) assert.deepEqual([...new Set(files)], files)
})

test('ARCHITECTURE.md is short, and every place that it names is there', () => {
  const shape = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
  assert.ok(shape.trimEnd().split('\n').length <= 150, 'at most 150 lines')
  const [, table = ''] = shape.split('## Where is')
  const places = Array.from(table.matchAll(/`([a-z][\w./-]*\/[\w./*-]+)`/g), ([, place = '']) => place)
  assert.ok(places.length > 100, 'or this test says nothing')
  const missing = places.filter(place => {
    const path = place.replace(/\/\*$/, '')
    return ![path, `src/${path}`, `src/${path}.ts`, `${path}.ts`, `${path}.test.ts`].some(at =>
      existsSync(join(root, at)),
    )
  })
  assert.deepEqual(missing, [])
})

/** docs/walks.md names files that are there, and no walk comes back to a file it has left. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from '../rig/rig.ts'

const text = readFileSync(join(root, 'docs', 'walks.md'), 'utf8')

/** The files of each walk in order; a list that begins at 1 again is a walk of its own. */
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

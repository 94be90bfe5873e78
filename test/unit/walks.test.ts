/**
 * docs/walks.md and ARCHITECTURE.md name only files that exist, no walk comes back to a file it has left, and whoever
 * names a page of docs/decisions finds it.
 */
import assert from 'node:assert/strict'
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
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

test('every page of docs/decisions that a file names is there, and its README lists each once', () => {
  const pages = readdirSync(join(root, 'docs', 'decisions')).filter(name => /^\d{4}-/.test(name))
  const list = readFileSync(join(root, 'docs', 'decisions', 'README.md'), 'utf8')
  const listed = Array.from(list.matchAll(/\((\d{4}-[^)]+)\)/g), ([, page = '']) => page)
  assert.deepEqual(listed, pages.toSorted())
  const files = globSync(['*.md', '{src,web,test,scripts,docs,plugins,bin}/**/*'], {
    cwd: root,
    withFileTypes: true,
    exclude: ({ name }) => name === 'recordings',
  }).filter(file => file.isFile())
  const named = files.flatMap(({ parentPath, name }) =>
    Array.from(
      readFileSync(join(parentPath, name), 'utf8').matchAll(/\bdecisions\/(\d{4}(?:-[\w-]+\.md)?)/g),
      ([, page = '']) => ({ file: name, page }),
    ),
  )
  assert.ok(named.length > 5, 'or this test says nothing')
  assert.deepEqual(
    named.filter(({ page }) => !pages.some(one => one === page || one.startsWith(`${page}-`))),
    [],
  )
})

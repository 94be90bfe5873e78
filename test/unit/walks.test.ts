/**
 * docs/walks.md and ARCHITECTURE.md name only files that exist, no walk comes back to a file it has left, and whoever
 * names a page of docs/decisions finds it.
 */
import assert from 'node:assert/strict'
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from '../rig/rig.ts'

const walksText = readFileSync(join(root, 'docs', 'walks.md'), 'utf8')

/** The files of each walk in order; a list that starts at 1 again is the next walk. */
function walks(): string[][] {
  const found: string[][] = []
  for (const line of walksText.split('\n')) {
    const [, number] = /^(\d+)\. /.exec(line) ?? []
    if (!number) continue
    if (number === '1') found.push([])
    found
      .at(-1)
      ?.push(...Array.from(line.matchAll(/`((?:src|bin|plugins|web)\/[^`]+)`/g), ([, file = '']) => file))
  }
  return found
}

test('every file that a walk names is there', () => {
  const missing = walks()
    .flat()
    .filter(file => !existsSync(join(root, file)))
  assert.deepEqual(missing, [])
  assert.equal(walks().length, 8)
})

test('no walk comes back to a file it has left', () => {
  for (const files of walks()) assert.deepEqual([...new Set(files)], files)
})

for (const [page, mostWords, leastPlaces] of [
  ['ARCHITECTURE.md', 1_500, 40],
  ['AGENTS.md', 1_200, 40],
  ['docs/invariants.md', 1_500, 10],
] as const) {
  test(`${page} is short, and every place that it names is there`, () => {
    const text = readFileSync(join(root, page), 'utf8')
    assert.ok(text.trim().split(/\s+/).length <= mostWords, `at most ${mostWords} words`)
    const places = Array.from(text.matchAll(/`([a-z][\w.-]*\/[\w./*-]+)`/g), ([, place = '']) => place)
    assert.ok(places.length >= leastPlaces, `${places.length} places: or this test says nothing`)
    const missing = places.filter(place => {
      const path = place.replace(/\/\*$/, '')
      return ![path, `src/${path}`, `src/${path}.ts`, `${path}.ts`, `${path}.tsx`, `${path}.test.ts`].some(
        at => existsSync(join(root, at)),
      )
    })
    assert.deepEqual(missing, [])
  })
}

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

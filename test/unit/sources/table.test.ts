/**
 * docs/reference/sources.md is complete: every line of the sources has a row, and every test that a row names exists.
 */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const root = new URL('../../../', import.meta.url).pathname
const page = readFileSync(join(root, 'docs/reference/sources.md'), 'utf8')

/** The number of lines of each source. */
const lengths: Record<string, number> = { '000': 173, '002': 231, '003': 370 }

type Row = { from: number; to: number; shown: string }

function rowsOf(name: string): Row[] {
  const [, section = ''] = new RegExp(`## Source ${name}\n([^]*?)(?=\n## |$)`).exec(page) ?? []
  return Array.from(
    section.matchAll(/^\| (\d+)(?:–(\d+))? \| [^|]+ \| ([^|]+) \|$/gm),
    ([, a, b, shown = '']) => ({
      from: Number(a),
      to: Number(b ?? a),
      shown,
    }),
  )
}

for (const [name, length] of Object.entries(lengths)) {
  test(`every line of source ${name} is in one row`, () => {
    let next = 1
    for (const { from, to } of rowsOf(name)) {
      assert.equal(from, next, `line ${next}`)
      assert.ok(to >= from)
      next = to + 1
    }
    assert.equal(next, length + 1)
  })

  test(`every test that is said to show source ${name} is there`, () => {
    for (const { from, shown } of rowsOf(name))
      for (const one of shown.split(' · ')) {
        const [, file = '', title = ''] = /^`([^`]+)` (.+)$/.exec(one.trim()) ?? []
        const path = join(root, 'test', `${file}.test.ts`)
        assert.ok(existsSync(path), `line ${from}: ${one}`)
        assert.ok(titlesIn(path).includes(title), `line ${from}: ${file} has no test "${title}"`)
      }
  })
}

/** The quoted texts at the start of tests and of table rows. */
function titlesIn(path: string): string {
  const text = readFileSync(path, 'utf8')
  return Array.from(text.matchAll(/(?:test\(|\[)\s*(['"`])([^\n]*?)\1\s*,/g), ([, , title]) => title).join(
    '\n',
  )
}

test('every excerpt of the sources is compared with something', () => {
  const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  const tests = files
    .filter(file => file.endsWith('.test.ts'))
    .map(file => readFileSync(join(root, 'test', file), 'utf8'))
    .join('\n')
  const excerpts = readdirSync(join(root, 'test/recordings/seeds')).filter(name => name !== 'README.md')
  assert.deepEqual(
    excerpts.filter(name => !tests.includes(name)),
    [],
  )
})

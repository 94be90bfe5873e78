/** The parts of a report that a program can judge: sections, entries, places and quotes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  entriesIn,
  isThere,
  ownWords,
  placesIn,
  quotesItsPlace,
  sectionNamed,
  substanceOf,
} from '../../../../src/core/check.ts'

const report = `# Audit

## Findings
Some words before.

- F1 src/db.js:2 \`query(name)\` lets a name be code.
  It goes on here.
- F2 src/db.js:9 is elsewhere.

## Rest
nothing
`
const lines = ['const a = 1', 'db.query(name)', 'end()']
const linesOf = (path: string) => (path === 'src/db.js' ? lines : null)

test('a section ends where the next begins', () => {
  assert.match(sectionNamed(report, 'findings') ?? '', /^Some words before\.[^#]*elsewhere\.\n\n$/)
  assert.equal(sectionNamed(report, 'Scope'), null)
})

test('entries are items with all their lines, named by their number', () => {
  const entries = entriesIn(sectionNamed(report, 'Findings') ?? '')
  assert.deepEqual(
    entries.map(({ id }) => id),
    ['F1', 'F2'],
  )
  assert.match(entries[0]?.text ?? '', /It goes on here/)
})

test('an entry below a heading of its own has the lists in it', () => {
  const entries = entriesIn('### F1 first\n- src/db.js:1\n- more\n### F2 second\ntext\n')
  assert.deepEqual(
    entries.map(({ id }) => id),
    ['F1', 'F2'],
  )
  assert.match(entries[0]?.text ?? '', /- more/)
})

test('a place is a path and a line, and exists where the file has that line', () => {
  assert.deepEqual(placesIn('at ./src/db.js:2, not 12:30 or http://a.example:80'), [
    { path: 'src/db.js', line: 2 },
  ])
  assert.equal(isThere({ path: 'src/db.js', line: 3 }, linesOf), true)
  assert.equal(isThere({ path: 'src/db.js', line: 4 }, linesOf), false)
  assert.equal(isThere({ path: 'src/db.js', line: 0 }, linesOf), false)
  assert.equal(isThere({ path: 'src/no.js', line: 1 }, linesOf), false)
})

test('a quote counts where it stands at the place', () => {
  assert.equal(quotesItsPlace('src/db.js:2 `db.query( name )`', linesOf), true)
  assert.equal(quotesItsPlace('src/db.js:2 `db.exec(name)`', linesOf), false)
  assert.equal(quotesItsPlace('src/db.js:2 `src/db.js:2`', linesOf), false)
  assert.equal(quotesItsPlace('src/db.js:2\n```js\ndb.query(name)\n```', linesOf), true)
})

test('headings, marks and words for later are no substance', () => {
  assert.equal(substanceOf('### A heading\n- TODO\n* TBD …\n<to be filled in>\n'), 0)
  assert.equal(substanceOf('words'), 5)
  assert.equal(ownWords('`code` words\n```\nmore code\n```\n'), 5)
})

/** The line numbers beside a patch, compared with git's own patches of real files. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { diffNumbers, narrowNumbers, numbersBeside } from '../../../../src/views/text/diff-numbers.ts'

const before = Array.from({ length: 40 }, (_, i) => `line ${i + 1}`)
// One change in the first hunk, one in the second; the removed lines look like the head of a file or of a hunk.
before[9] = '-- a/looks-like-a-head'
before[29] = '@@ -1,9 +1,9 @@'
const after = [...before.slice(0, 9), 'new 10', 'new 11', ...before.slice(10, 29), ...before.slice(30)]

test('every number is that of the line in its file, before and after the change', t => {
  const dir = mkdtempSync(join(tmpdir(), 'loop-numbers-'))
  t.after(() => rmSync(dir, { recursive: true }))
  writeFileSync(join(dir, 'a'), `${before.join('\n')}\n`)
  writeFileSync(join(dir, 'b'), after.join('\n'))
  const patch = spawnSync('git', ['diff', '--no-index', '--', 'a', 'b'], {
    cwd: dir,
    encoding: 'utf8',
  }).stdout
  const numbers = diffNumbers()
  const rows = patch.split('\n').map(line => ({ line, numbers: numbers(line) }))
  const ofFile = { before: 0, after: 0 }
  for (const { line, numbers: shown } of rows) {
    const [old, young] = [shown.slice(0, 5).trim(), shown.slice(5, 10).trim()]
    if (old !== '') assert.equal(before[Number(old) - 1], line.slice(1))
    if (young !== '') assert.equal(after[Number(young) - 1], line.slice(1))
    ofFile.before += Number(old !== '')
    ofFile.after += Number(young !== '')
  }
  const heads = [...patch.matchAll(/^@@ -\d+,(\d+) \+\d+,(\d+) @@/gm)]
  assert.ok(heads.length >= 2, patch)
  assert.deepEqual(ofFile, {
    before: heads.reduce((sum, [, many]) => sum + Number(many), 0),
    after: heads.reduce((sum, [, , many]) => sum + Number(many), 0),
  })
  for (const { line, numbers: shown } of rows.slice(0, 4)) assert.equal(shown, '', line)
})

test('a hunk of one line, a new file, and a file without a last newline', () => {
  const numbers = diffNumbers()
  const rows = [
    '@@ -3 +3 @@',
    '-x',
    '+y',
    '\\ No newline at end of file',
    'diff --git a/n b/n',
    '@@ -0,0 +1,2 @@',
    '+1',
    '+2',
    'diff',
  ]
  assert.deepEqual(
    rows.map(row => numbers(row).trimEnd()),
    ['', '    3', '         3', '', '', '', '         1', '         2', ''],
  )
})

test('a patch in pieces, cut anywhere, has the same numbers; a narrow window has one of the two', () => {
  const long = `+${'x'.repeat(1_000)}`
  const rows = ['@@ -9,2 +12,3 @@ f()', ' same', long, '-out', '+in', 'diff --git a/n b/n']
  const expected = ['', '    9   12 ', '        13 ', '   10      ', '        14 ', '']
  const patch = rows.map(row => `${row}\n`).join('')
  for (const size of [1, 7, 300, patch.length]) {
    const beside = numbersBeside()
    const pieces = Array.from({ length: Math.ceil(patch.length / size) }, (_, i) =>
      beside(patch.slice(i * size, (i + 1) * size)),
    )
    assert.deepEqual(pieces.join('').split('\n').slice(0, -1), expected, `pieces of ${size}`)
  }
  assert.deepEqual(expected.map(narrowNumbers), ['', '   12 ', '   13 ', '   10 ', '   14 ', ''])
})

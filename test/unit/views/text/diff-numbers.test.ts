/** The line numbers beside a patch, compared with git's own patches of real files. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { diffNumbers } from '../../../../src/views/text/diff-numbers.ts'

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

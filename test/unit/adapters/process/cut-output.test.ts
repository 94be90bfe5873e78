/** The cut of an output that is over its limit: both ends stay, both files together are within the limit. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { cutOutput, nextLookMs } from '../../../../src/adapters/process/cut-output.ts'

function runDir(t: TestContext, out: string, err: string): string {
  const dir = mkdtempSync(join(tmpdir(), 'loop-cut-'))
  t.after(() => rmSync(dir, { recursive: true }))
  writeFileSync(join(dir, 'out'), out)
  writeFileSync(join(dir, 'err'), err)
  return dir
}

test('the beginning and the end stay, and a second cut changes nothing', t => {
  const dir = runDir(t, `begin${'x'.repeat(50_000)}end`, '')
  assert.equal(cutOutput(dir, 10_000), true)
  const text = readFileSync(join(dir, 'out'), 'utf8')
  assert.equal(text.length, 10_000)
  assert.match(text, /^beginx+\n\[loop: about 40\.0 kB are cut out here: .*\(--max-output\)\]\nx+end$/)
  assert.equal(cutOutput(dir, 10_000), false)
})

test('both files together are within the limit; the one that is small stays whole', t => {
  const [small, large] = ['e'.repeat(1_000), 'o'.repeat(50_000)]
  const dir = runDir(t, large, small)
  cutOutput(dir, 10_000)
  assert.equal(readFileSync(join(dir, 'err'), 'utf8'), small)
  assert.equal(statSync(join(dir, 'out')).size, 9_000)
  const both = runDir(t, large, large)
  cutOutput(both, 10_000)
  assert.deepEqual(
    ['out', 'err'].map(name => statSync(join(both, name)).size),
    [5_000, 5_000],
  )
})

test('within the limit nothing is touched, and a link in the place of the file is not followed', t => {
  const dir = runDir(t, 'x'.repeat(10_000), '')
  assert.equal(cutOutput(dir, 10_000), false)
  rmSync(join(dir, 'err'))
  symlinkSync('out', join(dir, 'err'))
  assert.equal(cutOutput(dir, 10_000), false)
})

test('the nearer the limit, the sooner the next look', () => {
  assert.equal(nextLookMs(0, 2_000_000_000, 200), 200)
  assert.equal(nextLookMs(1_950_000_000, 2_000_000_000, 200), 50)
  assert.equal(nextLookMs(0, 1_000_000, 200), 5)
})

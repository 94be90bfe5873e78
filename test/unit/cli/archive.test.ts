/** The headers of an archive, as another program reads them. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { ending, header, padding } from '../../../src/cli/archive.ts'

test('the program tar reads name, size and time, of small files and of one of more than 8 GiB', () => {
  const content = Buffer.from('hello\n')
  const small = { path: 'loop-a1b2c3/runs/1/out', bytes: content.length, mtimeS: 1_700_000_000 }
  const huge = { path: 'loop-a1b2c3/runs/2/out', bytes: 12_345_678_901, mtimeS: 1_700_000_001 }
  const input = Buffer.concat([header(small), content, padding(content.length), header(huge)])
  const args = ['--utc', '--full-time', '-tvf', '-']
  const env = { ...process.env, LC_ALL: 'C' }
  const { stdout } = spawnSync('tar', args, { input, env, encoding: 'utf8' })
  assert.deepEqual(
    stdout
      .trim()
      .split('\n')
      .map(line => line.split(/ +/)),
    [
      ['-rw-------', '0/0', '6', '2023-11-14', '22:13:20', small.path],
      ['-rw-------', '0/0', '12345678901', '2023-11-14', '22:13:21', huge.path],
    ],
  )
})

test('contents are filled up to blocks, and the end is two empty ones', () => {
  const rows = [0, 1, 511, 512, 513, 1_024].map(bytes => [bytes, (bytes + padding(bytes).length) % 512])
  for (const [bytes, left] of rows) assert.equal(left, 0, String(bytes))
  assert.equal(padding(512).length, 0)
  assert.deepEqual(ending, Buffer.alloc(1_024))
})

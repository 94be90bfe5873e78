/** Trees of other users, and files that may not be read. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { gitCheckpoints } from '../../src/adapters/checkpoints/git.ts'
import { take } from './checkpoint-calls.ts'
import { openBox, sh } from './work-tree.ts'

describe('git: other users', { skip: process.getuid?.() !== 0 && 'needs root' }, () => {
  it('saves a tree that belongs to somebody else', async () => {
    const at = openBox()
    sh(at, 'git init -q; echo a > a; chown -R 65534:65534 .')
    await take(gitCheckpoints(at), 'iter-001')
  })

  it('reports what it may not read, and saves the rest', async () => {
    const at = openBox()
    sh(at, 'echo a > a; echo s > secret; mkdir closed; echo c > closed/c; chown -R 65534:65534 ..')
    sh(at, 'chmod 0 secret closed')
    process.seteuid?.(65534)
    try {
      const { skipped } = await take(gitCheckpoints(at), 'iter-001')
      assert.deepEqual(skipped, ['closed', 'secret'])
    } finally {
      process.seteuid?.(0)
    }
  })

  it('reports a directory that it may list and not enter', async () => {
    const at = openBox()
    sh(at, 'mkdir d; echo a > d/a; mkdir d/below; echo b > b; chown -R 65534:65534 ..; chmod 444 d')
    process.seteuid?.(65534)
    try {
      const { skipped } = await take(gitCheckpoints(at), 'iter-001')
      assert.deepEqual(skipped, ['d'])
    } finally {
      process.seteuid?.(0)
    }
  })
})

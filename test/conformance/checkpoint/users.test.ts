/** Trees of other users, unreadable files, and paths that cannot be saved. */

import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { gitCheckpoints } from '../../../src/checkpoints/git/backend.ts'
import { failureWords } from '../../../src/failures/words.ts'
import { without } from '../../rig/needs.ts'
import { loop, restore, savedTree, take, value } from './calls.ts'
import { listing, openBox, sh, sorted } from './work-tree.ts'

/** The effective user is a plain one during the work: root could read everything. */
async function asPlainUser<T>(work: () => Promise<T>): Promise<T> {
  process.seteuid?.(65534)
  try {
    return await work()
  } finally {
    process.seteuid?.(0)
  }
}

describe('git: other users', { skip: without('root') }, () => {
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

  it('leaves alone what could not be read at the checkpoint, says so, and can be undone', async () => {
    const at = openBox()
    sh(
      at,
      `echo a > a; echo precious > secret; mkdir -p closed/empty var/shut; echo inner > closed/f
      chmod 600 closed/f; echo v > var/shut/v; chown -R 65534:65534 ..; chmod 0 secret closed var/shut`,
    )
    const checkpoints = gitCheckpoints(at)
    const { tree, skipped } = await asPlainUser(() => take(checkpoints, 'initial'))
    assert.deepEqual(skipped, ['closed', 'secret', 'var/shut'])
    sh(at, 'chmod 644 secret; chmod 750 closed; chmod 700 var/shut; echo n > n; chown 65534 n')
    const present = sorted(listing(at.tree))
    const later = await asPlainUser(() => take(checkpoints, 'iter-001-after'))
    const seen = await asPlainUser(() => checkpoints.preview({ loop, tree }))
    const restored = await asPlainUser(() => restore(checkpoints, tree, 'undo'))
    assert.deepEqual(value(seen), { written: [], deleted: ['n'], left: skipped })
    assert.deepEqual(restored.left, skipped)
    const others = present.filter(([path]) => path !== 'n')
    assert.deepEqual(sorted(listing(at.tree)), others, 'all but the new file, permissions included')
    for (const id of [savedTree(at, 'undo'), tree, later.tree])
      await asPlainUser(() => restore(checkpoints, id, 'redo'))
    assert.deepEqual(sorted(listing(at.tree)), present)
  })

  it('names what could not be saved and is gone: it does not come back', async () => {
    const at = openBox()
    sh(at, 'echo a > a; echo s > secret; mkdir -p var/shut; chown -R 65534:65534 ..; chmod 0 secret var/shut')
    const checkpoints = gitCheckpoints(at)
    const { tree } = await asPlainUser(() => take(checkpoints, 'initial'))
    sh(at, 'rm -rf secret var')
    const restored = await asPlainUser(() => restore(checkpoints, tree, 'undo'))
    assert.deepEqual(restored.left, ['secret', 'var/shut'])
    assert.deepEqual([...listing(at.tree).keys()].sort(), ['a', 'var/'])
    const undone = await asPlainUser(() => restore(checkpoints, savedTree(at, 'undo'), 'redo'))
    assert.deepEqual(undone.left, [])
    assert.deepEqual([...listing(at.tree).keys()], ['a'])
  })

  for (const [what, change] of [
    ['a file', 'rm b; chmod 0 a'],
    ['a directory', 'rm b; chmod 0 d'],
  ] as const)
    it(`changes nothing if ${what} that it would write cannot be read`, async () => {
      const at = openBox()
      sh(at, 'echo a > a; echo b > b; mkdir d; echo d > d/d; chown -R 65534:65534 ..')
      const checkpoints = gitCheckpoints(at)
      const { tree } = await asPlainUser(() => take(checkpoints, 'initial'))
      sh(at, change)
      const present = sorted(listing(at.tree))
      const refused = await asPlainUser(() => checkpoints.restore({ loop, tree, keepAs: 'undo' }))
      assert.ok(!refused.ok)
      assert.match(failureWords(refused.failure), /cannot be read\. Nothing was changed; make it readable/)
      assert.deepEqual(sorted(listing(at.tree)), present)
    })

  it('gives nobody the rights of another user: setuid and setgid stay only with their owner', async () => {
    const at = openBox()
    sh(
      at,
      `for f in mine theirs edited moded; do echo $f > $f; done; chown 23456:23456 theirs edited moded
      chmod 6755 *; mkdir -m 2775 d; chown 0:23456 d; chmod 2775 d; echo d > d/d`,
    )
    const checkpoints = gitCheckpoints(at)
    const { tree } = await take(checkpoints, 'initial')
    sh(at, 'rm mine theirs edited; echo evil > edited; chown 0:0 moded; chmod 755 moded; chmod 775 d')
    await restore(checkpoints, tree, 'undo')
    const modes = ['mine', 'theirs', 'edited', 'moded', 'd'].map(name => {
      return (statSync(join(at.tree, name)).mode & 0o7777).toString(8)
    })
    assert.deepEqual(modes, ['6755', '755', '755', '755', '2775'])
  })
})

describe('git: what cannot be saved', () => {
  it('names what it leaves since it cannot be saved: a path that is too long, a FIFO', async () => {
    const at = openBox()
    sh(at, 'echo a > a; mkfifo old')
    const checkpoints = gitCheckpoints(at)
    const { tree } = await take(checkpoints, 'iter-001')
    // 4000 bytes in steps of 250: no system call takes a path longer than 4096.
    sh(
      at,
      'mkfifo new; n=$(printf %0250d 0); for _ in $(seq 17); do mkdir $n; cd -P $n; done; echo long > $n',
    )
    const { skipped } = await take(checkpoints, 'iter-001-after')
    assert.equal(skipped.length, 3)
    assert.deepEqual((await restore(checkpoints, tree, 'undo')).left, skipped)
  })
})

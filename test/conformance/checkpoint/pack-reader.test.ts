/** Loop reads objects from packs without git, also those that the user's git stored as a delta. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { closeSync, ftruncateSync, mkdirSync, openSync, readdirSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { gitCheckpoints } from '../../../src/checkpoints/git/backend.ts'
import { openBatch } from '../../../src/checkpoints/objects/batch.ts'
import { ChangedWhileRead, type Objects, openObjects } from '../../../src/checkpoints/objects/objects.ts'
import { restore, take } from './calls.ts'
import { type Box, listing, openBox, sh, sorted } from './work-tree.ts'

/** A chain of versions that differ at the beginning, in the middle, and by a copied piece. */
const build = `git init -q; seq 2000 > a; cp a b; commit first
  for n in 1 2 3 4 5 6 7 8 9 10; do sed -i "\${n}00s/^/changed /" a; (seq $n; cat a; head -c 70000 a) > b; commit "$n"; done
  git repack -adfq --depth=50 --window=50; git prune-packed; git status`

it('reads every object of a packed repository', () => {
  const at = openBox()
  sh(at, build)
  const git = (...args: string[]) => execFileSync('git', args, { cwd: at.tree, encoding: 'utf8' })
  const [index = ''] = readdirSync(join(at.tree, '.git/objects/pack')).filter(name => name.endsWith('.idx'))
  const rows = git('verify-pack', '-v', join('.git/objects/pack', index)).split('\n')
  const objects = rows.map(row => row.split(/\s+/)).filter(([id = '']) => /^[0-9a-f]{40}$/.test(id))
  assert.ok(objects.filter(row => row.length === 7).length >= 10, 'some are differences')
  const packed = openObjects(join(at.tree, '.git/objects'), openBatch()).open()
  for (const [id = '', kind = ''] of objects) {
    const found = packed.read(id)
    assert.equal(found?.kind, kind)
    const content = execFileSync('git', ['cat-file', kind, id], { cwd: at.tree })
    assert.ok(found?.content.equals(content), `${kind} ${id}`)
  }
  packed.close()
})

it('a checkpoint and a restore from such a pack run no program at all', async () => {
  const at = openBox()
  sh(at, build)
  const checkpoints = gitCheckpoints(at)
  const saved = sorted(listing(at.tree))
  const first = await take(checkpoints, 'iter-001')
  sh(at, 'echo more >> a; rm b; echo c > c')
  const { PATH } = process.env
  process.env['PATH'] = '/nowhere'
  try {
    const bare = gitCheckpoints(at)
    const next = await take(bare, 'iter-001-after', first.tree)
    assert.equal(next.changes?.files, 3)
    await restore(bare, first.tree, 'undo')
  } finally {
    process.env['PATH'] = PATH
  }
  assert.deepEqual(sorted(listing(at.tree)), saved)
})

/** The objects of an empty store. */
function emptyStore(at: Box): Objects {
  sh(at, 'git init -q --bare ../store')
  mkdirSync(join(at.store, 'objects/pack'), { recursive: true })
  return openObjects(join(at.store, 'objects'), openBatch())
}

it('a written object can be read before it is on disk, however large it is', async () => {
  const at = openBox()
  const objects = emptyStore(at)
  const trees = [17, 1, 20].map(megabytes => Buffer.alloc(megabytes * 1024 * 1024, `tree ${megabytes} `))
  const blobs = [200_000, 1_000_000, 15_000_000].map(bytes => Buffer.alloc(bytes, `blob ${bytes} `))
  const ids = [
    ...trees.map(content => objects.put('tree', content)),
    ...blobs.map(content => objects.put('blob', content)),
  ]
  sh(at, 'head -c 40000000 /dev/zero > large')
  const large = await objects.putFile(join(at.tree, 'large'), undefined)
  const packed = objects.open()
  for (const [n, content] of [...trees, ...blobs].entries()) {
    assert.ok(packed.read(ids[n] ?? '')?.content.equals(content), `object ${n}`)
  }
  const start = packed.readStart(large)
  assert.equal(start?.size, 40_000_000)
  assert.ok(start.start.subarray(0, 8_000).equals(Buffer.alloc(8_000)))
  packed.close()
  objects.discard()
})

it('a large file that changes while it is read leaves nothing in the pack', async () => {
  const at = openBox()
  const objects = emptyStore(at)
  const path = join(at.tree, 'large')
  const file = openSync(path, 'w')
  ftruncateSync(file, 20_000_000)
  objects.put('blob', Buffer.from('before'))
  let writes = 0
  const change = () => {
    writes += 1
    writeSync(file, Buffer.from([writes % 256]), 0, 1, 19_999_999)
    changing = setImmediate(change)
  }
  let changing = setImmediate(change)
  await assert.rejects(objects.putFile(path, undefined), ChangedWhileRead)
  clearImmediate(changing)
  closeSync(file)
  const id = await objects.putFile(path, undefined)
  objects.put('blob', Buffer.from('after'))
  await objects.flush()
  const git = (...args: string[]) =>
    execFileSync('git', ['--git-dir', at.store, ...args], { encoding: 'utf8', stdio: 'pipe' })
  const [pack = ''] = readdirSync(join(at.store, 'objects/pack')).filter(name => name.endsWith('.idx'))
  const rows = git('verify-pack', '-v', join(at.store, 'objects/pack', pack)).split('\n')
  assert.equal(rows.filter(row => row.includes(' blob ')).length, 3)
  assert.equal(git('hash-object', path).trim(), id)
})

/** Objects are read from packs without git, also where the user's git stored one as a difference from another. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { gitCheckpoints } from '../../src/adapters/checkpoints/git.ts'
import { openBatch } from '../../src/adapters/checkpoints/objects/batch.ts'
import { openObjects } from '../../src/adapters/checkpoints/objects/objects.ts'
import { restore, take } from './checkpoint-calls.ts'
import { listing, openBox, sh, sorted } from './work-tree.ts'

/** A chain of versions that differ at the beginning, in the middle, and by a piece that is copied. */
const build = `git init -q; seq 2000 > a; cp a b; commit first
  for n in 1 2 3 4 5 6 7 8 9 10; do sed -i "\${n}00s/^/changed /" a; (seq $n; cat a; head -c 70000 a) > b; commit "$n"; done
  git repack -adfq --depth=50 --window=50; git prune-packed; git status`

it('every object of a packed repository', () => {
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

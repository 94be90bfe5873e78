/**
 * Seeded against unseeded: the first checkpoint of a random repository, once with ids from the user's index and once
 * with every file read, must be the same checkpoint, to the id. So must the next one. LOOP_LONG multiplies the cases.
 */
import assert from 'node:assert/strict'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { array, asyncProperty, constantFrom, assert as holds, record } from 'fast-check'
import { gitCheckpoints } from '../../../src/checkpoints/git/backend.ts'
import { savedAs, take } from './calls.ts'
import { apply, edits, ignoringEdits } from './edits.ts'
import { type Box, openBox, sh } from './work-tree.ts'

const numRuns = process.env['LOOP_LONG'] ? 400 : 15

const swap = `git config filter.swap.clean 'tr a-m n-z'; git config filter.swap.smudge 'tr n-z a-m'`

/** Things that a user does to a repository. Some fail in some states, as they would for the user. */
const habits = constantFrom(
  'commit more',
  'commit more; git gc -q',
  'git add -A',
  'git add -A; git repack -adq',
  'git stash -uq',
  'git update-index --index-version 4',
  'git update-index --split-index',
  'git update-index --assume-unchanged a',
  'git update-index --skip-worktree b',
  'git sparse-checkout set --no-cone /a/',
  // Git stores a file with CRLF line ends without them, so with another size.
  String.raw`printf 'dos\r\nend\r\n' > b/c/3; git config core.autocrlf true; commit ends; git gc -q; git config --unset core.autocrlf`,
  'git config core.filemode false',
  'git config index.skipHash true; git add -A',
  'rm -f .git/index; git read-tree HEAD; git update-index --refresh',
  `${swap}; echo 'a filter=swap' > .gitattributes; commit filter; git gc -q`,
  `echo '* text=auto eol=crlf' > .gitattributes; commit ends; git gc -q; rm -f a; git checkout -q a`,
  `echo '* ident' > .gitattributes; commit ident; rm -f a; git checkout -q a; rm .gitattributes`,
)

const stories = record({
  first: edits,
  middle: array(record({ edits: ignoringEdits, habit: habits }), { maxLength: 3 }),
  last: edits,
  next: ignoringEdits,
})

it('a checkpoint is the same with and without ids from the index of the user', async () => {
  const found = { stories: 0, seeded: 0 }
  const property = asyncProperty(stories, async ({ first, middle, last, next }) => {
    const at = openBox()
    const plain: Box = { ...at, store: join(at.root, 'plain') }
    sh(at, 'git init -q; mkdir -p a b/c; for name in a/1 a/2 b/c/3 d; do echo "of $name" > $name; done')
    apply(at.tree, first)
    sh(at, 'commit first; git gc -q')
    for (const step of middle) {
      apply(at.tree, step.edits)
      sh(at, `(set +e; ${step.habit}) >/dev/null 2>&1 || true`)
    }
    // Files newer than the index are read in any case: the index is older than the last edits, but not than the rest.
    sh(at, 'sleep 0.03; [ ! -e .git/index ] || touch .git/index')
    apply(at.tree, last)
    const seeded = gitCheckpoints({ ...at, seed: true })
    const unseeded = gitCheckpoints({ ...plain, seed: false })
    assert.deepEqual(facts(await take(seeded, 'iter-001')), facts(await take(unseeded, 'iter-001')))
    // `savedAs` reads the size of each file, so none may be missing in the store.
    assert.equal(savedAs(at), savedAs(plain))
    found.stories += 1
    if (written(at) < written(plain)) found.seeded += 1
    apply(at.tree, next)
    assert.deepEqual(facts(await take(seeded, 'iter-002')), facts(await take(unseeded, 'iter-002')))
  })
  await holds(property, { numRuns })
  // Otherwise nothing was compared.
  assert.ok(found.seeded > found.stories / 4, `${found.seeded} of ${found.stories} stories took ids`)
})

function facts({ tree, skipped }: Awaited<ReturnType<typeof take>>) {
  return { tree, skipped }
}

/** The bytes of packs that belong to the store alone. */
function written({ store }: Box): number {
  const packs = readdirSync(join(store, 'objects/pack')).filter(name => name.endsWith('.pack'))
  const stats = packs.map(name => statSync(join(store, 'objects/pack', name)))
  return stats.filter(({ nlink }) => nlink === 1).reduce((sum, { size }) => sum + size, 0)
}

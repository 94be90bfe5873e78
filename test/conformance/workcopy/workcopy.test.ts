/** Working copies hold every file, share nothing with the tree, and their results are merged back. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import type { WorkCopy } from '../../../src/adapters/workcopies/contract.ts'
import { gitCheckpoints } from '../../../src/checkpoints/git/backend.ts'
import { makeSubvolume, mountBtrfs } from '../checkpoint/btrfs-image.ts'
import { loop, never, restore, take, value } from '../checkpoint/calls.ts'
import { type Box, listing, openBox, repositoryListing, sh, sorted } from '../checkpoint/work-tree.ts'
import { make } from './copy-box.ts'
import { within } from './hands.ts'

const btrfs = mountBtrfs()

const places: Record<string, { open(): Box; how: WorkCopy['how'] | null; skip: string | false }> = {
  'where the tests run': { open: openBox, how: null, skip: false },
  'a btrfs subvolume': {
    open: () => openBox(btrfs.root, makeSubvolume),
    how: 'snapshot',
    skip: btrfs.skip,
  },
  'a directory on btrfs': { open: () => openBox(btrfs.root), how: 'reflink', skip: btrfs.skip },
}

const build = `git init -q; printf 'node_modules/\\n.env\\n' > .gitignore; echo one > a; echo two > b; commit first
  mkdir -p node_modules/m empty; echo m > node_modules/m/m; echo k > .env; chmod 600 .env; echo u > u; echo dirty >> b
  ln -s a link; git config core.hooksPath .hooks`

function filesBelow(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
}

for (const [name, place] of Object.entries(places)) {
  const { skip } = place
  describe(`working copies: ${name}`, () => {
    it('hold everything, share nothing, and are gone when removed', { skip }, async () => {
      const at = place.open()
      sh(at, build)
      const before = sorted(listing(at.tree))
      const repository = sorted(repositoryListing(join(at.tree, '.git')))
      const { all, copy } = await make(at)
      if (place.how) assert.equal(copy.how, place.how)
      assert.deepEqual(sorted(listing(copy.path)), before)
      for (const file of filesBelow(copy.path)) assert.equal(lstatSync(file).nlink, 1, file)
      within(
        copy,
        `echo x > a; echo x > node_modules/m/m; rm .env; git config user.name evil; git checkout -q -b mine; echo h > .git/hooks/h
        git -c user.email=e -c core.hooksPath=/dev/null commit -qam mine; chmod 777 u; rmdir empty`,
      )
      assert.deepEqual(sorted(listing(at.tree)), before)
      assert.deepEqual(sorted(repositoryListing(join(at.tree, '.git'))), repository)
      value(await all.remove(copy))
      assert.ok(!existsSync(copy.path))
    })

    it('come back as a checkpoint and merge with what the tree became', { skip }, async () => {
      const at = place.open()
      sh(at, `${build}; seq 30 > both; mkdir e2`)
      const { all, copy } = await make(at)
      within(
        copy,
        "sed -i 's/^3$/three/' both; echo new > n; chmod +x n; rm u; mkdir -p made/empty; chmod 640 a; rmdir e2",
      )
      sh(at, "sed -i 's/^27$/twenty-seven/' both; echo mine > mine")
      const theirs = value(await all.save(copy, { loop, name: 'one-result', signal: never }))
      const checkpoints = gitCheckpoints(at)
      const ours = await take(checkpoints, 'now')
      const merged = value(await all.merge({ base: copy.base, ours: ours.tree, theirs }))
      assert.deepEqual(merged.conflicts, [])
      await restore(checkpoints, merged.id ?? '', 'before-merge')
      const both = readFileSync(join(at.tree, 'both'), 'utf8')
      assert.ok(both.includes('three') && both.includes('twenty-seven'))
      const found = listing(at.tree)
      assert.deepEqual(
        ['n', 'u', 'mine', 'made/empty/', 'e2/', 'a', '.env'].map(
          path => found.get(path)?.split(' ')[1] ?? null,
        ),
        ['755', null, '644', '755', null, '640', '600'],
      )
    })

    it('changes to the same lines are conflicts, and nothing is applied', { skip }, async () => {
      const at = place.open()
      sh(at, build)
      const { all, copy } = await make(at)
      writeFileSync(join(copy.path, 'a'), 'theirs\n')
      writeFileSync(join(at.tree, 'a'), 'ours\n')
      const theirs = value(await all.save(copy, { loop, name: 'one-result', signal: never }))
      const ours = await take(gitCheckpoints(at), 'now')
      const merged = value(await all.merge({ base: copy.base, ours: ours.tree, theirs }))
      const { marked, ...rest } = merged
      assert.deepEqual(rest, { id: null, conflicts: ['a'], unmarkable: [] })
      const text = execFileSync('git', ['--git-dir', at.store, 'show', `${marked}:a`], { encoding: 'utf8' })
      assert.match(text, /^<{7} .*\nours\n={7}\ntheirs\n>{7} .*\n$/)
      assert.equal(readFileSync(join(at.tree, 'a'), 'utf8'), 'ours\n')
    })
  })
}

describe('working copies of', () => {
  it('a tree with unsavable files: a merge leaves them alone, and files that the user always ignores', async () => {
    const at = openBox()
    const { HOME } = process.env
    process.env['HOME'] = join(at.root, 'home')
    try {
      sh(at, `${build}; mkfifo p; mkdir -p ~/.config/git; echo '*.local' > ~/.config/git/ignore`)
      const { all, copy } = await make(at)
      within(copy, 'echo theirs > a; echo theirs > theirs.local')
      const theirs = value(await all.save(copy, { loop, name: 'one-result', signal: never }))
      const merged = value(await all.merge({ base: copy.base, ours: copy.base, theirs }))
      sh(at, 'rm p; echo now > p; echo ours > ours.local')
      const { left } = await restore(gitCheckpoints(at), merged.id ?? '', 'before-merge')
      assert.deepEqual(left, ['p'])
      const read = (name: string) => readFileSync(join(at.tree, name), 'utf8')
      assert.deepEqual(['a', 'p', 'ours.local'].map(read), ['theirs\n', 'now\n', 'ours\n'])
      assert.ok(!existsSync(join(at.tree, 'theirs.local')))
    } finally {
      if (HOME === undefined) delete process.env['HOME']
      else process.env['HOME'] = HOME
    }
  })

  it('a linked worktree have a repository of their own', async () => {
    const at = openBox()
    sh(
      at,
      'git init -q ../main; (cd ../main; echo a > a; commit first); rmdir "$PWD"; cd ../main; git worktree add -q ../tree',
    )
    const shared = sorted(repositoryListing(join(at.root, 'main/.git')))
    const { copy } = await make(at)
    within(
      copy,
      'git config user.name evil; git -c user.email=e commit -q --allow-empty -m mine; git branch other',
    )
    assert.equal(within(copy, 'git status --porcelain; git rev-parse --abbrev-ref HEAD').trim(), 'tree')
    assert.deepEqual(sorted(repositoryListing(join(at.root, 'main/.git'))), shared)
  })

  it('one tree are several, side by side', async () => {
    const at = openBox()
    sh(at, build)
    const made = await Promise.all(['one', 'two', 'three'].map(name => make(at, { name })))
    const saved = await Promise.all(
      made.map(({ all, copy }, n) => {
        writeFileSync(join(copy.path, `file-${n}`), String(n))
        return all.save(copy, { loop, name: `result-${n}`, signal: never })
      }),
    )
    assert.equal(new Set(saved.map(value)).size, 3)
  })
})

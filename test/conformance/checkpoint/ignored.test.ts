/**
 * Checkpoints with ignored files, if asked for: small files are saved like all others, a large entry is left out whole.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { gitCheckpoints } from '../../../src/checkpoints/git/backend.ts'
import { restore, savedPaths, savedTree, take } from './calls.ts'
import { listing, openBox, sh, sorted } from './work-tree.ts'

describe('git: ignored files too', () => {
  it('saved, changed, restored, undone', async () => {
    const at = openBox()
    sh(
      at,
      `printf '.env\\ndist/\\n*.log\\n' > .gitignore; echo k=1 > .env; chmod 600 .env; mkdir -p dist/deep; echo d > dist/deep/d; echo a > a`,
    )
    const checkpoints = gitCheckpoints({ ...at, ignoredToo: true })
    const saved = sorted(listing(at.tree))
    const { tree, skipped } = await take(checkpoints, 'iter-001')
    assert.deepEqual(skipped, [])
    sh(at, 'echo k=2 > .env; rm -r dist/deep; echo n > dist/n; echo l > x.log; rm a; echo >> .gitignore')
    const present = sorted(listing(at.tree))
    await restore(checkpoints, tree, 'undo')
    assert.deepEqual(sorted(listing(at.tree)), saved)
    await restore(checkpoints, savedTree(at, 'undo'), 'redo')
    assert.deepEqual(sorted(listing(at.tree)), present)
  })

  it('a file or directory that is too large is left out whole, and named', async () => {
    const at = openBox()
    sh(
      at,
      `printf 'big\\nmany/\\n.env\\n' > .gitignore; truncate -s 70M big; mkdir -p many/m; echo k > .env
      seq 5100 | while read n; do : > many/m/$n; done`,
    )
    const checkpoints = gitCheckpoints({ ...at, ignoredToo: true })
    const { tree, skipped } = await take(checkpoints, 'iter-001')
    assert.deepEqual(skipped, ['big', 'many'])
    assert.deepEqual(savedPaths(at, tree), new Set(['.env', '.gitignore']))
  })

  it('a small one is saved, also if the first scan must be repeated', async () => {
    const at = openBox()
    sh(
      at,
      `git init -q; git config core.autocrlf true; echo cache/ > .gitignore; printf 'a\\r\\n' > a; commit all
      git gc -q; mkdir cache; truncate -s 40M cache/large; sleep 0.03; touch .git/index`,
    )
    const { tree, skipped } = await take(gitCheckpoints({ ...at, ignoredToo: true }), 'iter-001')
    assert.deepEqual(skipped, [])
    assert.deepEqual(savedPaths(at, tree), new Set(['.gitignore', 'a', 'cache/large']))
  })

  it('one that was too large is not deleted by a restore once it is small enough', async () => {
    const at = openBox()
    sh(
      at,
      `printf 'big\\nmany/\\n' > .gitignore; truncate -s 70M big; mkdir many; truncate -s 70M many/m; echo p > many/p`,
    )
    const checkpoints = gitCheckpoints({ ...at, ignoredToo: true })
    const { tree, skipped } = await take(checkpoints, 'iter-001')
    sh(at, 'echo b > big; rm many/m; chmod 600 many/p; echo n > n')
    const present = sorted(listing(at.tree))
    const { left } = await restore(checkpoints, tree, 'undo')
    assert.deepEqual(left, skipped)
    assert.deepEqual(
      sorted(listing(at.tree)),
      present.filter(([path]) => path !== 'n'),
    )
    await restore(checkpoints, savedTree(at, 'undo'), 'redo')
    assert.deepEqual(sorted(listing(at.tree)), present)
  })

  it("loop's own files are left out, whichever rule ignores them", async () => {
    for (const ignore of ['', 'echo .loop > .gitignore']) {
      const at = openBox()
      sh(
        at,
        `${ignore}
        mkdir .loop; printf '*\\n!config.yaml\\n' > .loop/.gitignore; echo c > .loop/config.yaml; echo .env >> .gitignore
        echo 1 > .loop/state.json; mkdir .loop/runs; echo m > .loop/runs/m; echo k > .env; echo a > a`,
      )
      const checkpoints = gitCheckpoints({ ...at, ignoredToo: true })
      const { tree, skipped } = await take(checkpoints, 'iter-001')
      assert.deepEqual(skipped, [])
      const paths = savedPaths(at, tree)
      assert.ok(paths.has('.env') && paths.has('a'))
      const own = [...paths].filter(path => path.startsWith('.loop/'))
      assert.deepEqual(own, ignore === '' ? ['.loop/config.yaml'] : [])
      sh(at, 'echo 2 > .loop/state.json; echo b > a')
      await restore(checkpoints, tree, 'undo')
      assert.equal(sh(at, 'cat .loop/state.json a'), '2\na\n')
    }
  })
})

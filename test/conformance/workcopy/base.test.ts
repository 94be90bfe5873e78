/**
 * A copy equals the saved tree it is made from, is found again, is gone when removed, and has repositories of its own.
 */

import assert from 'node:assert/strict'
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { containment } from '../../../src/adapters/process/contain.ts'
import { gitCheckpoints } from '../../../src/checkpoints/git/backend.ts'
import { failureWords } from '../../../src/failures/words.ts'
import { loop, never, restore, take, value } from '../checkpoint/calls.ts'
import { openBox, sh } from '../checkpoint/work-tree.ts'
import { build, copiesOf, make } from './copy-box.ts'
import { filesIn, seenIn, within } from './hands.ts'

/** The files of copies and templates. */
function leftBelow(cache: string): string[] {
  const places = ['copies', 'templates'].map(name => join(cache, name)).filter(path => existsSync(path))
  return places.flatMap(path => readdirSync(path))
}

const mayMount = containment(process.env) !== 'group'

describe('a copy', () => {
  it('is its base, whatever became of the tree', async () => {
    const at = openBox()
    sh(at, `${build}; mkdir empty; chmod 750 src; ln -s a link`)
    const base = (await take(gitCheckpoints(at), 'base')).tree
    const then = filesIn(at.tree)
    sh(
      at,
      'echo later > a; rm untracked; echo new > new; mkdir -p fresh/node_modules; echo f > fresh/node_modules/f; rmdir empty; chmod 755 src; echo untracked >> .gitignore',
    )
    const { all, copy } = await make(at, { base })
    const [sources, seen] = [then, seenIn(copy)].map(lines =>
      lines.filter(line => !line.includes('node_modules')),
    )
    assert.deepEqual(seen, sources)
    assert.equal(value(await all.save(copy, { loop, name: 'one-result', signal: never })), base)
  })

  it('that is asked for again is the same; half of one is made anew', async () => {
    const at = openBox()
    sh(at, build)
    const { all, copy } = await make(at)
    writeFileSync(join(copy.path, 'work'), 'of an agent')
    const asked = { loop, name: 'one', base: copy.base, signal: never }
    assert.deepEqual(value(await all.make(asked)), copy)
    assert.equal(readFileSync(join(copy.path, 'work'), 'utf8'), 'of an agent')
    rmSync(join(copy.path, '../made'))
    value(await all.make(asked))
    assert.ok(!existsSync(join(copy.path, 'work')))
  })

  it('is restored to the end after a kill, though a checkpoint of the tree came between', async () => {
    const at = openBox()
    sh(at, build)
    const { copy } = await make(at)
    const cache = 'snapshot-abc123-one'
    const own = gitCheckpoints({ tree: copy.path, store: at.store, cache, rulesOf: at.tree })
    writeFileSync(join(copy.path, 'a'), 'before\n')
    const before = (await take(own, 'before')).tree
    // The state that a kill leaves.
    const note = JSON.stringify({ loop, tree: copy.base, keepAs: 'before' })
    symlinkSync(note, join(at.store, `restoring-${cache}`))
    writeFileSync(join(copy.path, 'a'), 'half\n')
    await take(gitCheckpoints(at), 'now')
    assert.equal((await restore(own, copy.base, 'before')).kept, before)
    assert.equal(readFileSync(join(copy.path, 'a'), 'utf8'), 'one\n')
  })

  it('that is stopped leaves nothing, at whatever point', async () => {
    const at = openBox()
    sh(at, build)
    const all = copiesOf(at)
    const base = (await take(gitCheckpoints(at), 'base')).tree
    for (const when of ['before', 'by its time', 'while it is copied']) {
      const stop = new AbortController()
      if (when === 'before') stop.abort()
      if (when === 'by its time') stop.abort(new DOMException('too long', 'TimeoutError'))
      const request = { loop, name: 'one', base, signal: stop.signal, progress: () => stop.abort() }
      const made = await all.make(request)
      assert.ok(!made.ok, when)
      assert.match(failureWords(made.failure), /stopped|Copying failed/)
      assert.deepEqual(leftBelow(join(at.root, 'cache')), [], when)
    }
  })

  it('is gone when it is removed, with directories that nobody may enter, half made too', async () => {
    const at = openBox()
    sh(at, build)
    const { all, copy } = await make(at)
    within(
      copy,
      'mkdir -p shut/deep node_modules/shut; echo x > shut/deep/x; chmod 000 shut/deep; chmod 500 shut node_modules/shut',
    )
    rmSync(join(copy.path, '../made'))
    chmodSync(join(copy.path, 'src'), 0o000)
    value(await all.remove({ path: all.pathOf({ loop, name: 'one' }) }))
    assert.deepEqual(readdirSync(join(at.root, 'cache/copies')), [])
  })

  it('of a tree inside a repository commits into a repository of its own', {
    skip: !mayMount && 'no mount namespace here',
  }, async () => {
    const at = openBox()
    sh(at, 'cd ..; git init -q; mkdir tree/src; echo a > tree/a; git add tree; git commit -qm first')
    const before = sh(at, 'git rev-parse HEAD; git status --porcelain -- .')
    const { copy } = await make(at)
    within(
      copy,
      'echo b > a; git -c user.email=e -c user.name=n commit -qam second; git log --format=%s -1; git branch mine',
    )
    assert.equal(within(copy, 'git log --format=%s -1').trim(), 'second')
    assert.equal(sh(at, 'git rev-parse HEAD; git status --porcelain -- .'), before)
    assert.equal(sh(at, 'git branch --list mine'), '')
  })

  it('has the repositories that lie in the tree', async () => {
    const at = openBox()
    sh(
      at,
      `git init -q; mkdir inner; (cd inner; git init -q; echo i > i; commit inner); echo a > a; echo inner/ > .gitignore; commit first
      git init -q ../lib; (cd ../lib; echo l > l; commit lib); git -c protocol.file.allow=always submodule -q add ../lib lib; commit sub`,
    )
    const { copy } = await make(at)
    assert.equal(
      within(copy, 'git -C inner log --format=%s -1; git -C lib log --format=%s -1; git status --porcelain'),
      'inner\nlib\n',
    )
    within(copy, 'cd lib; git -c user.email=e -c user.name=n commit -q --allow-empty -m mine')
    assert.equal(sh(at, 'git -C lib log --format=%s -1').trim(), 'lib')
  })
})

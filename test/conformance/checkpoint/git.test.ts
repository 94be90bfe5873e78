/**
 * The git backend when things go wrong: killed half-way, stopped, no git, a damaged store, files that it may not read
 * or must not delete. Some tests put a script in front of the real `git`.
 */

import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  watch,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import type { Checkpoints } from '../../../src/checkpoints/contract.ts'
import { gitCheckpoints } from '../../../src/checkpoints/git/backend.ts'
import { failureWords } from '../../../src/failures/words.ts'
import type { Result } from '../../../src/model/failure.ts'
import { loop, never, restore, savedTree, take } from './calls.ts'
import { type Box, listing, openBox, sh, sorted } from './work-tree.ts'

const driver = fileURLToPath(new URL('driver.ts', import.meta.url))

function message(result: Result<unknown>): string {
  assert.ok(!result.ok, 'it must fail')
  assert.equal(result.failure.reason, 'step-failed')
  return failureWords(result.failure)
}

/** A backend whose git is a script; `$git` in it is the real one. */
function withGit(at: Box, script: string): Checkpoints {
  const bin = join(at.root, 'bin')
  mkdirSync(bin, { recursive: true })
  const real = sh(at, 'command -v git').trim()
  writeFileSync(join(bin, 'git'), `#!/bin/sh\ngit='${real}'\nroot='${at.root}'\n${script}\n`)
  chmodSync(join(bin, 'git'), 0o755)
  return withPath(`${bin}:${process.env['PATH']}`, () => gitCheckpoints(at))
}

function withPath<T>(path: string, make: () => T): T {
  const before = process.env['PATH'] ?? ''
  process.env['PATH'] = path
  try {
    return make()
  } finally {
    process.env['PATH'] = before
  }
}

describe('git: cut off half-way', () => {
  it('a restore that was cut off is finished by the same call, and can be undone', async () => {
    const at = openBox()
    sh(at, 'seq 200 | while read n; do mkdir -p d$n; echo $n > d$n/f; done; echo "*.log" > .gitignore')
    const { tree } = await take(gitCheckpoints(at), 'iter-001')
    const saved = sorted(listing(at.tree))
    sh(at, 'for d in d*; do echo more >> $d/f; done; rm -r d1 d2; echo "*.tmp" > .gitignore; echo t > x.tmp')
    const present = sorted(listing(at.tree))

    const call = JSON.stringify({ tree: at.tree, store: at.store, restore: tree, keepAs: 'undo' })
    // How many calls are made before the first file is touched depends on how many files were written at the same moment.
    let halfway = present
    for (let killAt = 900; isDeepStrictEqual(halfway, present); killAt += 100) {
      const env = { ...process.env, KILL_AT: String(killAt) }
      assert.equal(spawnSync(process.execPath, [driver, call], { env }).signal, 'SIGKILL')
      halfway = sorted(listing(at.tree))
    }
    assert.notDeepEqual(halfway, saved, 'not all of it was done')
    // The old rules are back already, so files that they do not ignore look new.
    sh(at, 'rm -rf d3; echo "half" > d5/f; echo "*.log" > .gitignore')

    const again = gitCheckpoints(at)
    await restore(again, tree, 'undo')
    const kept = present.filter(([path]) => path === 'x.tmp')
    assert.deepEqual(sorted(listing(at.tree)), [...saved, ...kept])
    await restore(again, savedTree(at, 'undo'), 'redo')
    assert.deepEqual(sorted(listing(at.tree)), present)
  })

  it('half a pack is removed', async () => {
    const at = openBox()
    sh(at, 'echo a > a')
    const { tree } = await take(gitCheckpoints(at), 'iter-001')
    writeFileSync(join(at.store, 'objects/pack/tmp_pack_999999999_1'), 'half')
    const again = await take(gitCheckpoints(at), 'iter-002')
    assert.equal(again.tree, tree)
    assert.ok(!readdirSync(join(at.store, 'objects/pack')).some(name => name.startsWith('tmp_')))
  })

  it('a snapshot that is damaged is not believed', async () => {
    const at = openBox()
    sh(at, 'echo a > a; echo b > b; touch -d 2020-01-01 a b')
    const { tree } = await take(gitCheckpoints(at), 'iter-001')
    const path = join(at.store, 'snapshot')
    const id = sh(at, 'git hash-object a').trim()
    const other = sh(at, 'git hash-object b').trim()
    writeFileSync(path, readFileSync(path, 'utf8').replace(id, other))
    assert.equal((await take(gitCheckpoints(at), 'iter-002')).tree, tree)
    writeFileSync(path, readFileSync(path).subarray(0, 70))
    assert.equal((await take(gitCheckpoints(at), 'iter-003')).tree, tree)
  })

  it('objects that were lost are written again', async () => {
    const at = openBox()
    sh(at, 'echo a > a; echo b > b; touch -d 2020-01-01 a b')
    const { tree } = await take(gitCheckpoints(at), 'iter-001')
    rmSync(join(at.store, 'objects'), { recursive: true })
    const checkpoints = gitCheckpoints(at)
    sh(at, 'echo c > c')
    await take(checkpoints, 'iter-002')
    sh(at, 'rm c')
    assert.equal((await take(checkpoints, 'iter-003')).tree, tree)
    await restore(checkpoints, tree, 'undo')
  })

  it('a hundred checkpoints make fewer packs, and every checkpoint is readable', async () => {
    const at = openBox()
    const checkpoints = gitCheckpoints(at)
    const trees: string[] = []
    for (let n = 0; n < 100; n += 1) {
      writeFileSync(join(at.tree, 'n'), String(n))
      trees.push((await take(checkpoints, `iter-${n}`)).tree)
    }
    const packs = readdirSync(join(at.store, 'objects/pack')).filter(name => name.endsWith('.pack'))
    assert.ok(packs.length < 60, `${packs.length} packs`)
    execFileSync('git', ['--git-dir', at.store, 'fsck', '--strict', '--full'], { stdio: 'pipe' })
    for (const n of [0, 49, 50, 51, 99]) {
      await restore(checkpoints, trees[n] ?? '', 'undo')
      assert.equal(readFileSync(join(at.tree, 'n'), 'utf8'), String(n))
    }
  })

  it('survives a git gc of its store', async () => {
    const at = openBox()
    sh(at, 'echo a > a; mkdir -m 700 d; echo b > d/b')
    const checkpoints = gitCheckpoints(at)
    const { tree } = await take(checkpoints, 'iter-001')
    const saved = sorted(listing(at.tree))
    sh(at, 'rm -r a d')
    await take(checkpoints, 'iter-001-after')
    execFileSync('git', ['--git-dir', at.store, 'gc', '-q', '--prune=now'], { stdio: 'pipe' })
    await restore(checkpoints, tree, 'undo')
    assert.deepEqual(sorted(listing(at.tree)), saved)
  })
})

describe('git: reports', () => {
  it('counts lines and files changed since a tree, binary files without lines', async () => {
    const at = openBox()
    sh(at, "seq 10 > a; echo b > b; printf '\\0x' > bin")
    const checkpoints = gitCheckpoints(at)
    const { tree, changes } = await take(checkpoints, 'iter-001')
    assert.equal(changes, null)
    sh(at, "seq 8 > a; rm b; printf '\\0y' > bin; seq 3 > new; printf 1 > \"$(printf 'n\\nm')\"")
    const second = await take(checkpoints, 'iter-001-after', tree)
    assert.deepEqual(second.changes, { added: 4, removed: 3, files: 5 })
    const third = await take(checkpoints, 'iter-002', second.tree)
    assert.deepEqual(third.changes, { added: 0, removed: 0, files: 0 })
    assert.equal(savedTree(at, 'iter-001-after'), second.tree)
    const changed = { kept: second.tree, written: 3, deleted: 2, left: [] }
    assert.deepEqual(await restore(checkpoints, tree, 'undo'), changed)
  })

  it('names paths that cannot be saved, unless the rules of that moment ignore them', async () => {
    const at = openBox()
    sh(at, 'mkdir -p out/deep; mkfifo out/deep/p; echo out > .gitignore')
    const checkpoints = gitCheckpoints(at)
    assert.deepEqual((await take(checkpoints, 'iter-001')).skipped, [])
    sh(at, 'rm .gitignore')
    assert.deepEqual((await take(checkpoints, 'iter-002')).skipped, ['out/deep/p'])
    sh(at, 'echo deep > out/.gitignore')
    assert.deepEqual((await take(checkpoints, 'iter-003')).skipped, [])
  })

  it('compares a large tree in two threads', async () => {
    const at = openBox()
    sh(at, 'seq 700 | while read n; do mkdir -p d$((n % 9))/$n; echo $n > d$((n % 9))/$n/f; done')
    const saved = sorted(listing(at.tree))
    const checkpoints = gitCheckpoints(at)
    const { tree } = await take(checkpoints, 'iter-001')
    assert.equal((await take(checkpoints, 'iter-002')).tree, tree)
    sh(at, 'for d in d*/*; do echo more >> $d/f; done; rm -r d1 d5/5; mkdir -p d8/new/er; echo n > d8/new/n')
    const present = sorted(listing(at.tree))
    await restore(checkpoints, tree, 'undo')
    assert.deepEqual(sorted(listing(at.tree)), saved)
    await restore(checkpoints, savedTree(at, 'undo'), 'redo')
    assert.deepEqual(sorted(listing(at.tree)), present)
  })

  it('two calls at once take turns', async () => {
    const at = openBox()
    sh(at, 'echo a > a')
    const checkpoints = gitCheckpoints(at)
    const taken = await Promise.all(['a', 'b', 'c'].map(name => take(checkpoints, name)))
    assert.equal(new Set(taken.map(one => one.tree)).size, 1)
  })

  it('stopped: git is gone, no checkpoint, and the next one works', async () => {
    const at = openBox()
    sh(at, 'seq 9 > a')
    const { tree } = await take(gitCheckpoints(at), 'initial')
    sh(at, 'seq 9 | tac > a')
    const checkpoints = withGit(at, ': > "$root/started"; exec sleep 600')
    const stop = new AbortController()
    const watcher = watch(at.root, (_, name) => name === 'started' && stop.abort())
    const stopped = await checkpoints.take({ loop, name: 'iter-001', since: tree, signal: stop.signal })
    watcher.close()
    assert.match(message(stopped), /was stopped; it does not count as done/)
    const before = gitCheckpoints(at).take({ loop, name: 'iter-001', since: null, signal: stop.signal })
    assert.match(message(await before), /was stopped; it does not count as done/)
    assert.deepEqual(readdirSync(join(at.store, 'refs/loop', loop)), ['initial'])
    await take(gitCheckpoints(at), 'iter-001')
  })

  it('a restore that is stopped before it touches anything touches nothing', async () => {
    const at = openBox()
    sh(at, 'echo a > a')
    const checkpoints = gitCheckpoints(at)
    const { tree } = await take(checkpoints, 'iter-001')
    sh(at, 'echo b > a')
    const present = sorted(listing(at.tree))
    const stopped = await checkpoints.restore({ loop, tree, keepAs: 'undo', signal: AbortSignal.abort() })
    assert.match(message(stopped), /was stopped/)
    assert.deepEqual(sorted(listing(at.tree)), present)
  })
})

describe('git: refuses', () => {
  it('a call without git, or with a tree that does not exist', async () => {
    const at = openBox()
    sh(at, 'echo a > a')
    const unknown = '1'.repeat(40)
    const without = withPath('/nonexistent', () => gitCheckpoints(at))
    const request = { loop, name: 'iter-001', signal: never }
    assert.match(
      message(await without.take({ ...request, since: unknown })),
      /git cat-file ended early for .*Is git installed\?/,
    )
    const checkpoints = gitCheckpoints(at)
    assert.match(message(await checkpoints.take({ ...request, since: unknown })), /The checkpoint is gone/)
    assert.match(
      message(await checkpoints.restore({ loop, tree: unknown, keepAs: 'u' })),
      /The checkpoint is gone/,
    )
    assert.match(message(await checkpoints.restore({ loop, tree: '--help', keepAs: 'u' })), /is not the id/)
    assert.ok(!existsSync(join(at.store, 'refs/loop', loop)))
  })

  it('a full disk is a failure, not a smaller checkpoint', async () => {
    const at = openBox()
    sh(at, 'echo a > a')
    const { tree } = await take(gitCheckpoints(at), 'iter-001')
    sh(at, 'head -c 300000 /dev/urandom > big')
    const call = JSON.stringify({ tree: at.tree, store: at.store, take: 'iter-001', since: null })
    const script = 'ulimit -f 100; trap "" XFSZ; exec "$0" "$@"'
    const argv = ['-c', script, process.execPath, driver, call]
    const failed = JSON.parse(execFileSync('sh', argv, { encoding: 'utf8' }))
    assert.match(message(failed), /^Checkpoint iter-001 of .* failed: EFBIG.*It does not count as done/)
    assert.equal(savedTree(at, 'iter-001'), tree)
    await take(gitCheckpoints(at), 'iter-002')
  })

  it('a tree that something else writes to is not called restored', async () => {
    const at = openBox()
    // Large enough that git reads the file instead of loop.
    sh(at, 'head -c 17000000 /dev/zero > a')
    const { tree } = await take(gitCheckpoints(at), 'iter-001')
    sh(at, 'echo b > a')
    const script = '"$git" "$@"; code=$?; [ "$1" != cat-file ] || echo late > "$root/tree/a"; exit $code'
    const disturbed = await withGit(at, script).restore({ loop, tree, keepAs: 'undo' })
    assert.match(message(disturbed), /differs from the checkpoint again in a\. Something is writing to it/)
  })

  it('refuses to delete a repository that is where a file was', async () => {
    const at = openBox()
    sh(at, 'echo f > f; echo a > a')
    const checkpoints = gitCheckpoints(at)
    const { tree } = await take(checkpoints, 'iter-001')
    sh(at, 'rm f a; git init -q f; echo in > f/in; (cd f; commit in)')
    const present = sorted(listing(at.tree))
    const refused = await checkpoints.restore({ loop, tree, keepAs: 'undo' })
    assert.match(message(refused), /would delete f\/\.git, which cannot be saved\. Nothing was changed/)
    assert.deepEqual(sorted(listing(at.tree)), present)
    assert.ok(existsSync(join(at.tree, 'f/.git/HEAD')))
  })
})

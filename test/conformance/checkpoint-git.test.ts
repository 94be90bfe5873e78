/**
 * The git backend when things go wrong: killed half-way, stopped, no git, a damaged index, files it may not
 * read or must not delete. Kills are real: a `git` in front of the real one ends itself where it is told to.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
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
import type { Checkpoints } from '../../src/adapters/checkpoint.ts'
import { gitCheckpoints } from '../../src/adapters/checkpoints/git.ts'
import { exec } from '../../src/adapters/process/exec.ts'
import type { Result } from '../../src/model/failure.ts'
import { loop, never, restore, savedTree, take } from './checkpoint-calls.ts'
import { type Box, listing, openBox, sh, sorted } from './work-tree.ts'

function message(result: Result<unknown>): string {
  assert.ok(!result.ok, 'it must fail')
  assert.equal(result.failure.reason, 'step-failed')
  return result.failure.message
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

describe('git: killed half-way', () => {
  it('a restore that was killed is finished by the same call, and can be undone', async () => {
    const at = openBox()
    sh(at, 'seq 200 | while read n; do mkdir -p d$n; echo $n > d$n/f; done; echo "*.log" > .gitignore')
    const { tree } = await take(gitCheckpoints(at), 'iter-001')
    const saved = sorted(listing(at.tree))
    sh(at, 'for d in d*; do echo more >> $d/f; done; rm -r d1 d2; echo "*.tmp" > .gitignore; echo t > x.tmp')
    const present = sorted(listing(at.tree))

    const script =
      'if [ "$1" = read-tree ]; then timeout -s KILL 0.015 "$git" "$@"; kill -9 $$; fi; exec "$git" "$@"'
    const killed = await withGit(at, script).restore({ loop, tree, keepAs: 'undo' })
    assert.match(message(killed), /^git read-tree failed for .* \(exit SIGKILL\)/)
    // Where the kill was too early or too late, this still makes it half-way, with the rules already back.
    sh(at, 'rm -rf d3; echo 4 > d4/f; echo "half" > d5/f; echo "*.log" > .gitignore')
    writeFileSync(join(at.store, 'index.lock'), 'half an index')

    const again = gitCheckpoints(at)
    await restore(again, tree, 'undo')
    const kept = present.filter(([path]) => path === 'x.tmp')
    assert.deepEqual(sorted(listing(at.tree)), [...saved, ...kept])
    await restore(again, savedTree(at, 'undo'), 'redo')
    assert.deepEqual(sorted(listing(at.tree)), present)
  })

  it('a stale lock and half-written objects are removed', async () => {
    const at = openBox()
    sh(at, 'echo a > a')
    const { tree } = await take(gitCheckpoints(at), 'iter-001')
    writeFileSync(join(at.store, 'index.lock'), '')
    writeFileSync(join(at.store, 'objects/pack/tmp_pack_abc'), 'half')
    const again = await take(gitCheckpoints(at), 'iter-002')
    assert.equal(again.tree, tree)
    assert.ok(!existsSync(join(at.store, 'index.lock')))
    assert.ok(!readdirSync(join(at.store, 'objects/pack')).some(name => name.startsWith('tmp_')))
  })

  it('a lock that a git of ours still holds is waited for', async () => {
    const at = openBox()
    sh(at, 'echo a > a')
    await take(gitCheckpoints(at), 'iter-001')
    const lock = join(at.store, 'index.lock')
    const holder = spawn('sh', ['-c', 'exec 3> "$0"; echo held; read line', lock], { stdio: 'pipe' })
    await once(holder.stdout, 'data')
    let ended = false
    holder.once('exit', () => {
      ended = true
    })
    const second = take(gitCheckpoints(at), 'iter-002').then(() => assert.ok(ended, 'not before it ended'))
    // Long enough for the second one to be done, were it not waiting.
    const other = openBox()
    sh(other, 'echo a > a')
    await take(gitCheckpoints(other), 'iter-001')
    holder.stdin.end('done\n')
    await second
  })

  it('an index that can not be read is made anew', async () => {
    const at = openBox()
    sh(at, 'echo a > a; echo b > b')
    const { tree } = await take(gitCheckpoints(at), 'iter-001')
    writeFileSync(join(at.store, 'index'), readFileSync(join(at.store, 'index')).subarray(0, 70))
    assert.equal((await take(gitCheckpoints(at), 'iter-002')).tree, tree)
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
})

describe('git: what it says', () => {
  it('lines and files changed since a tree, binary files without lines', async () => {
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
    const changed = { kept: second.tree, written: 3, deleted: 2 }
    assert.deepEqual(await restore(checkpoints, tree, 'undo'), changed)
  })

  it('what can not be saved and is not ignored, as the rules are at that moment', async () => {
    const at = openBox()
    sh(at, 'mkdir -p out/deep; mkfifo out/deep/p; echo out > .gitignore')
    const checkpoints = gitCheckpoints(at)
    assert.deepEqual((await take(checkpoints, 'iter-001')).skipped, [])
    sh(at, 'rm .gitignore')
    assert.deepEqual((await take(checkpoints, 'iter-002')).skipped, ['out/deep/p'])
    sh(at, 'echo deep > out/.gitignore')
    assert.deepEqual((await take(checkpoints, 'iter-003')).skipped, [])
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
    sh(at, 'echo a > a')
    const checkpoints = withGit(
      at,
      'if [ "$1" = -c ]; then : > "$root/started"; exec sleep 600; fi; exec "$git" "$@"',
    )
    const stop = new AbortController()
    const watcher = watch(at.root, (_, name) => name === 'started' && stop.abort())
    const stopped = await checkpoints.take({ loop, name: 'iter-001', since: null, signal: stop.signal })
    watcher.close()
    assert.match(message(stopped), /was stopped; nothing of it counts/)
    assert.ok(!existsSync(join(at.store, 'refs/loop', loop)))
    await take(gitCheckpoints(at), 'iter-001')
  })

  it('no git, no such tree to compare with or to restore', async () => {
    const at = openBox()
    sh(at, 'echo a > a')
    const without = withPath('/nonexistent', () => gitCheckpoints(at))
    const request = { loop, name: 'iter-001', signal: never }
    assert.match(
      message(await without.take({ ...request, since: null })),
      /could not be started.*Install git/,
    )
    const checkpoints = gitCheckpoints(at)
    const unknown = '1'.repeat(40)
    assert.match(message(await checkpoints.take({ ...request, since: unknown })), /git diff-tree failed/)
    assert.match(
      message(await checkpoints.restore({ loop, tree: unknown, keepAs: 'u' })),
      /git diff-tree failed/,
    )
    assert.match(message(await checkpoints.restore({ loop, tree: '--help', keepAs: 'u' })), /is not the id/)
    assert.ok(!existsSync(join(at.store, 'refs/loop', loop)))
  })

  it('a disk that takes no more is a failure, not a smaller checkpoint', async () => {
    const at = openBox()
    sh(at, 'echo a > a')
    const { tree } = await take(gitCheckpoints(at), 'iter-001')
    sh(at, 'head -c 300000 /dev/urandom > big')
    const full = withGit(at, 'ulimit -f 100; trap "" XFSZ; exec "$git" "$@"')
    const failed = await full.take({ loop, name: 'iter-001', since: null, signal: never })
    assert.match(message(failed), /^git add failed for .*File too large.*Nothing of it counts/)
    assert.equal(savedTree(at, 'iter-001'), tree)
  })

  it('a file that can be read and yet not be saved is a failure, not a file less', async () => {
    const at = openBox()
    sh(at, 'echo a > a')
    const { tree } = await take(gitCheckpoints(at), 'iter-001')
    sh(at, 'echo b > b; echo c > c')
    const prefix = sh(at, 'git hash-object b').slice(0, 2)
    writeFileSync(join(at.store, 'objects', prefix), 'no place for an object')
    const failed = await gitCheckpoints(at).take({ loop, name: 'iter-001', since: null, signal: never })
    assert.match(message(failed), /^b in .* could not be saved: .*Nothing of it counts/)
    assert.equal(savedTree(at, 'iter-001'), tree)
  })

  it('a tree that something else writes to is not called restored', async () => {
    const at = openBox()
    sh(at, 'echo a > a')
    const { tree } = await take(gitCheckpoints(at), 'iter-001')
    sh(at, 'echo b > a')
    const script = '"$git" "$@"; code=$?; [ "$1" != read-tree ] || echo late > "$root/tree/a"; exit $code'
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
    assert.match(message(refused), /would delete f\/\.git, which can not be saved\. Nothing was changed/)
    assert.deepEqual(sorted(listing(at.tree)), present)
    assert.ok(existsSync(join(at.tree, 'f/.git/HEAD')))
  })
})

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
})

describe('exec', () => {
  const env = { PATH: process.env['PATH'] ?? '' }

  it('gives output, exit code and input', async () => {
    const input = Buffer.from('in')
    const result = await exec({ argv: ['sh', '-c', 'cat; echo err >&2; exit 3'], cwd: '/', env, input })
    const { stdout, stderr, ...rest } = result
    assert.deepEqual([stdout.toString(), stderr.toString()], ['in', 'err\n'])
    assert.deepEqual(rest, { code: 3, signal: null, cut: null })
  })

  it('a program that is not there, or can not be given its arguments, is a value', async () => {
    assert.equal((await exec({ argv: ['no-such-program'], cwd: '/', env })).cut, 'unstartable')
    assert.equal((await exec({ argv: ['sh'], cwd: '/no/such/place', env })).cut, 'unstartable')
    assert.equal((await exec({ argv: ['sh', '\0'], cwd: '/', env })).cut, 'unstartable')
  })

  it('ends what prints too much and what is stopped', async () => {
    const flood = await exec({ argv: ['yes'], cwd: '/', env, maxBytes: 10_000 })
    assert.equal(flood.cut, 'flooded')
    assert.ok(flood.stdout.length <= 10_000)
    const signal = AbortSignal.timeout(20)
    const stopped = await exec({ argv: ['sleep', '600'], cwd: '/', env, signal })
    assert.deepEqual([stopped.cut, stopped.signal], ['stopped', 'SIGTERM'])
    assert.equal((await exec({ argv: ['sleep', '600'], cwd: '/', env, signal })).cut, 'stopped')
  })
})

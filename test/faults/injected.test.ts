/**
 * System calls of `loop` that fail, one in each start, injected by strace: nothing is falsely completed, no run happens
 * twice or unrecorded, nothing hangs, and a recorded loop is resumed to its end. Some cases in `npm test`, more than
 * 325 with LOOP_LONG=1. Not `write`: Node does not survive a failed write to its internal pipes (docs/decisions/0055).
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { marked } from '../rig/daemon.ts'
import { without } from '../rig/needs.ts'
import { type Ended, makeRig, type Rig, readOr, root, startArgs } from '../rig/rig.ts'

const long = process.env['LOOP_LONG'] !== undefined
const some = ['fsync', 'rename', 'symlink', 'unlink']
const others = [
  'pwrite64',
  'linkat',
  'mkdir',
  'openat',
  'read',
  'pread64',
  'statx',
  'ftruncate',
  'getdents64',
]
const calls = long ? [...some, ...others] : some
const errors = ['EIO', 'ENOSPC', 'EMFILE']
const moments = long ? [1, 2, 3, 4, 6, 9, 13, 18, 24, 31, 45, 70, 110, 170] : [2]
const agent = 'echo "$LOOP_RUN" >> "$ASIDE/ledger"; echo "$LOOP_ITERATION" >> work'
const promise = 'test "$(wc -l < work)" -ge 2'
const args = startArgs(agent, promise, '-n', '9', '--no-baseline', '--no-input', '--plain', '--state', 'keep')
const program = join(root, 'dist', 'loop.cjs')
const skip = without('strace')

for (const call of calls)
  test(`${call} fails`, { skip, timeout: 3_600_000 }, async t => {
    const seen = { faults: 0, completed: 0, stopped: 0, aborted: 0, unrecorded: 0 }
    for (const error of long ? errors : errors.slice(0, 1))
      for (const moment of moments) {
        const rig = makeRig(t)
        const trace = join(rig.aside, 'trace')
        const inject = `inject=${call}:error=${error}:when=${moment}`
        const wrap = [
          'timeout',
          '-k',
          '1',
          '90',
          'strace',
          '-f',
          '-qq',
          '-o',
          trace,
          '-e',
          `trace=${call}`,
          '-e',
          inject,
        ]
        // Not bin/loop: a shell takes a script that it cannot read for an empty one.
        const ended = await rig.loop([program, ...args], { wrap, program: process.execPath })
        if (!readOr(trace).includes('(INJECTED)')) break
        seen.faults += 1
        seen[await outcome(rig, ended, `${inject}: ${ended.stderr}`)] += 1
      }
    assert.ok(seen.faults > 0, 'no call was made')
    t.diagnostic(JSON.stringify(seen))
  })

type Outcome = 'completed' | 'stopped' | 'aborted' | 'unrecorded'

async function outcome(rig: Rig, ended: Ended, what: string): Promise<Outcome> {
  assert.ok(![124, 137].includes(ended.code ?? 0), `it hung: ${what}`)
  assert.doesNotMatch(ended.stderr, /Internal error|a bug in loop/, what)
  const [id] = rig.loops()
  if (id === undefined) {
    assert.notEqual(ended.code, 0, what)
    assert.equal(readOr(join(rig.aside, 'ledger')), '', what)
    return 'unrecorded'
  }
  const done = () => rig.events(id).some(({ kind }) => kind === 'loop.completed')
  const isDone = done()
  assert.equal(isDone && !holds(rig), false, `done, and the promise does not hold: ${what}`)
  for (let tries = 0; !done() && tries < 3; tries += 1) {
    const resumed = await rig.loop(['resume', id, '--plain', '--no-input'])
    assert.doesNotMatch(resumed.stderr, /Internal error|a bug in loop/, what)
    if (tries === 2) assert.ok(done(), `${what}\nresumed: ${resumed.stderr}`)
  }
  assert.ok(holds(rig), what)
  const ran = readOr(join(rig.aside, 'ledger')).trim().split('\n').filter(Boolean)
  const recorded = rig
    .events(id)
    .flatMap(event => (event.kind === 'run.started' ? `${id}/runs/${event.data.run}` : []))
  assert.equal(new Set(ran).size, ran.length, `a run happened twice: ${what}`)
  assert.deepEqual(
    ran.filter(run => !recorded.includes(run)),
    [],
    `a run is not recorded: ${what}`,
  )
  assert.deepEqual(marked(id), [], what)
  return isDone ? 'completed' : ended.signal || ended.code === 134 ? 'aborted' : 'stopped'
}

function holds(rig: Rig): boolean {
  return spawnSync('sh', ['-c', promise], { cwd: rig.tree }).status === 0
}

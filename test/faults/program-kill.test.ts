/**
 * `kill -9` of the real program at system calls that change the disk, in a rollback and in a loop with its checkpoints:
 * after `loop resume` the tree is the one before or the one after, never a mixture, and both can be restored. A sample
 * in `npm test`, more than a hundred points with LOOP_LONG=1.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'

import { type Ended, makeRig, type Rig, readOr, startArgs } from '../rig/rig.ts'

const killer = new URL('../conformance/checkpoint/kill-at.ts', import.meta.url).href
const most = process.env['LOOP_LONG'] ? 120 : 5

/** Each file and directory with its mode, each link with its target, each content as a checksum. */
const list = `find . \\( -path ./.git -o -path ./.loop \\) -prune -o -printf '%y %m %p %l\\n' | sort
  find . \\( -path ./.git -o -path ./.loop \\) -prune -o -type f -print0 | sort -z | xargs -0 -r sha256sum`

const build = `git init -q; for n in 1 2 3 4 5 6 7 8; do mkdir -p d$n; echo $n > d$n/f; done; echo k > k; chmod 600 k
  mkdir -p e/e; printf '*.log\\n' > .gitignore; echo l > x.log; ln -s k link; echo f > swap`
const edit = `for n in 1 2 3; do echo more >> d$n/f; done; rm -rf d7 d8; chmod 644 k; rmdir e/e; mkdir -p n/o; echo p > n/o/p
  rm link swap; ln -s f link; mkdir swap; echo in > swap/in; mkdir empty`
/** An agent that edits once; in a second run it writes down the files it finds. */
const agent = `if [ -e "$ASIDE/edited" ]; then (${list}) > "$ASIDE/seen"; else touch "$ASIDE/edited"; ${edit}; fi`

function run(rig: Rig, script: string): string {
  return execFileSync('sh', ['-ec', script], { cwd: rig.tree, env: rig.env, encoding: 'utf8' })
}

/** Runs the program with the killer loaded; `at` 0 only counts the calls. */
function killable(rig: Rig, args: string[], at: number): Promise<Ended> {
  const env = {
    NODE_OPTIONS: `--import ${killer}`,
    KILL_AT: String(at),
    KILL_COUNT: join(rig.aside, 'count'),
  }
  return rig.loop(args, { env })
}

/** Keeps a copy of the whole rig and puts it back at the same paths for each point. */
function keeper(rig: Rig): { keep(): void; putBack(): void } {
  const base = dirname(rig.tree)
  const kept = `${base}-kept`
  const copy = (from: string, to: string) => {
    rmSync(to, { recursive: true, force: true })
    execFileSync('cp', ['-a', from, to])
  }
  rig.atEnd(async () => rmSync(kept, { recursive: true, force: true }))
  return { keep: () => copy(base, kept), putBack: () => copy(kept, base) }
}

function points(rig: Rig): number[] {
  const calls = Number(readOr(join(rig.aside, 'count')))
  assert.ok(calls >= 50, `${calls} calls that change something`)
  const step = Math.max(1, Math.floor(calls / most))
  return Array.from({ length: calls }, (_, n) => n + 1).filter(n => n % step === 0)
}

describe('the program, killed at calls that change something on disk', () => {
  it('in a rollback', { timeout: 7_200_000 }, async t => {
    const rig = makeRig(t)
    run(rig, build)
    const initial = run(rig, list)
    await rig.loop(startArgs(agent, 'false', '-n', '1', '--no-baseline'))
    const ended = run(rig, list)
    const [id = ''] = rig.loops()
    const { keep, putBack } = keeper(rig)
    keep()
    assert.equal((await killable(rig, ['rollback', id, 'initial'], 0)).code, 0)
    assert.equal(run(rig, list), initial)
    let finished = 0
    const chosen = points(rig)
    t.diagnostic(`${chosen.length} points`)
    for (const point of chosen) {
      putBack()
      const killed = await killable(rig, ['rollback', id, 'initial'], point)
      assert.equal(killed.signal, 'SIGKILL', `${point}: ${killed.stderr}`)
      const resumed = await rig.loop(['resume', id, '-n', '2', '--plain'])
      assert.equal(resumed.code, 1, `${point}: ${resumed.stderr}`)
      const seen = readOr(join(rig.aside, 'seen'))
      assert.ok(seen === initial || seen === ended, `${point}: neither before nor after:\n${seen}`)
      finished += seen === initial ? 1 : 0
      if (seen !== initial) continue
      const undone = await rig.loop(['rollback', id, '--undo'])
      assert.equal(undone.code, 0, `${point}: ${undone.stderr}`)
      assert.equal(run(rig, list), ended, `${point}: undone`)
    }
    assert.ok(finished > 0, 'some were killed after the rollback was recorded')
  })

  it('in a loop with its checkpoints', { timeout: 7_200_000 }, async t => {
    const rig = makeRig(t)
    run(rig, build)
    const initial = run(rig, list)
    const { keep, putBack } = keeper(rig)
    keep()
    const args = startArgs(agent, 'test -d empty', '-n', '1')
    assert.equal((await killable(rig, args, 0)).code, 0)
    const ended = run(rig, list)
    const chosen = points(rig)
    let kills = 0
    for (const point of chosen) {
      putBack()
      const killed = await killable(rig, args, point)
      // How often a loop writes while it waits differs from run to run: one may end before a late point.
      if (killed.signal === null) {
        assert.equal(killed.code, 0, `${point}: ${killed.stderr}`)
        continue
      }
      kills += 1
      const [id] = rig.loops()
      const over = id !== undefined && rig.events(id).at(-1)?.kind === 'loop.completed'
      const done = over ? null : await rig.loop(id === undefined ? args : ['resume', id, '--plain'])
      assert.equal(done?.code ?? 0, 0, `${point}: ${done?.stderr}`)
      const loop = rig.loops()[0] ?? ''
      for (const [to, tree] of [
        [['initial'], initial],
        [['1', '--after'], ended],
      ] as const) {
        const rolled = await rig.loop(['rollback', loop, ...to])
        assert.equal(rolled.code, 0, `${point}: ${rolled.stderr}`)
        assert.equal(run(rig, list), tree, `${point}: ${to.join(' ')}`)
      }
    }
    t.diagnostic(`killed at ${kills} of ${chosen.length} points`)
    assert.ok(kills * 2 > chosen.length, 'most points are reached')
  })
})

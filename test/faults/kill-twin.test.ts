/**
 * kill -9 of a process that hosts a twin (test/rig/twin-machine) and its member, at points of either journal and at
 * random moments; then another process takes over: one end, one member, the effect once, every acknowledged fact still
 * there. A few points in `npm test`; all of them and many random moments with LOOP_LONG=1.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { pathsFrom } from '../../src/store/files/paths.ts'
import { openStore } from '../../src/store/sqlite/open.ts'
import { tempDir } from '../rig/given.ts'
import { seeded } from '../rig/seeded.ts'
import { twinId } from '../rig/twin-host.ts'
import { twinFolds } from '../rig/twin-steps.ts'

/** The number of events in complete journals: see the cut test. */
const lengths = { '': 8, 'member/': 19 }
const points = Object.entries(lengths).flatMap(([whose, length]) =>
  Array.from({ length }, (_, i) => i + 1).flatMap(n => [
    `${whose}append:${n}`,
    ...(n > 1 ? [`${whose}append:${n}:before`] : []),
  ]),
)
const long = process.env['LOOP_LONG'] !== undefined
const chosen = long ? points : points.filter((_, i) => i % 15 === 0)

for (const point of [...chosen, 'effect']) {
  test(`killed at ${point}`, async t => {
    const dir = tempDir(t)
    assert.equal(await host(dir, { env: { LOOP_FAULT: point } }), 'SIGKILL', `${point} was not reached`)
    const before = journals(dir)
    assert.equal(await host(dir), 0)
    assertWhole(dir, before, { isLost: point === 'effect' })
  })
}

const rounds = long ? 100 : 2
test(`killed at ${rounds} moments, some of them several times`, async t => {
  const random = seeded(20_261_116)
  const whole = await lifeMs(t)
  for (let round = 0; round < rounds; round += 1) {
    const dir = tempDir(t)
    for (let again = 0; again <= round % 3; again += 1) {
      const killed = await host(dir, { afterMs: whole * (0.3 + random() * 0.7) })
      if (killed === 0) break
    }
    const before = journals(dir)
    assert.equal(await host(dir), 0)
    // A kill between the claim and its effect cannot be seen from outside; the missing effect shows it.
    assertWhole(dir, before, { isLost: !existsSync(join(dir, 'effect-1')) })
  }
})

async function lifeMs(t: TestContext): Promise<number> {
  const began = performance.now()
  assert.equal(await host(tempDir(t)), 0)
  return performance.now() - began
}

type Wish = { env?: NodeJS.ProcessEnv; afterMs?: number }

/** One process from its start to its end: its exit code, or the signal that ended it. */
async function host(dir: string, { env = {}, afterMs }: Wish = {}): Promise<number | string> {
  const program = join(import.meta.dirname, '../rig/twin-host.ts')
  const child = spawn(process.execPath, [program, dir], { env: { ...process.env, ...env }, stdio: 'inherit' })
  const ended = once(child, 'exit')
  if (afterMs !== undefined) {
    await delay(afterMs)
    child.kill('SIGKILL')
  }
  const [code, signal] = await ended
  return code ?? signal
}

type Journal = { kind: string; data: unknown }[]

/** The journal of the twin, then that of its member. */
function journals(dir: string): Journal[] {
  const store = openStore(pathsFrom({ XDG_DATA_HOME: dir }), twinFolds)
  assert.ok(store.ok)
  const ids = [twinId, ...store.value.journals.inGroup(twinId)]
  const read = ids.map(id => store.value.journals.read(id))
  store.value.close()
  return read.map(journal => {
    assert.ok(journal.ok)
    return journal.value.map(({ kind, data }) => ({ kind, data }))
  })
}

function assertWhole(dir: string, before: Journal[], { isLost }: { isLost: boolean }): void {
  const after = journals(dir)
  assert.equal(after.length, 2, 'one member')
  for (const [i, journal] of before.entries()) assert.deepEqual(after[i]?.slice(0, journal.length), journal)
  const [twin = [], member = []] = after
  const of = (journal: Journal, kind: string) => journal.filter(event => event.kind === kind)
  // A host that takes over may compare the tree once more.
  const own = member.filter(({ kind }) => kind !== 'tree.compared')
  assert.deepEqual([twin.length, own.length], Object.values(lengths))
  assert.equal(twin.at(-1)?.kind, 'twin.completed')
  assert.equal(member.at(-1)?.kind, 'loop.completed')
  const marks = existsSync(join(dir, 'effect-1')) ? readFileSync(join(dir, 'effect-1'), 'utf8') : ''
  assert.equal(marks, isLost ? '' : 'once\n')
  const how = isLost ? 'lost' : 'done'
  assert.deepEqual(of(twin, 'effect.settled'), [{ kind: 'effect.settled', data: { attempt: 1, how } }])
  assert.equal(of(member, 'run.started').length, 2)
}

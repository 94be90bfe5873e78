/**
 * kill -9 of `loop` at every kind of moment, then `loop resume`: every acknowledged fact is there once, the agent's
 * runs are neither lost nor repeated, their output is complete, and nothing stays behind. Some points in `npm test`;
 * all of them and many random moments with LOOP_LONG=1.
 */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Recorded } from '../../src/model/loop/event.ts'
import { containments, type Ended, makeRig, type Rig, readOr, startArgs } from '../rig/rig.ts'
import { seeded } from '../rig/seeded.ts'

const iterations = 3
/**
 * The number of events in the complete journal of this loop: created, baseline, initial, seven per iteration, the
 * changes of the last promise, a look at the work alone, the comparison after it, completed. The changes of the last
 * promise and its verdict are one append.
 */
const together = 3 + 7 * iterations + 1
const whole = together + 3
const lines = 300
const agent = [
  'echo "$LOOP_ITERATION" >> "$ASIDE/ledger"',
  `i=0; while [ $i -lt ${lines} ]; do i=$((i+1)); echo "line $i of $LOOP_ITERATION"; done`,
  'sleep 0.05; echo "$LOOP_ITERATION" >> work; echo end >&2',
].join('; ')
const args = startArgs(agent, `test "$(wc -l < work 2>/dev/null)" = ${iterations}`, '--json')

const appends = Array.from({ length: whole }, (_, i) => i + 1)
const points = [
  ...appends.map(n => `append:${n}`),
  ...appends.slice(1).flatMap(n => (n === together ? [] : `append:${n}:before`)),
  ...['spawn', 'spawn:before'].flatMap(point => [1, 2, 3].map(n => `${point}@${n}`)),
  ...[1, 2, 3, 4, 5, 6, 7, 8].map(n => `checkpoint@${n}`),
  ...[1, 2, 3, 4].map(n => `verify@${n}`),
]
const long = process.env['LOOP_LONG'] !== undefined
const chosen = long ? points : points.filter((_, i) => i % 6 === 0)

for (const [index, point] of chosen.entries()) {
  const contain = containments[index % containments.length] ?? ''
  test(`killed at ${point}, contained by ${contain}`, async t => {
    const rig = makeRig(t)
    rig.env['LOOP_CONTAIN'] = contain
    const killed = await rig.loop(args, { env: { LOOP_FAULT: point } })
    assert.equal(killed.signal, 'SIGKILL', `${point} was not reached: ${killed.stderr}`)
    const [id = ''] = rig.loops()
    const before = rig.events(id)
    const [, at, early] = /^append:(\d+)(:before)?/.exec(point) ?? []
    if (at) assert.equal(before.length, recordedAt(Number(at), early !== undefined))
    const resumed = await rig.loop(['resume', id, '--json'])
    assertWhole(rig, { id, before, resumed })
  })
}

/** The number of events recorded when loop is killed: two of them are written together. */
function recordedAt(n: number, isBefore: boolean): number {
  if (isBefore) return n - 1
  return n === together - 1 ? together : n
}

/** Random moments: while the agent runs, inside git, between two instructions. */
const rounds = long ? 150 : 3
test(`killed at ${rounds} moments, some of them several times`, async t => {
  const random = seeded(20_261_115)
  for (let round = 0; round < rounds; round += 1) {
    const rig = makeRig(t)
    const started = rig.spawn(args)
    await delay(100 + random() * 550)
    started.child.kill('SIGKILL')
    const first = await started.ended
    const [id] = rig.loops()
    if (id === undefined || first.signal === null) continue
    let before = rig.events(id)
    for (let again = 0; again < round % 3; again += 1) {
      const resumed = rig.spawn(['resume', id, '--json'])
      await delay(random() * 300)
      resumed.child.kill('SIGKILL')
      await resumed.ended
      const now = rig.events(id)
      assertPrefix(before, now)
      before = now
    }
    if (before.at(-1)?.kind === 'loop.completed') continue
    assertWhole(rig, { id, before, resumed: await rig.loop(['resume', id, '--json']) })
  }
})

function assertWhole(
  rig: Rig,
  { id, before, resumed }: { id: string; before: Recorded[]; resumed: Ended },
): void {
  if (before.some(({ kind }) => kind === 'loop.completed'))
    return assert.equal(resumed.code, 4, 'a completed loop is not resumed')
  assert.equal(resumed.code, 0, resumed.stderr)
  const events = rig.events(id)
  assertPrefix(before, events)
  // A host that finds a verdict of the one before compares the tree with the one it was about.
  assert.equal(events.filter(({ kind }) => kind !== 'tree.compared').length, whole - 1)
  assert.equal(events.filter(({ kind }) => kind === 'loop.completed').length, 1)
  assert.equal(readOr(join(rig.aside, 'ledger')), '1\n2\n3\n')
  assert.equal(readOr(join(rig.tree, 'work')), '1\n2\n3\n')
  for (const event of events) if (event.kind === 'run.ended') assertOutput(rig, id, event.data)
  assert.deepEqual(leftovers(id), [])
}

function assertPrefix(before: Recorded[], after: Recorded[]): void {
  assert.deepEqual(after.slice(0, before.length), before)
}

function assertOutput(
  rig: Rig,
  id: string,
  end: { run: number; out: { path: string; bytes: number } },
): void {
  const text = readFileSync(join(rig.dir(id), end.out.path), 'utf8')
  const expected = Array.from({ length: lines }, (_, i) => `line ${i + 1} of ${end.run}\n`).join('')
  assert.equal(text, expected)
  assert.equal(end.out.bytes, Buffer.byteLength(expected))
}

function leftovers(id: string): string[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .filter(name => readOr(`/proc/${name}/environ`).includes(`LOOP_RUN=${id}/`))
}

/**
 * The cut test of a second machine (test/rig/twin-machine), which does several things at once: its host dies before and
 * after every event of its journal and of its member's, and another host opens both again. There is exactly one clean
 * end, one member, and the effect has happened once. The same with real processes: test/faults/kill-twin.
 */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Kinds } from '../../src/core/machine.ts'
import { record } from '../../src/engine/ask.ts'
import { type Driven, drive } from '../../src/engine/drive.ts'
import { hostJournal, leaveJournal } from '../../src/engine/host.ts'
import type { World } from '../../src/engine/world.ts'
import type { Store } from '../../src/store/contract.ts'
import { cutsOf, hostLife, story } from '../rig/cut.ts'
import { beginTwin, twinId, twinMachines } from '../rig/twin-host.ts'
import { twinFolds } from '../rig/twin-steps.ts'

type Wish = 'cancel' | 'pause'
/** A request of a person once the journal has `at` events, to whichever host it has then. */
type Plan = { wish: Wish | null; at: number }

const undisturbed: Plan = { wish: null, at: 0 }
const plans: [string, Plan][] = [
  ['left alone', undisturbed],
  ...[1, 2, 4, 6].map((at): [string, Plan] => [`cancelled at ${at}`, { wish: 'cancel', at }]),
  ...[1, 3, 5].map((at): [string, Plan] => [`paused at ${at} and resumed`, { wish: 'pause', at }]),
]

for (const [what, plan] of plans) {
  test(`a twin that is ${what}, cut anywhere in either journal, reaches its one end`, async () => {
    const whole = await play(plan, null)
    const cuts = [
      ...cutsOf(whole.events.length),
      ...cutsOf(whole.member.length).map(cut => `member/${cut}`),
      // The last event of the member is not the last of the twin.
      ...(whole.member.length > 0 ? [`member/append:${whole.member.length}`] : []),
      'effect',
    ]
    const some =
      plan === undisturbed || process.env['LOOP_LONG'] ? cuts : cuts.filter((_, i) => i % 3 === plan.at % 3)
    for (const cut of some) {
      const again = await play(plan, cut)
      if (plan === undisturbed) assert.ok(again.hasDied, `nobody died at ${cut}`)
      assert.equal(again.outcome, whole.outcome, `cut at ${cut}`)
      if (plan.wish === 'cancel') continue
      assert.deepEqual(again.member, whole.member, `the member, cut at ${cut}`)
      if (cut === 'effect') continue
      assert.deepEqual(again.strands, whole.strands, `cut at ${cut}`)
    }
  })
}

async function play(plan: Plan, cut: string | null) {
  return story(async (store, dir) => {
    const hasDied = await life(store, { dir, plan, cut })
    await life(store, { dir, plan, cut: null })
    return { hasDied, ...soundEnd(store, dir, { isCut: hasDied && cut === 'effect' }) }
  }, twinFolds)
}

type Life = { dir: string; plan: Plan; cut: string | null }

/** One host from its start to its rest or death. Returns whether it died. */
async function life(store: Store, { dir, plan, cut }: Life): Promise<boolean> {
  const ended = await hostLife(store, { cut, machines: twinMachines(dir) }, async world => {
    const twin = begun(world)
    // The feed brings events of the member too; only those of the twin count.
    world.feed.subscribe(twinId, ({ event }) =>
      askWhenDue({ state: { ...twin.state, seq: event.seq }, asked: twin.asked }, plan),
    )
    askWhenDue(twin, plan)
    do await drive(twin, new AbortController().signal)
    while (isPaused(twin) && record(twin, { kind: 'resume' }).ok)
    leaveJournal(twin)
    return true
  })
  return ended === null
}

function begun(world: World): Driven<Kinds> {
  beginTwin(world)
  const hosted = hostJournal(world, twinId)
  assert.ok(hosted.ok && 'driven' in hosted.value)
  return hosted.value.driven
}

function askWhenDue({ state, asked }: Pick<Driven<Kinds>, 'state' | 'asked'>, { wish, at }: Plan): void {
  if (wish && state.seq === at) asked.push({ kind: wish })
}

function isPaused({ machine, state }: Driven<Kinds>): boolean {
  return machine.summarize(state).status === 'paused'
}

/** Asserts the invariants of a twin and its member at rest; returns the parts that can be compared. */
function soundEnd(store: Store, dir: string, { isCut }: { isCut: boolean }) {
  const read = store.journals.read(twinId)
  assert.ok(read.ok)
  const events = read.value.map(({ kind, data }) => ({
    kind: String(kind),
    data: data as Record<string, unknown>,
  }))
  const of = (kind: string) => events.filter(event => event.kind === kind)
  const outcomes = events.filter(({ kind }) => /^twin\.(completed|cancelled)$/.test(kind))
  assert.equal(outcomes.length, 1, `one end: ${events.map(({ kind }) => kind).join(' ')}`)
  assert.ok(of('effect.started').length <= 1 && of('member.reserved').length <= 1)
  assert.equal(of('effect.settled').length, of('effect.started').length, 'what was begun is settled')
  assertEffect(dir, of('effect.settled')[0]?.data['how'], isCut)
  const members = store.journals.inGroup(twinId)
  assert.ok(members.length <= 1, 'one member at most')
  if (members.length === 1) assert.equal(members[0], of('member.reserved')[0]?.data['member'])
  const kinds = members.flatMap(id => {
    const journal = store.journals.read(id)
    assert.ok(journal.ok)
    // A host that takes over may compare the tree once more.
    return journal.value.map(({ kind }) => kind).filter(kind => kind !== 'tree.compared')
  })
  assert.equal(
    kinds.filter(kind => /^loop\.(completed|failed|crashed|cancelled)$/.test(kind)).length,
    members.length,
  )
  for (const id of [twinId, ...members]) {
    const audit = store.heads.audit(id)
    assert.ok(audit.ok && audit.value.isTrue)
    assert.equal(store.leases.hostOf(id), null)
  }
  return { events, outcome: outcomes[0]?.kind, member: kinds, strands: strandsOf(events) }
}

function assertEffect(dir: string, how: unknown, isCut: boolean): void {
  const file = join(dir, 'effect-1')
  const marks = existsSync(file) ? readFileSync(file, 'utf8') : ''
  if (isCut) assert.deepEqual([marks, how], ['', 'lost'], 'claimed and not caused: nobody causes it again')
  else assert.deepEqual([marks, how], how === undefined ? ['', undefined] : ['once\n', 'done'])
  assert.ok(readdirSync(dir).filter(name => name.startsWith('claim-')).length <= 1)
}

/** Concurrent events have no fixed order, but those of one strand do. The id of the member is random. */
function strandsOf(events: { kind: string; data: object }[]): Record<string, unknown[]> {
  const strands: Record<string, unknown[]> = {}
  for (const { kind, data } of events) {
    const strand = kind.split('.')[0] ?? ''
    strands[strand] = [...(strands[strand] ?? []), kind === 'member.reserved' ? kind : { kind, data }]
  }
  return strands
}

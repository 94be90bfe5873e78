/**
 * Plays a random group (test/rig/group-plan) from its beginning to its rest, with hosts that die where they are told
 * to and a person who does what the plan says; then looks whether all is sound.
 */
import assert from 'node:assert/strict'
import { type GroupKinds, groupMachine } from '../../src/core/group/machine.ts'
import { type GroupState, openGate } from '../../src/core/group/state.ts'
import { type Kinds, replay } from '../../src/core/machine.ts'
import { record } from '../../src/engine/ask.ts'
import { type Driven, drive } from '../../src/engine/drive.ts'
import { createJournal, hostJournal, leaveJournal } from '../../src/engine/host.ts'
import type { World } from '../../src/engine/world.ts'
import type { GroupRecorded } from '../../src/model/group/event.ts'
import type { Recorded } from '../../src/model/loop/event.ts'
import type { Store } from '../../src/store/contract.ts'
import { becomeHost } from '../../src/store/sqlite/lock.ts'
import { worldIn } from './bare-world.ts'
import { story } from './cut.ts'
import { type Ask, answerFor, type GroupPlan, specOf, tree } from './group-plan.ts'
import { type Cut, cutName, Death, mortalStore } from './mortal-store.ts'
import { aLedger, type GroupLedger, groupMachines, remember } from './simulated-group.ts'
import { type Files, filesAt, simulatedCheckpoints, simulatedCopies } from './simulated-tree.ts'
import { assertSound } from './sound-group.ts'

const groupId = 'group1'
/** So that a group whose members can never go on comes to an end; a plan has many that each rest once. */
const mostResumes = { 'best-of': 5, workflow: 5, plan: 60 } satisfies Record<
  GroupPlan['asked']['program'],
  number
>

export function bothSides(appends: Omit<Cut, 'when'>[]): Cut[] {
  return appends.flatMap(at => (['before', 'after'] as const).map(when => ({ ...at, when })))
}

/** What may not differ, however often its hosts died. */
type Told = {
  graph: Record<string, unknown>
  outcome: unknown
  files: Files
  launches: string[]
  hooks: string[]
}

/** One host for each death, then one that dies no more. */
export async function play(plan: GroupPlan, deaths: Cut[]) {
  const ledger = aLedger()
  return story(async store => {
    for (const cut of deaths) await life(store, { plan, ledger, cut })
    const appends = await life(store, { plan, ledger, cut: null })
    const state = stateIn(store)
    assertSound(store, { state, plan, ledger }, `cut ${deaths.map(cutName).join(', ') || 'nowhere'}`)
    const events = eventsOf(store, groupId) as unknown as GroupRecorded[]
    const resumes = events.filter(({ kind }) => kind === 'group.resumed').length
    return { appends, told: toldOf(state, ledger), resumes, spent: ledger.spentAtBudget }
  })
}

function toldOf(state: GroupState, ledger: GroupLedger): Told {
  const graph = Object.fromEntries(
    state.nodes.map(({ node, stage, attempt, end, rested, dropped, advised }) => [
      node.id,
      {
        stage,
        attempt,
        how: end?.how,
        winner: end?.choice?.winner,
        by: end?.choice?.by,
        value: end?.value,
        answer: end?.answer,
        advised,
        rested,
        dropped,
      },
    ]),
  )
  const files = { ...filesAt(ledger.disk, tree) }
  const launches = ledger.launches.toSorted()
  const hooks = [...ledger.hooks].map(([name, times]) => `${name}: ${times}`).sort()
  return { graph, outcome: state.outcome ?? state.hold, files, launches, hooks }
}

type Life = { plan: GroupPlan; ledger: GroupLedger; cut: Cut | null }

let hosts = 0

/** One host from birth to rest or death; does what the person of the plan does. Says what it has appended. */
async function life(store: Store, { plan, ledger, cut }: Life): Promise<Omit<Cut, 'when'>[]> {
  hosts += 1
  ledger.lives += 1
  const mortal = mortalStore(store, cut, namesIn(store))
  const host = becomeHost(store, `host-${hosts}`)
  const machines = groupMachines({ plan, ledger, alive: mortal.alive })
  const world: World = {
    ...worldIn(mortal.store, { host, machines }),
    fault: mortal.fault,
    checkpoints: ({ cwd }) => simulatedCheckpoints(ledger.disk, cwd, mortal.alive),
    copies: path => simulatedCopies(ledger.disk, path, mortal.alive),
  }
  for (const id of store.journals.inGroup(groupId))
    for (const event of eventsOf(store, id)) remember(ledger, event)
  world.feed.subscribe({ of: 'loop' }, ({ event }) => remember(ledger, event))
  try {
    const group = begun(world, plan)
    if (group) await untilRest(group, { plan, ledger })
  } catch (error) {
    if (!(error instanceof Death)) throw error
  } finally {
    host.release()
  }
  return mortal.appends
}

/** Of a journal: a member is named by its node, and which of the members of that node it is. */
function namesIn(store: Store): (id: string) => string {
  const known = new Map([[groupId, 'group']])
  return id => {
    if (!known.has(id))
      for (const event of eventsOf(store, groupId) as unknown as GroupRecorded[])
        if (event.kind === 'node.started' && event.data.member !== null)
          known.set(event.data.member, `${event.data.node}#${event.data.attempt}`)
    return known.get(id) ?? id
  }
}

function eventsOf(store: Store, id: string): Recorded[] {
  const events = store.journals.read(id)
  assert.ok(events.ok)
  return events.value
}

function begun(world: World, plan: GroupPlan): Driven<GroupKinds> | null {
  const { group } = world.machines
  const events = [{ kind: 'group.created' as const, data: { spec: specOf(plan) } }]
  assert.ok(createJournal<GroupKinds>(group, world, { id: groupId, events, host: null }).ok)
  const hosted = hostJournal(world, groupId)
  assert.ok(hosted.ok && 'driven' in hosted.value)
  return isGroup(hosted.value.driven) ? hosted.value.driven : null
}

function isGroup(journal: Driven<Kinds>): journal is Driven<GroupKinds> {
  return journal.machine.kind === 'group'
}

async function untilRest(group: Driven<GroupKinds>, { plan, ledger }: Omit<Life, 'cut'>): Promise<void> {
  const { world } = group
  const seen: GroupRecorded[] = eventsOf(world.store, groupId) as unknown as GroupRecorded[]
  const act = () => {
    for (const [i, ask] of plan.asks.entries()) actWhenDue(ask, i, { group, seen, ledger })
  }
  world.feed.subscribe(groupId, ({ event }) => {
    seen.push(event as unknown as GroupRecorded)
    act()
  })
  act()
  do await drive(group, new AbortController().signal)
  while (goesOn(group, { plan, ledger, seen }))
  leaveJournal(group)
}

type Acting = { group: Driven<GroupKinds>; seen: GroupRecorded[]; ledger: GroupLedger }

/** Once: what was asked of the group is seen in its journal, what was done to the tree is in the ledger. */
function actWhenDue({ what, kind, nth }: Ask, i: number, { group, seen, ledger }: Acting): void {
  const times = kind === 'host' ? ledger.lives : seen.filter(event => event.kind === kind).length
  if (times < nth) return
  if (what === 'pause' || what === 'cancel') {
    if (group.asked.length === 0 && !seen.some(event => answers(event, what)))
      group.asked.push({ kind: what })
    return
  }
  if (ledger.edits.has(i)) return
  ledger.edits.add(i)
  filesAt(ledger.disk, tree)[what === 'edit own' ? 'own' : 'shared'] = 'edited by a person\n'
}

function answers(event: GroupRecorded, what: 'pause' | 'cancel'): boolean {
  if (event.kind === 'command.refused') return event.data.command === what
  if (what === 'cancel') return event.kind === 'cancel.requested'
  return event.kind === 'group.held' && event.data.reason === 'paused-by-user'
}

type Going = Pick<Life, 'plan' | 'ledger'> & { seen: GroupRecorded[] }

function spentBy(store: Store): number {
  const costs = store.journals.inGroup(groupId).map(id => {
    const head = store.heads.get(id)
    assert.ok(head.ok)
    return head.value.costUsd ?? 0
  })
  return costs.reduce((sum, cost) => sum + cost, 0)
}

/** A person answers, and lets it go on; says whether there is more to drive. */
function goesOn(group: Driven<GroupKinds>, { plan, ledger, seen }: Going): boolean {
  const { state, world } = group
  const gate = openGate(state)
  // One more round is theirs to give.
  const failedBy = state.outcome?.kind === 'failed' ? state.outcome.reason : ''
  if (state.outcome && (plan.fragile || !['review-failed', 'gate-failed'].includes(failedBy))) return false
  if (state.hold === 'budget-reached') ledger.spentAtBudget ??= spentBy(world.store)
  if (gate && state.hold === 'unanswered') {
    return record(group, { kind: 'answer', by: 'me', text: answerFor(plan, gate.node) }).ok
  }
  if (seen.filter(({ kind }) => kind === 'group.resumed').length >= mostResumes[plan.asked.program])
    return false
  return record(group, { kind: 'resume', budgetUsd: null }).ok
}

function stateIn(store: Store): GroupState {
  return replay<GroupKinds>(groupMachine, eventsOf(store, groupId) as unknown as GroupRecorded[])
}

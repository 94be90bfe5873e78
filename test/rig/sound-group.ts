/** What must hold of any group at rest, whatever became of its hosts. */
import assert from 'node:assert/strict'
import { type GroupState, isKind, isWell } from '../../src/core/group/state.ts'
import { isOpen } from '../../src/core/loop/summary.ts'
import type { GroupEvent } from '../../src/model/group/event.ts'
import type { Store } from '../../src/store/contract.ts'
import { type GroupPlan, tree } from './group-plan.ts'
import { beginning, type GroupLedger } from './simulated-group.ts'
import { type Files, filesAt } from './simulated-tree.ts'

type Played = { state: GroupState; plan: GroupPlan; ledger: GroupLedger }

export function assertSound(store: Store, played: Played, where: string): void {
  const { state } = played
  const read = store.journals.read(state.id)
  assert.ok(read.ok)
  const events = read.value as unknown as GroupEvent[]
  assertOneEnd(events, state, where)
  assertMembers(store, { state, events }, where)
  assertRuns(played, where)
  assertTree(played, where)
  for (const id of [state.id, ...store.journals.inGroup(state.id)]) {
    const audit = store.heads.audit(id)
    assert.ok(audit.ok && audit.value.isTrue, `the head of ${id}, ${where}`)
    assert.equal(store.leases.hostOf(id), null, `the lease of ${id}, ${where}`)
  }
}

function assertOneEnd(events: GroupEvent[], state: GroupState, where: string): void {
  const told = events.map(({ kind }) => kind).join(' ')
  const ends = events.filter(({ kind }) => /^group\.(completed|failed|cancelled)$/.test(kind))
  const goes = events.filter(({ kind }) => kind === 'group.resumed' || kind === 'pick.asked').length
  assert.ok(ends.length <= goes + 1, `one end, unless somebody let it go on, ${where}: ${told}`)
  assert.ok(state.outcome !== null || state.hold !== null, `it has ended or rests, ${where}: ${told}`)
  if (events.some(({ kind }) => kind === 'cancel.requested'))
    assert.equal(state.outcome?.kind, 'cancelled', `a cancel cancels, ${where}: ${told}`)
  // No step of a simulated group fails: what was only not wanted any more has not failed.
  assert.ok(!events.some(({ kind }) => kind === 'step.failed'), `a step failed, ${where}: ${told}`)
  for (const kind of ['node.ended', 'tree.applied', 'tree.unapplied', 'node.started'] as const)
    assertOnce(events, kind, where)
}

/** Of an apply, it may be merged again where a person has changed the tree; it is written once. */
function assertOnce(events: GroupEvent[], kind: GroupEvent['kind'], where: string): void {
  const seen = new Set<string>()
  let calls = 0
  for (const event of events) {
    // A member that goes on ends once more, and an apply that is begun again is applied again.
    if (event.kind === 'node.called' || event.kind === 'node.reopened' || event.kind === 'node.continued')
      calls += 1
    if (event.kind !== kind || !('node' in event.data)) continue
    const of = `${event.data.node} ${calls}`
    assert.ok(!seen.has(of), `${kind} of ${of} twice, ${where}`)
    seen.add(of)
  }
}

/** Each has its id from the group, and none is left open by a group that has ended. */
function assertMembers(
  store: Store,
  { state, events }: Pick<Played, 'state'> & { events: GroupEvent[] },
  where: string,
): void {
  const named = events.flatMap(event => (event.kind === 'node.started' ? (event.data.member ?? []) : []))
  assert.equal(new Set(named).size, named.length)
  for (const id of store.journals.inGroup(state.id)) {
    assert.ok(named.includes(id), `member ${id} is named by the group, ${where}`)
    const status = store.heads.status(id)
    if (state.outcome?.kind === 'cancelled')
      assert.ok(status && !isOpen(status), `${id} is ${status}, ${where}`)
  }
}

function assertRuns({ ledger, plan, state }: Played, where: string): void {
  for (const [id, { launched }] of ledger.worlds)
    assert.equal(new Set(launched).size, launched.length, `a run of ${id} twice, ${where}`)
  for (const [hook, times] of ledger.hooks) assert.equal(times, 1, `${hook}, ${where}`)
  assert.ok(ledger.mostAtWork <= plan.parallel, `${ledger.mostAtWork} at once, ${where}`)
  assert.equal(ledger.atWork.size, 0, `an agent is left, ${where}`)
  const copies = [...ledger.disk.places.keys()].filter(path => path !== tree)
  if (state.outcome?.kind === 'cancelled') assert.deepEqual(copies, [], `a copy is left, ${where}`)
}

/** What a person changed is there; what is there besides is of one whole result, or of what was before. */
function assertTree({ state, plan, ledger }: Played, where: string): void {
  const files = filesAt(ledger.disk, tree)
  const edited = (what: string) => plan.asks.some((ask, i) => ask.what === what && ledger.edits.has(i))
  const own = edited('edit own') ? 'edited by a person\n' : beginning['own']
  assert.equal(files['own'], own, `a file that only a person changes, ${where}`)
  if (plan.asked.program === 'plan') assertTasksIn(state, files, where)
  if (plan.asked.program !== 'best-of') return
  if (edited('edit shared')) assert.equal(files['shared'], 'edited by a person\n', where)
  const brought = Object.keys(files).filter(path => path.startsWith('by-'))
  assert.deepEqual(brought, state.inTree === null ? [] : [`by-${state.inTree}`], `one result, ${where}`)
  if (state.outcome?.kind === 'completed') assert.notEqual(state.inTree, null, where)
}

/** What every task has made that was brought in, and nothing of any other member. */
function assertTasksIn({ nodes }: GroupState, files: Files, where: string): void {
  const done = nodes.flatMap(one => (isKind(one, 'apply') && isWell(one) ? `by-${one.node.from}` : []))
  const brought = Object.keys(files).filter(path => path.startsWith('by-'))
  const isEarlier = (path: string) =>
    nodes.some(({ node, reopened }) => path === `by-${node.id}` && reopened.length > 0)
  const strange = brought.filter(path => !done.includes(path) && !isEarlier(path))
  assert.deepEqual(strange, [], `a result that was not brought in, ${where}`)
  const missing = done.filter(path => !brought.includes(path))
  assert.deepEqual(missing, [], `a result that is gone, ${where}`)
}

/**
 * The cut test: the host dies before and after every single event of a random loop, another host opens the journal
 * again and drives on. It always reaches the same end as the undisturbed loop, and no agent run happens twice. Real
 * store, real rules, real queue; the world (agents, promises, checkpoints) is simulated, so that thousands of deaths
 * take seconds. The same with the real world: test/faults/kill.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { admit } from '../../src/core/loop/admit.ts'
import type { State } from '../../src/core/loop/state.ts'
import { commit, type Driven, drive } from '../../src/engine/drive.ts'
import { createLoop, hostJournal } from '../../src/engine/host.ts'
import type { World } from '../../src/engine/world.ts'
import type { Event, Recorded } from '../../src/model/loop/event.ts'
import type { Spec } from '../../src/model/loop/spec.ts'
import { verifiedName } from '../../src/model/units.ts'
import type { Store } from '../../src/store/contract.ts'
import { cutsOf, hostLife, someCuts, story } from '../rig/cut.ts'
import { aSpec, simulated } from '../rig/given.ts'
import { emptyLedger, type Ledger, perform, type Script, script } from '../rig/simulated-world.ts'

const long = process.env['LOOP_LONG'] !== undefined

test('a loop cut after any event reaches the one end it would have reached', async () => {
  await fc.assert(
    fc.asyncProperty(script, async plan => {
      const whole = await play(plan, null)
      for (const cut of cutsOf(whole.events.length)) {
        const again = await play(plan, cut)
        assert.deepEqual(told(again.events), told(whole.events), `cut at ${cut}`)
        assert.deepEqual(again.ledger.launched, whole.ledger.launched, `runs, cut at ${cut}`)
        assert.deepEqual(again.ledger.hooked, whole.ledger.hooked, `hooks, cut at ${cut}`)
      }
    }),
    { numRuns: long ? 1_500 : 2, seed: 20_261_115 },
  )
})

const failing = {
  end: 'exited',
  refused: null,
  costUsd: 1,
  exit: 1,
  failing: null,
  forbidden: false,
  rewrites: false,
  steered: null,
} as const

test('a loop that waits for a usage limit, cut anywhere: waits on, and runs the same iteration again', async () => {
  const turns: Script['turns'] = [{ ...failing, refused: 'limit' }, failing, { ...failing, exit: 0 }]
  const quiet = { cancelAt: 0, markAt: 0, confirm: false, forbid: false, fallback: false, protect: false }
  const plan = { turns, baseline: true, maxIterations: 5, budgetUsd: null, ...quiet, hooks: false }
  const limits = { limitBackoffMs: 5, maxWaitMs: 60_000 }
  const slow = await play(plan, null, { ...limits, limitBackoffMs: 300 })
  assert.deepEqual(
    slow.events
      .filter(({ kind }) => /^(run\.started|wait|loop\.completed)/.test(kind))
      .map(({ kind }) => kind),
    [
      'run.started',
      'wait.started',
      'wait.ended',
      'run.started',
      'run.started',
      'run.started',
      'loop.completed',
    ],
  )
  // The wait is so short that on a busy machine it may be over before the loop waits.
  const whole = await play(plan, null, limits)
  for (const cut of someCuts(whole.events.length, 0)) {
    const again = await play(plan, cut, limits)
    assert.deepEqual(withoutWaits(again.events), withoutWaits(whole.events), `cut at ${cut}`)
    assert.deepEqual(again.ledger.launched, whole.ledger.launched, `runs, cut at ${cut}`)
  }
})

test('a promise that changes protected files, cut anywhere: nothing completes before a person has been told', async () => {
  const turns: Script['turns'] = [failing, { ...failing, exit: 0, rewrites: true }]
  const quiet = { cancelAt: 0, markAt: 0, forbid: false, fallback: false, budgetUsd: null, hooks: false }
  for (const confirm of [false, true]) {
    const plan = { turns, baseline: true, maxIterations: 2, ...quiet, confirm, protect: true }
    const whole = await play(plan, null)
    const held = whole.events.find(({ kind }) => kind === 'loop.held' || kind === 'loop.completed')
    assert.deepEqual(held?.data, { reason: 'protected-changed' })
    for (const cut of someCuts(whole.events.length, confirm ? 1 : 0)) {
      const again = await play(plan, cut)
      assert.deepEqual(told(again.events), told(whole.events), `cut at ${cut}`)
    }
  }
})

test('a tree that a person edits while nobody hosts the loop, cut anywhere: it is verified before the end', async () => {
  let ends = 0
  await fc.assert(
    fc.asyncProperty(script, async plan => {
      const quiet = { ...plan, cancelAt: 0, markAt: 0 }
      const whole = await play(quiet, null)
      for (const cut of cutsOf(whole.events.length)) {
        const { events, editedAt } = await play(quiet, cut, { ...noWait, edits: true })
        const end = events.find(({ kind }) => kind === 'loop.completed')
        if (!end || end.seq <= editedAt) continue
        ends += 1
        const verdict = events.findLast(({ kind }) => kind === 'promise.verified')
        assert.ok(verdict && verdict.seq > editedAt, `cut at ${cut}: an old verdict`)
      }
    }),
    { numRuns: long ? 500 : 3, seed: 20_261_117 },
  )
  assert.ok(ends > 10, `only ${ends} of the loops completed after an edit`)
})

/** A host that starts after the end of the limit need not wait. */
function withoutWaits(events: Recorded[]): unknown[] {
  return told(events.filter(({ kind }) => !kind.startsWith('wait.')))
}

/**
 * The events without the parts that may differ: times, the epoch of the host that wrote them, and what a host that takes
 * over looks at before it believes a verdict of the one before.
 */
function told(events: Recorded[]): unknown[] {
  return events
    .filter(({ kind }) => kind !== 'tree.compared')
    .map(({ kind, data }) => ({ kind, data: kind === 'wait.started' ? null : data }))
}

/** A limit is never waited for, so no times are in the story: without a fallback the loop is paused, and resumed. */
const noWait: Partial<Spec> = { limitBackoffMs: 3_600_000, maxWaitMs: 1 }

async function play(
  plan: Script,
  cut: string | null,
  { edits = false, ...limits }: Partial<Spec> & { edits?: boolean } = noWait,
): Promise<{ events: Recorded[]; ledger: Ledger; editedAt: number }> {
  const ledger = emptyLedger()
  return story(async store => {
    const id = await life(store, { plan, ledger, cut, id: null, limits })
    const lived = store.journals.read(id)
    const editedAt = lived.ok ? lived.value.length : 0
    if (edits) ledger.edits += 1
    // An answer may leave work for the next host.
    for (const _ of [1, 2]) await life(store, { plan, ledger, cut: null, id, limits })
    const events = store.journals.read(id)
    assert.ok(events.ok)
    assertSound(events.value, ledger)
    return { events: events.value, ledger, editedAt }
  })
}

type Life = { plan: Script; ledger: Ledger; cut: string | null; id: string | null; limits: Partial<Spec> }

/** One host from its start to its rest or death; resumes a paused loop until nothing is left to resume. */
async function life(store: Store, { plan, ledger, cut, id, limits }: Life): Promise<string> {
  const note = (event: Recorded) => {
    if (event.kind === 'step.failed') ledger.failedOnce.add(event.data.step)
    if (event.kind === 'tree.compared') ledger.compared.add(event.seq)
  }
  const machines = simulated({ perform: async (step, task) => perform(step, task, { plan, ledger }) })
  await hostLife(store, { cut, machines }, async world => {
    world.feed.subscribe({ of: 'loop' }, ({ event }) => note(event))
    const loop = id === null ? created(world, { ...specOf(plan), ...limits }) : hosted(world, id, note)
    for (;;) {
      askWhenDue(loop, { plan, ledger })
      const state = await driveWithCancel(loop, { plan, ledger })
      if (state.turn.outcome || !resume(loop)) return
    }
  })
  assert.ok(store.journals.read(idIn(store)).ok)
  return idIn(store)
}

function created(world: World, spec: Spec): Driven {
  const loop = createLoop(world, { spec, injected: [] })
  assert.ok(loop.ok)
  return loop.value
}

function hosted(world: World, id: string, note: (event: Recorded) => void): Driven {
  const loop = hostJournal(world, id, 'loop')
  assert.ok(loop.ok && 'driven' in loop.value)
  const journal = world.store.journals.read(id)
  assert.ok(journal.ok)
  for (const event of journal.value) note(event)
  return loop.value.driven
}

type Story = Pick<Life, 'plan' | 'ledger'>

/** Requests of a person at fixed places of the story, to whichever host the loop has then. */
function askWhenDue(loop: Driven, { plan, ledger }: Story): void {
  const { turn } = loop.state
  // A host that takes over may compare once more, which moves nothing else.
  const seq = loop.state.seq - ledger.compared.size
  // Not together with a cancel: the order of two concurrent requests is undefined.
  if (plan.cancelAt === 0 && seq === plan.markAt && !turn.outcome) {
    loop.asked.push({ kind: 'checkpoint', name: 'mine' })
  }
  if (plan.cancelAt === 0 || seq < plan.cancelAt || turn.cancelRequested || turn.outcome) return
  if (seq === plan.cancelAt) loop.asked.push({ kind: 'cancel' })
}

async function driveWithCancel(loop: Driven, of: Story): Promise<State> {
  const forget = loop.world.feed.subscribe<'loop'>(loop.state.id, ({ event, state }) => {
    // A look and its verdict are one append, so no request can come between the two.
    const isLook = event.kind === 'checkpoint.taken' && event.data.name === verifiedName(state.work.iteration)
    if (!isLook && event.kind !== 'tree.compared') askWhenDue(loop, of)
  })
  const state = await drive(loop, new AbortController().signal)
  forget()
  return state
}

/**
 * Answers a question, or resumes after a pause unless the budget caused it; returns whether there is more to drive. One
 * at a time: a request that is due after an answer is made before the loop goes on, by this host as by the next.
 */
function resume(loop: Driven): boolean {
  if (loop.state.human.question) {
    const answer = admit(loop.state, {
      kind: 'answer',
      by: 'me',
      text: loop.state.work.iteration < 2 ? 'no' : 'yes',
    })
    if (answer.ok) {
      commit(loop, answer.events, null)
      return true
    }
  }
  const admission = admit(loop.state, { kind: 'resume' })
  const hopeless = ['promise-errors', 'must-not'].includes(loop.state.turn.hold?.reason ?? '')
  if (!admission.ok || hopeless) return false
  commit(loop, admission.events, null)
  return true
}

/** The invariants of any journal at rest. */
function assertSound(events: Recorded[], ledger: Ledger): void {
  const of = (kind: Event['kind']) => events.filter(event => event.kind === kind)
  const outcomes = events.filter(({ kind }) => /^loop\.(completed|failed|crashed|cancelled)$/.test(kind))
  assert.ok(outcomes.length <= 1, 'one end at most')
  const runs = of('run.started').length
  assert.ok(ledger.launched.length <= runs)
  assert.equal(new Set(ledger.launched).size, ledger.launched.length, 'no run twice')
  assert.equal(of('run.ended').length + of('run.lost').length, runs, 'every run has one end')
  assert.equal(of('run.cleared').length, runs, 'nothing of a run is left')
  const calls = outcomes.filter(({ kind }) => kind !== 'loop.cancelled').length
  const hooks = events[0]?.kind === 'loop.created' && events[0].data.spec.hooks ? calls : 0
  assert.equal(of('hook.started').length, hooks, 'a hook for an end that calls for one')
  assert.equal(of('hook.ended').length, hooks, 'every hook has one end')
  assert.equal(new Set(ledger.hooked).size, hooks, 'each is run')
  assert.equal(ledger.hooked.length, hooks, 'no hook twice')
  assertGuarded(events)
}

/** With protected files no verdict is recorded without a look at the promise's changes, and no change is ignored. */
function assertGuarded(events: Recorded[]): void {
  if (events[0]?.kind !== 'loop.created' || !events[0].data.spec.protect) return
  for (const [i, event] of events.entries()) {
    const before = events[i - 1]
    if (event.kind === 'promise.verified') {
      assert.ok(
        before?.kind === 'checkpoint.taken' && before.data.name === verifiedName(event.data.iteration),
      )
    }
  }
  const ends = events.findLastIndex(({ kind }) => kind === 'loop.completed')
  const look = events.findLastIndex(event => event.kind === 'checkpoint.taken' && event.data.touched)
  if (ends === -1 || look === -1) return
  const between = events.slice(look, ends).map(event => event.kind)
  assert.ok(between.includes('loop.held') && between.includes('loop.resumed'), 'a person accepted it')
}

function specOf(plan: Script): Spec {
  const { maxIterations, budgetUsd, baseline, confirm, forbid, fallback, protect } = plan
  const criteria = [{ name: 'c', command: 'c' }, ...(confirm ? [{ name: 'looks right', command: null }] : [])]
  const mustNot = forbid ? { mustNot: [{ name: 'f', command: 'f' }] } : {}
  const fallbacks = fallback ? { fallbacks: [{ agent: 'claude' as const, agentCmd: 'claude' }] } : {}
  const protects = protect ? { protect: ['test/**'] } : {}
  const limits = { maxIterations, budgetUsd, baseline, backoffMs: 0 }
  const hooks = plan.hooks
    ? { hooks: { complete: 'ship', failure: 'clean', timeoutMs: 1_000 }, holdout: 'keep' }
    : {}
  return aSpec({ ...limits, criteria, ...mustNot, ...fallbacks, ...protects, ...hooks })
}

function idIn(store: Store): string {
  return store.journals.ids()[0] ?? ''
}

/** The hook after the end of a loop: for which ends, once each, and what may happen in between. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { admit } from '../../../../../src/core/loop/admit.ts'
import { decide } from '../../../../../src/core/loop/decide.ts'
import { loopMachine } from '../../../../../src/core/loop/machine.ts'
import type { State } from '../../../../../src/core/loop/state.ts'
import { summarize } from '../../../../../src/core/loop/summary.ts'
import { untilRestart, wantsHost } from '../../../../../src/core/queue.ts'
import type { Event } from '../../../../../src/model/loop/event.ts'
import {
  after,
  at,
  cancelled,
  created,
  held,
  hookEnded,
  hookStarted,
  shipped,
  taken,
  unready,
} from '../../../../rig/given.ts'

const hooks = { complete: 'ship', failure: 'clean', timeoutMs: 60_000 }
const completed: Event = { kind: 'loop.completed', data: { ship: shipped } }
const failed: Event = { kind: 'loop.failed', data: { reason: 'iteration-limit', ship: unready } }
const crashed: Event = { kind: 'loop.crashed', data: { reason: 'agent-errors', ship: unready } }
const gone: Event = { kind: 'loop.cancelled', data: { ship: unready } }
const queued = (restart: boolean): Event => ({ kind: 'loop.queued', data: { priority: 'normal', restart } })
const resumed: Event = { kind: 'loop.resumed', data: { maxIterations: 20 } }

const begun = (given: Parameters<typeof created>[0] = { hooks }) => after(created(given), taken('initial'))

/** The wanted step, in short. */
function wanted(state: State): string {
  const decision = decide(state, 5_000_000)
  if (decision.do !== 'step') return decision.do
  const { step } = decision
  return step.kind === 'hook-start' ? `${step.kind} ${step.hook} ${step.on}: ${step.command}` : step.kind
}

test('which ends call for which hook', () => {
  const rows: [string, State, string][] = [
    ['completed', after(begun(), completed), 'hook-start 1 complete: ship'],
    ['failed', after(begun(), failed), 'hook-start 1 failure: clean'],
    ['crashed', after(begun(), crashed), 'hook-start 1 failure: clean'],
    ['cancelled', after(begun(), cancelled, gone), 'rest'],
    ['paused', after(at('boundary'), held()), 'rest'],
    [
      'completed, with a hook for failure only',
      after(begun({ hooks: { failure: 'x', timeoutMs: 1 } }), completed),
      'rest',
    ],
    ['failed without hooks', after(begun({}), failed), 'rest'],
    ['crashed, and started again by loopd', after(begun(), queued(false), crashed), 'rest'],
    [
      'crashed for the last time',
      after(begun(), queued(true), queued(true), queued(true), crashed),
      'hook-start 1 failure: clean',
    ],
  ]
  for (const [what, state, next] of rows) assert.equal(wanted(state), next, what)
})

test('one hook for each end, and no second one for the same', () => {
  const state = after(begun(), failed, hookStarted(1))
  assert.equal(wanted(state), 'hook')
  const done = after(state, hookEnded(1))
  assert.equal(wanted(done), 'rest')
  assert.equal(wanted(after(done, resumed, failed)), 'hook-start 2 failure: clean')
  assert.equal(wanted(after(done, resumed, completed)), 'hook-start 2 complete: ship')
  assert.equal(wanted(after(begun(), failed, hookEnded(1, { how: 'not-run' }))), 'rest', 'not tried for ever')
  assert.equal(wanted(after(begun(), failed, resumed)), 'verify', 'one that was not run is not made up for')
})

test('a rollback that a hook asks for is done while it runs; then it is waited for again', () => {
  const state = after(begun(), failed, hookStarted(1))
  const asked = admit(state, { kind: 'rollback', to: 'initial' })
  assert.ok(asked.ok)
  const rolling = after(state, ...asked.events)
  assert.deepEqual([wanted(rolling), summarize(rolling).holdsTree], ['checkpoint', true])
  const kept = after(rolling, taken('before-rollback-1'))
  assert.equal(wanted(kept), 'restore')
  const back = after(kept, { kind: 'tree.restored', data: { to: 'initial', written: 1, deleted: 0 } })
  assert.deepEqual([wanted(back), summarize(back).holdsTree], ['hook', false])
  assert.equal(summarize(back).status, 'failed')
})

test('a resume while a hook of a dead host still runs waits for its end', () => {
  const state = after(begun(), failed, hookStarted(1), resumed)
  assert.equal(wanted(state), 'hook')
  assert.equal(wanted(after(state, hookEnded(1))), 'verify')
})

test('a completed loop is taken up only while its hook is not over', () => {
  const due = after(begun(), completed)
  assert.deepEqual(admit(due, { kind: 'resume' }), { ok: true, events: [] })
  assert.deepEqual(admit(after(due, hookStarted(1)), { kind: 'resume' }), { ok: true, events: [] })
  const over = admit(after(due, hookStarted(1), hookEnded(1)), { kind: 'resume' })
  assert.deepEqual(over, { ok: false, because: { kind: 'loop-completed' } })
})

test('a cancel after the end stops the hook, or keeps it from being run', () => {
  const cancel = (state: State) => admit(state, { kind: 'cancel' })
  const running = after(begun(), failed, hookStarted(1))
  const stopped = cancel(running)
  assert.deepEqual(stopped, { ok: true, events: [{ kind: 'hook.cancelled', data: {} }] })
  const unwanted = after(running, { kind: 'hook.cancelled', data: {} })
  assert.equal(wanted(unwanted), 'hook-stop')
  assert.equal(wanted(after(begun(), failed, { kind: 'hook.cancelled', data: {} })), 'rest')
  const over = after(running, hookEnded(1))
  assert.deepEqual(cancel(over), { ok: false, because: { kind: 'has-ended', outcome: 'failed' } })
})

test('its row says what runs after the end; the loop has ended, holds no tree and takes no slot', () => {
  const row = (state: State) => {
    const { status, unfinished = false, hook, holdsTree, needsSlot } = summarize(state)
    return [status, unfinished, holdsTree, needsSlot, hook?.how ?? null, hook?.why ?? null]
  }
  const due = after(begun(), failed)
  assert.deepEqual(row(due), ['failed', true, false, false, null, 'not run yet'])
  const running = after(due, hookStarted(1))
  assert.deepEqual(row(running), ['failed', true, false, false, null, 'it runs'])
  const over = after(running, hookEnded(1, { why: 'exit 3', exitCode: 3 }))
  assert.deepEqual(row(over), ['failed', false, false, false, 'exited', 'exit 3'])
  assert.deepEqual(row(after(begun({}), failed)), ['failed', false, false, false, null, null])
})

test('in the background loopd is wanted to run the hook, before a restart of the loop', () => {
  const state = after(begun(), queued(true), queued(true), queued(true), crashed)
  assert.equal(wantsHost(summarize(state)), true)
  assert.equal(untilRestart(summarize(state), 1, 9_000_000), null)
  assert.equal(wantsHost(summarize(after(state, hookStarted(1), hookEnded(1)))), false)
  assert.equal(wantsHost(summarize(after(begun(), crashed))), false, 'one of the foreground is its user’s')
})

test('a host that is to leave may leave a hook that runs, but not a rollback it has asked for', () => {
  const state = after(begun(), failed, hookStarted(1))
  assert.equal(loopMachine.mayLeave(state, [{ kind: 'hook', hook: 1 }]), true)
  const rolling = after(state, {
    kind: 'rollback.requested',
    data: { to: 'initial', tree: 't', keepAs: 'k' },
  })
  assert.equal(loopMachine.mayLeave(rolling, []), false)
})

/**
 * A simulated world for the cut test: agents, promises and checkpoints that do what a random script says, and
 * remember across the deaths of hosts what has really happened, as files and processes do.
 */
import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import type { Step } from '../../src/core/loop/decide.ts'
import { guards, treeOf } from '../../src/core/loop/parts/tree.ts'
import { together } from '../../src/core/loop/parts/trust.ts'
import type { State } from '../../src/core/loop/state.ts'
import { verdictOf } from '../../src/core/loop/verdict.ts'
import type { Task } from '../../src/engine/perform/loop/steps.ts'
import type { Event, EventOf, Verdict } from '../../src/model/loop/event.ts'
import { acceptedName, verifiedName } from '../../src/model/units.ts'
import { aResult, compared } from './given.ts'

/** What happens in one iteration of a random loop. */
export type Turn = {
  end: EventOf<'run.ended'>['data']['how'] | 'lost'
  /** The first run of the iteration is refused: by a limit, or for want of a key. */
  refused: 'limit' | 'auth' | null
  costUsd: number | null
  exit: number
  forbidden: boolean
  /** The promise changes a protected file while it runs. */
  rewrites: boolean
  /** The agent changes what steers the promise: what the promise then says of its sources alone. */
  steered: Verdict | null
  failing: Step['kind'] | null
}

export type Script = {
  turns: Turn[]
  baseline: boolean
  maxIterations: number
  budgetUsd: number | null
  fallback: boolean
  cancelAt: number
  /** A person asks for a checkpoint at this place. */
  markAt: number
  /** A human has to confirm, and says no after the first iteration. */
  confirm: boolean
  forbid: boolean
  protect: boolean
  /** Commands run after the end. */
  hooks: boolean
}

export const turn: fc.Arbitrary<Turn> = fc.record({
  end: fc.constantFrom('exited', 'exited', 'exited', 'exited', 'unstartable', 'killed', 'timeout', 'lost'),
  refused: fc.constantFrom(null, null, null, null, 'limit', 'auth'),
  costUsd: fc.constantFrom(null, 0.5, 2),
  exit: fc.constantFrom(0, 1, 1, 1, 127, 137),
  forbidden: fc.constantFrom(false, false, false, true),
  rewrites: fc.constantFrom(false, false, true),
  steered: fc.constantFrom(null, null, null, 'PASS', 'FAIL', 'ERROR'),
  failing: fc.constantFrom(null, null, null, null, null, 'checkpoint', 'verify', 'prepare'),
})

export const script: fc.Arbitrary<Script> = fc.record({
  turns: fc.array(turn, { minLength: 1, maxLength: 5 }),
  baseline: fc.boolean(),
  maxIterations: fc.integer({ min: 1, max: 5 }),
  budgetUsd: fc.constantFrom(null, 3),
  fallback: fc.boolean(),
  cancelAt: fc.constantFrom(0, 0, 0, 5, 9, 13),
  markAt: fc.constantFrom(0, 0, 3, 6, 10, 14),
  confirm: fc.boolean(),
  forbid: fc.boolean(),
  protect: fc.boolean(),
  hooks: fc.boolean(),
})

/** The world outlives its hosts: which runs were launched, which steps have failed once. */
export type Ledger = {
  launched: number[]
  stopped: number[]
  failedOnce: Set<string>
  /** The first run of each iteration. */
  firstOf: Map<number, number>
  /** The hooks that were launched. */
  hooked: number[]
  /** The places in the journal where a tree was compared with the one of the verdict. */
  compared: Set<number>
  /** How often a person has edited the tree while nobody hosted the loop. */
  edits: number
}

export function emptyLedger(): Ledger {
  return {
    launched: [],
    stopped: [],
    failedOnce: new Set(),
    firstOf: new Map(),
    hooked: [],
    compared: new Set(),
    edits: 0,
  }
}

const none = { path: 'x', bytes: 0, tail: '' }

export function perform(
  step: Step,
  { state }: Task,
  { plan, ledger }: { plan: Script; ledger: Ledger },
): Event[] {
  const now = plan.turns[Math.max(0, state.work.iteration - 1) % plan.turns.length]
  assert.ok(now)
  const name = `${step.kind} ${state.work.iteration} ${state.work.stage}`
  if (now.failing === step.kind && !ledger.failedOnce.has(name)) {
    return [{ kind: 'step.failed', data: { step: name, why: 'disk full' } }]
  }
  switch (step.kind) {
    case 'verify': {
      const verdict = verified(step.iteration, step.iteration === 0 ? { ...now, exit: 1 } : now, state)
      const isLast = step.iteration > 0 && together(verdict.data.results) === 'PASS'
      return isLast || guards(state) ? [looked(step.iteration, now, { state, ledger }), verdict] : [verdict]
    }
    case 'compare':
      return [compared(step.iteration, step.compareWith === treeNow(ledger) ? 0 : 1)]
    case 'look':
      return [lookTaken(step, now)]
    case 'holdout':
      return [
        {
          kind: 'holdout.judged',
          data: { iteration: step.iteration, result: aResult({ name: 'hold-out', verdict: 'PASS' }) },
        },
      ]
    case 'checkpoint':
      return [taken(step.name, ledger)]
    case 'prepare':
      return [
        {
          kind: 'run.started',
          data: {
            run: step.run,
            iteration: step.iteration,
            dir: `runs/${step.run}`,
            boot: 'boot',
            prompt: none,
          },
        },
      ]
    case 'attach':
      return [state.work.run?.identity ? ended(state, now, ledger) : launched(state, ledger)]
    case 'stop':
      return [ended(state, { ...now, end: 'stopped' }, ledger)]
    case 'clear':
      return [{ kind: 'run.cleared', data: { run: state.work.runs, killed: null, suspects: [] } }]
    case 'restore':
      return [{ kind: 'rollback.failed', data: { to: step.to, why: 'not simulated' } }]
    case 'hook-start': {
      const { kind: _, ...due } = step
      return [{ kind: 'hook.started', data: { ...due, dir: `hooks/${due.hook}`, boot: 'boot' } }]
    }
    case 'hook':
      if (!ledger.hooked.includes(step.hook)) ledger.hooked.push(step.hook)
      return [hookEnded(state, 'exited')]
    case 'hook-stop':
      return [hookEnded(state, 'stopped')]
    default:
      return step satisfies never
  }
}

/** What is not proven by the sources is proven by the settings. */
function lookTaken(step: Extract<Step, { kind: 'look' }>, { steered: green }: Turn): Event {
  const { kind: _, ...look } = step
  const red = green === 'FAIL' ? 'PASS' : 'FAIL'
  const verdict = look.which === 'calibrate' ? 'FAIL' : look.which === 'green' ? (green ?? 'PASS') : red
  const isLike = look.which === 'calibrate' && { likeBaseline: true as const }
  return { kind: 'look.taken', data: { ...look, verdict, why: 'simulated', durationMs: 1, ...isLike } }
}

function hookEnded({ hook: { open } }: State, how: 'exited' | 'stopped'): Event {
  assert.ok(open)
  const { hook, on, command } = open
  const facts = { exitCode: how === 'exited' ? 0 : null, durationMs: 1, output: none }
  return { kind: 'hook.ended', data: { hook, on, command, how, why: how, ...facts } }
}

/** As the claim does in the real world: the first to come launches, everybody after only learns who did. */
function launched(state: State, ledger: Ledger): Event {
  if (!ledger.launched.includes(state.work.runs)) ledger.launched.push(state.work.runs)
  if (!ledger.firstOf.has(state.work.iteration)) ledger.firstOf.set(state.work.iteration, state.work.runs)
  const process = { pid: 100 + state.work.runs, start: 1 }
  const identity = {
    shim: process,
    inner: process,
    child: 0,
    boot: 'boot',
    ns: 'ns',
    locked: true,
    verified: true,
  }
  return {
    kind: 'run.launched',
    data: { run: state.work.runs, identity: { ...identity, mode: 'namespace' } },
  }
}

function ended(state: State, { end, costUsd, refused }: Turn, ledger: Ledger): Event {
  if (refused && ledger.firstOf.get(state.work.iteration) === state.work.runs) {
    const why = { limit: { limit: { until: null, why: 'full' } }, auth: { auth: 'no key' } }[refused]
    const facts = { run: state.work.runs, exitCode: 1, durationMs: 1, out: none, err: none, costUsd }
    return { kind: 'run.ended', data: { ...facts, how: end === 'stopped' ? 'stopped' : 'exited', ...why } }
  }
  if (end === 'lost')
    return { kind: 'run.lost', data: { run: state.work.runs, why: 'killed', out: none, err: none } }
  const data = { run: state.work.runs, how: end, exitCode: 0, durationMs: 1, out: none, err: none, costUsd }
  return { kind: 'run.ended', data }
}

function taken(name: string, ledger: Ledger): Event {
  const data = { name, tree: treeNow(ledger), durationMs: 1, skipped: [], changes: null }
  return { kind: 'checkpoint.taken', data }
}

/** The tree changes only by a person, so that a loop that is cut is the same loop. */
function treeNow({ edits }: Ledger): string {
  return `tree-${edits}`
}

type Now = { state: State; ledger: Ledger }

/** What the promise left, in one append with its verdict. */
function looked(iteration: number, { rewrites }: Turn, { state, ledger }: Now): Event {
  const changes = { added: 1, removed: 0, files: 1 }
  const found =
    rewrites && guards(state) ? { changes, paths: ['test/a'], touched: ['test/a'] } : { changes: null }
  const data = { name: verifiedName(iteration), tree: treeNow(ledger), durationMs: 1, skipped: [], ...found }
  return { kind: 'checkpoint.taken', data }
}

const steering = [{ path: 'package.json', kind: 'config', how: 'changed' } as const]

function verified(
  iteration: number,
  { exit, forbidden, steered }: Turn,
  { spec, tree }: State,
): EventOf<'promise.verified'> {
  const verdict = verdictOf({ code: exit, timedOut: false, durationMs: 1 }, spec.verifyTimeoutMs)
  const facts = { exitCode: exit, durationMs: 1, failing: null, output: none }
  const results = spec.criteria.flatMap(({ name, command }) =>
    command === null ? [] : { name, command, ...verdict, ...facts },
  )
  const forbid = forbidden
    ? ({ verdict: 'PASS', why: 'exit 0' } as const)
    : { ...verdict, verdict: 'FAIL' as const }
  const mustNot = spec.mustNot?.map(({ name, command }) => ({ name, command, ...forbid, ...facts }))
  // A person who accepts a tree accepts the settings in it: nothing is compared, or the accepted tree.
  const isAccepted =
    tree.reference === null || treeOf(tree.checkpoints, acceptedName(iteration)) !== undefined
  const isSteered = steered !== null && exit === 0 && iteration > 0 && !isAccepted
  const found = isSteered && { steered: steering }
  return { kind: 'promise.verified', data: { iteration, results, ...(mustNot && { mustNot }), ...found } }
}

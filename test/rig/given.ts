/**
 * The starting points of the unit tests: a spec, results, events in their envelopes, and a state at each stage, all
 * made by the real fold; and a store in memory-backed storage where there is one.
 */
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { groupMachine } from '../../src/core/group/machine.ts'
import { creation } from '../../src/core/loop/assess/assess.ts'
import { begin, evolve, fold } from '../../src/core/loop/evolve.ts'
import { type LoopKinds, loopMachine } from '../../src/core/loop/machine.ts'
import type { Stage } from '../../src/core/loop/parts/work.ts'
import type { State } from '../../src/core/loop/state.ts'
import { summarize } from '../../src/core/loop/summary.ts'
import type { Summary } from '../../src/core/summary.ts'
import type { Machines, Running } from '../../src/engine/machine.ts'
import { inEnvelopes } from '../../src/engine/recorded.ts'
import type { Ship } from '../../src/model/loop/assessment.ts'
import type { Artifact, CriterionResult, Event, EventOf, Recorded } from '../../src/model/loop/event.ts'
import type { HookKind, Spec } from '../../src/model/loop/spec.ts'
import { eventVersion } from '../../src/model/version.ts'
import type { Entry, Store } from '../../src/store/contract.ts'
import { type Paths, pathsFrom } from '../../src/store/files/paths.ts'
import { type Database, openDatabase } from '../../src/store/sqlite/database.ts'
import { openStore, storeOver } from '../../src/store/sqlite/open.ts'

/** The creation time of every loop in these tests. */
export const createdAt = 1_000_000

export const noBytes: Artifact = { path: 'x', bytes: 0, tail: '' }

export function aSpec(given: Partial<Spec> = {}): Spec {
  return {
    prompt: 'add a cart',
    criteria: [{ name: 'npm test', command: 'npm test' }],
    cwd: '/tree',
    agent: 'custom',
    agentCmd: 'my-agent --yes',
    checkpoint: 'git',
    maxIterations: 10,
    budgetUsd: 25,
    timeoutMs: 90_000,
    verifyTimeoutMs: 45_000,
    graceMs: 5_000,
    backoffMs: 2_000,
    maxOutputBytes: 1_000,
    baseline: true,
    ...given,
  }
}

export function aResult(given: Partial<CriterionResult> = {}): CriterionResult {
  return {
    name: 'npm test',
    command: 'npm test',
    verdict: 'FAIL',
    why: 'exit 1',
    exitCode: 1,
    durationMs: 400,
    failing: null,
    output: noBytes,
    ...given,
  }
}

export const pass: Partial<CriterionResult> = { verdict: 'PASS', why: 'exit 0', exitCode: 0 }
export const unjudged: Partial<CriterionResult> = {
  verdict: 'ERROR',
  why: 'exit 127: command not found',
  exitCode: 127,
}

/** An event in its envelope, as the journal gives it. */
export function recorded(event: Event, given: Partial<Recorded> = {}): Recorded {
  const envelope = { v: eventVersion, seq: 1, at: createdAt, loop: 'a1b2c3', epoch: 1, cause: null }
  return { ...envelope, ...event, ...given } as Recorded
}

export function created(given: Partial<Spec> = {}): State {
  return begin(recorded(creation(aSpec(given))))
}

/** The state after more events, each one second after the previous one. */
export function after(state: State, ...events: Event[]): State {
  return events.reduce(
    (now, event) => evolve(now, recorded(event, { seq: now.seq + 1, at: now.lastAt + 1_000 })),
    state,
  )
}

type PartName =
  | 'spec'
  | 'work'
  | 'tree'
  | 'judged'
  | 'human'
  | 'limits'
  | 'turn'
  | 'cost'
  | 'doubts'
  | 'hook'
  | 'assessed'
export type Given = { [K in PartName]?: Partial<State[K]> }

/** A state with some fields changed, where the events that lead to it do not matter. */
export function but(state: State, given: Given): State {
  const parts = (Object.keys(given) as PartName[]).map(name => [name, { ...state[name], ...given[name] }])
  return { ...state, ...Object.fromEntries(parts) }
}

export function verified(iteration: number, ...results: Partial<CriterionResult>[]): Event {
  return { kind: 'promise.verified', data: { iteration, results: results.map(aResult) } }
}

export function taken(name: string, given: Partial<EventOf<'checkpoint.taken'>['data']> = {}): Event {
  const data = { name, tree: `tree-of-${name}`, durationMs: 12, skipped: [], changes: null, ...given }
  return { kind: 'checkpoint.taken', data }
}

/** The tree against the one that the promise left; null: it could not be compared. */
export function compared(iteration: number, files: number | null = 0): Event {
  const changes = files === null ? null : { added: files, removed: 0, files }
  return { kind: 'tree.compared', data: { iteration, changes } }
}

export function lookTaken(which: 'calibrate' | 'green' | 'red', verdict: 'PASS' | 'FAIL'): Event {
  const data = { iteration: 1, which, home: 'fresh', verdict, why: 'x', durationMs: 1 } as const
  return { kind: 'look.taken', data }
}

export function started(run: number, iteration = run): Event {
  return {
    kind: 'run.started',
    data: { run, iteration, dir: `runs/${run}`, boot: 'boot', prompt: noBytes },
  }
}

export function hookStarted(hook: number, on: HookKind = 'failure'): Event {
  return { kind: 'hook.started', data: { hook, on, command: 'clean', dir: `hooks/${hook}`, boot: 'boot' } }
}

export function hookEnded(hook: number, given: Partial<EventOf<'hook.ended'>['data']> = {}): Event {
  const facts = { how: 'exited', why: 'exit 0', exitCode: 0, durationMs: 500, output: noBytes } as const
  return { kind: 'hook.ended', data: { hook, on: 'failure', command: 'clean', ...facts, ...given } }
}

export function launched(run: number): Event {
  const process = { pid: 100 + run, start: 1 }
  const identity = {
    shim: process,
    inner: process,
    child: 2,
    boot: 'boot',
    ns: 'ns',
    locked: true,
    verified: true,
  }
  return { kind: 'run.launched', data: { run, identity: { ...identity, mode: 'namespace' } } }
}

export function ended(run: number, given: Partial<EventOf<'run.ended'>['data']> = {}): Event {
  const data = { run, how: 'exited', exitCode: 0, durationMs: 3_000, out: noBytes, err: noBytes } as const
  return { kind: 'run.ended', data: { ...data, costUsd: null, ...given } }
}

export function lost(run: number, why = 'the agent and its shim were killed from outside'): Event {
  return { kind: 'run.lost', data: { run, why, out: noBytes, err: noBytes } }
}

export function cleared(run: number, given: Partial<EventOf<'run.cleared'>['data']> = {}): Event {
  return { kind: 'run.cleared', data: { run, killed: 0, suspects: [], ...given } }
}

export function held(reason: EventOf<'loop.held'>['data']['reason'] = 'paused-by-user'): Event {
  return { kind: 'loop.held', data: { reason } }
}

/** The ship verdicts that ends are recorded with: no objection, or an unmet promise. */
export const shipped: Ship = { verdict: 'SHIP', against: [] }
export const unready: Ship = { verdict: 'RESEARCH', against: ['unmet'] }

export const completed: Event = { kind: 'loop.completed', data: { ship: shipped } }
export const failed: Event = { kind: 'loop.failed', data: { reason: 'iteration-limit', ship: unready } }
export const cancelled: Event = { kind: 'cancel.requested', data: {} }
export const broken: Event = { kind: 'step.failed', data: { step: 'checkpoint iter-001', why: 'disk full' } }
export const survived: Event = {
  kind: 'run.survived',
  data: { run: 1, alive: [{ pid: 7, command: 'sleep' }] },
}

/** The events of the first iteration, by the stage they lead to. */
const road: [Stage, Event | null][] = [
  ['baseline', null],
  ['initial', verified(0, {})],
  ['boundary', taken('initial')],
  ['saved', taken('iter-001')],
  ['running', started(1)],
  ['ended', ended(1)],
  ['cleared', cleared(1)],
  ['settled', taken('iter-001-after')],
]

export const stages: readonly Stage[] = road.map(([stage]) => stage)

/** A loop in its first iteration, at the stage given. */
export function at(stage: Stage, given: Partial<Spec> = {}): State {
  const events = road.slice(1, stages.indexOf(stage) + 1).flatMap(([, event]) => event ?? [])
  const state = after(created(given), ...events)
  assert.equal(state.work.stage, stage)
  return state
}

/** One whole iteration after a boundary, with the verdict given. */
export function wholeIteration(
  n: number,
  verdict: Partial<CriterionResult> = {},
  end: Event = ended(n),
): Event[] {
  const name = `iter-${String(n).padStart(3, '0')}`
  return [taken(name), started(n), end, cleared(n), taken(`${name}-after`), verified(n, verdict)]
}

/** A loop up to the end of its first iteration. */
export const story = [verified(0, {}), taken('initial'), ...wholeIteration(1, {}, ended(1, { costUsd: 1.5 }))]

const base = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

export function tempDir(t: Pick<TestContext, 'after'>): string {
  const dir = mkdtempSync(join(base, 'loop-unit-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

export function tempPaths(t: Pick<TestContext, 'after'>): Paths {
  return pathsFrom({ XDG_DATA_HOME: tempDir(t) })
}

export function tempStore(t: Pick<TestContext, 'after'>): Store {
  const opened = openStore(tempPaths(t))
  assert.ok(opened.ok)
  t.after(() => opened.value.close())
  return opened.value
}

/** The same with its database connection, for tests that damage it. */
export function tempDatabase(t: Pick<TestContext, 'after'>): { store: Store; database: Database } {
  const opened = openDatabase(tempPaths(t))
  assert.ok(opened.ok)
  const store = storeOver(opened.value)
  t.after(() => store.close())
  return { store, database: opened.value }
}

export type Loop = { id: string; spec?: Partial<Spec>; events?: Event[]; at?: number; epoch?: number }

/** Writes a loop into a store as an engine would, one event at a time; returns its last state. Trees can overlap. */
export function writeLoop(store: Store, loop: Loop): State {
  const { id, epoch = 1, at: begun = createdAt } = loop
  const events = inEnvelopes<LoopKinds>(loopMachine, [creation(aSpec(loop.spec))], {
    after: 0,
    at: begun,
    loop: id,
    epoch,
    cause: null,
  })
  let state = fold(events)
  const beginning = { events, summary: summarize(state), host: 'nobody', evenIfTreeBusy: true }
  assert.ok(store.journals.create(beginning).ok)
  for (const [i, event] of (loop.events ?? []).entries()) {
    const entry = nextEntry(state, event, { epoch, at: begun + 1 + i })
    assert.ok(store.journals.append({ ...entry, evenIfTreeBusy: true }).ok)
    state = (entry.events as Recorded[]).reduce(evolve, state)
  }
  return state
}

/** The next events of a loop that is written, by a host of the epoch given. */
export function nextEntry(
  state: State,
  event: Event | Event[],
  {
    epoch = 1,
    at: when = state.lastAt + 1,
    cause = null,
  }: Partial<Record<'epoch' | 'at', number>> & {
    cause?: string | null
  } = {},
): Entry & { summary: Summary } {
  const of = { after: state.seq, at: when, loop: state.id, epoch, cause }
  const events = inEnvelopes<LoopKinds>(loopMachine, [event].flat(), of)
  return { epoch, after: state.seq, events, cause, summary: summarize(events.reduce(evolve, state)) }
}

/** The machine of loops with effects supplied by the test. */
export function simulated(hands: Pick<Running<LoopKinds>, 'perform'>): Machines {
  const group = { ...groupMachine, perform: async () => [], project: () => {} }
  return { loop: { ...loopMachine, ...hands, project: () => {} }, group }
}

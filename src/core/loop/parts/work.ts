/**
 * How far the work of a loop has come: its iterations, and the run of the agent. Records and never judges.
 * `stage` says where the current iteration is:
 *
 *   baseline ─▶ initial ─▶ boundary ─▶ saved ─▶ running ─▶ ended ─▶ cleared ─▶ settled ─┐
 *                             ▲                                                          │ verified
 *                             └──────────────────────────────────────────────────────────┘
 *
 * A run that met a usage limit, or that was not allowed to use its model, leads from ended back to saved: the
 * same iteration is run again.
 */
import type { AgentName } from '../../../model/agent.ts'
import type { Artifact, EventOf, Process } from '../../../model/loop/event.ts'
import type { RefusedHost } from '../../../model/loop/network.ts'
import type { Spec } from '../../../model/loop/spec.ts'
import type { RunIdentity } from '../../../model/run.ts'
import type { State } from '../state.ts'
import { type On, onResume, part, type RecordedOf } from './part.ts'
import { isAboutAnotherTree, purposeOf } from './tree.ts'

export type Stage =
  | 'baseline' // the promise has not been run yet
  | 'initial' // the tree has not been saved yet
  | 'boundary' // between iterations
  | 'saved' // iter-N is taken, the agent may run
  | 'running' // run.started is recorded; the run may or may not be launched
  | 'ended' // the agent ended; some of its processes may be alive
  | 'cleared' // nothing of the run is alive
  | 'settled' // what the iteration left is saved; it may be verified

export type Run = {
  run: number
  iteration: number
  dir: string
  boot: string
  prompt: Artifact
  session?: string | undefined
  /** The wall-clock timeout at the start of the run. */
  timeoutMs: number
  /** Null until the run is known to be launched. */
  identity: RunIdentity | null
  end: EventOf<'run.ended'>['data'] | EventOf<'run.lost'>['data'] | null
  survivors: Process[]
}

export type WorkPart = {
  stage: Stage
  iteration: number
  run: Run | null
  runs: number
  /** The agent that runs or ran last: one of the spec's chain. */
  agent: AgentName
  /** All agents that have run, in the order of their first runs. */
  ran: AgentName[]
}

export const workPart = part(
  ({ baseline, agent }: Spec): WorkPart => ({
    stage: baseline ? 'baseline' : 'initial',
    iteration: 0,
    run: null,
    runs: 0,
    agent,
    ran: [],
  }),
  {
    'promise.verified': (_, { data }) => ({ stage: data.iteration === 0 ? 'initial' : 'boundary' }),
    'checkpoint.taken': saved,
    'session.claimed': ({ stage }) => (stage === 'saved' ? { stage: 'cleared' } : null),
    'run.started': ({ agent, ran }, { data }, { spec: { timeoutMs } }) => ({
      stage: 'running',
      runs: data.run,
      agent: data.agent ?? agent,
      ran: [...new Set([...ran, data.agent ?? agent])],
      run: { ...data, timeoutMs, identity: null, end: null, survivors: [] },
    }),
    'run.launched': ({ run }, { data }) => run && { run: { ...run, identity: data.identity } },
    'run.ended': ended,
    'run.lost': ended,
    'run.cleared': work => ({ stage: afterRun(work), ...forgetSurvivors(work) }),
    'run.survived': ({ run }, { data }) => run && { run: { ...run, survivors: data.alive } },
    'agent.switched': (_, { data }) => ({ agent: data.to }),
    'cancel.requested': forgetSurvivors,
    ...onResume(goesOn),
    'loop.resumed': (work, { data }, before) => ({
      ...goesOn(work, before),
      ...(data.agent && { agent: data.agent.agent }),
    }),
  } satisfies On<WorkPart>,
)

function saved(
  { stage, iteration }: WorkPart,
  { data }: RecordedOf<'checkpoint.taken'>,
  before: State,
): Partial<WorkPart> | null {
  switch (purposeOf(before, data.name)) {
    case 'first':
      return { stage: 'boundary' }
    case 'iteration':
      return { stage: 'saved', iteration: iteration + 1 }
    case 'after':
      return { stage: 'settled' }
    case 'reference':
      return stage === 'initial' && isAboutAnotherTree(before, data.tree) ? { stage: 'baseline' } : null
    default:
      return null
  }
}

function ended({ run }: WorkPart, { data }: RecordedOf<'run.ended' | 'run.lost'>): Partial<WorkPart> {
  return { stage: 'ended', ...(run && { run: { ...run, end: data } }) }
}

/** A refused run is not an iteration: the next run repeats the same iteration from the same checkpoint. */
function afterRun({ run }: WorkPart): Stage {
  return run?.end && wasRefused(run.end) ? 'saved' : 'cleared'
}

function goesOn(work: WorkPart, before: State): Partial<WorkPart> {
  return { ...forgetSurvivors(work), ...judgedAnew(before) }
}

/** After a resume, loop looks again for surviving processes. */
function forgetSurvivors({ run }: WorkPart): Partial<WorkPart> | null {
  return run && { run: { ...run, survivors: [] } }
}

/** The cause of the stop may have been repaired, so the promise runs before anything else. */
function judgedAnew({ turn: { outcome, hold }, work: { iteration } }: State): Partial<WorkPart> {
  if (outcome?.kind === 'failed' && outcome.reason === 'promise-unrunnable') return { stage: 'baseline' }
  if (outcome || hold?.reason !== 'must-not') return {}
  return { stage: iteration === 0 ? 'baseline' : 'settled' }
}

/** Tells whether a run did no work because the agent was refused, by a usage limit or for lack of a key. */
export function wasRefused(end: NonNullable<Run['end']>): boolean {
  return 'how' in end && end.how !== 'stopped' && (end.limit !== undefined || end.auth !== undefined)
}

/** The hosts that the sandbox refused to the agent and to the promise, and how often. */

export type RefusedPart = { hosts: Record<string, number> }

/** A loop of many iterations can ask for ever more hosts. */
const mostHosts = 50

export const refusedPart = part((): RefusedPart => ({ hosts: {} }), {
  'run.ended': ({ hosts }, { data }) => withMore(hosts, data.refused),
  'promise.verified': ({ hosts }, { data: { results, mustNot = [] } }) =>
    withMore(
      hosts,
      [...results, ...mustNot].flatMap(({ refused = [] }) => refused),
    ),
} satisfies On<RefusedPart>)

function withMore(before: RefusedPart['hosts'], refused: readonly RefusedHost[] = []): RefusedPart | null {
  if (refused.length === 0) return null
  const hosts = { ...before }
  for (const { host, times } of refused) hosts[host] = (hosts[host] ?? 0) + times
  return { hosts: Object.fromEntries(Object.entries(hosts).slice(0, mostHosts)) }
}

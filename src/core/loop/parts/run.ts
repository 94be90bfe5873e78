/**
 * The part of evolve that is about agent runs: how one begins and ends, and what is left of it. Records and
 * never judges, as evolve does.
 */
import type { EventOf } from '../../../model/loop/event.ts'
import { isAgentError, type Run, type Stage, type State, wasRefused } from '../state.ts'

export function started(state: State, data: EventOf<'run.started'>['data']): Partial<State> {
  return {
    stage: 'running',
    runs: data.run,
    agent: data.agent ?? state.agent,
    // One that came while the prompt was being written waits for the next.
    injected: state.injected.slice(data.injected ?? 0),
    run: { ...data, identity: null, end: null, survivors: [] },
    // What a human said was said of the tree as it was.
    confirmed: {},
    question: null,
    declined: false,
    finalDue: false,
    edited: null,
    barred: null,
    asks: null,
    touched: [],
  }
}

/**
 * As after a run of an agent: what is there is saved, and judged. A human's word was on the tree as it was; what
 * the session was to be told, it has been told, or is with the answer to this claim.
 */
export function claimed(state: State): Partial<State> {
  const judged = {
    confirmed: {},
    question: null,
    declined: false,
    finalDue: false,
    touched: [],
    injected: [],
  }
  return state.stage === 'saved' ? { stage: 'cleared', ...judged } : {}
}

export function ended(state: State, end: NonNullable<Run['end']>, at: number): Partial<State> {
  const told = 'how' in end ? end : null
  const cost = told?.costUsd ?? null
  const errors = { agentErrorsInRow: state.agentErrorsInRow, waitedFor: state.waitedFor }
  const counted = isAgentError(end)
    ? { ...errors, agentErrorsInRow: state.agentErrorsInRow + 1 }
    : { agentErrorsInRow: 0, waitedFor: 0 }
  return {
    stage: 'ended',
    ...(state.run && { run: { ...state.run, end } }),
    costUsd: cost === null ? state.costUsd : (state.costUsd ?? 0) + cost,
    costEstimated: state.costEstimated || Boolean(told?.estimated),
    sessions: sessionsAfter(state, told),
    edited: told?.edited ?? null,
    // A run that was not let work says nothing of whether the agent is sound.
    ...(wasRefused(end) ? errors : counted),
    limited: limitsAfter(state, told, at),
    barred: told?.auth ?? null,
    asks: told?.question ?? null,
  }
}

/** A session in which a run failed may be the cause of it: the next run begins anew. */
function sessionsAfter(state: State, told: EventOf<'run.ended'>['data'] | null): State['sessions'] {
  const { [state.agent]: before, ...others } = state.sessions
  const session = told?.session ?? before
  return session && told?.failed === undefined ? { ...others, [state.agent]: session } : others
}

function limitsAfter(state: State, told: EventOf<'run.ended'>['data'] | null, at: number): State['limited'] {
  const { [state.agent]: before, ...others } = state.limited
  if (!told?.limit) return others
  return { ...others, [state.agent]: { ...told.limit, at, inRow: (before?.inRow ?? 0) + 1 } }
}

/** A run that was refused is no iteration: the next run is of the same one, from the same checkpoint. */
export function afterRun({ run }: State): Stage {
  return run?.end && wasRefused(run.end) ? 'saved' : 'cleared'
}

export function waited(state: State, at: number): Partial<State> {
  const { wait } = state
  if (wait?.for !== 'usage-limit') return { wait: null, waitedFor: state.agentErrorsInRow }
  // Not what a clock says that was set meanwhile, in either direction.
  const waitedMs = Math.min(Math.max(0, at - wait.since), wait.until - wait.since)
  return { wait: null, limitWaitMs: state.limitWaitMs + waitedMs }
}

/**
 * decide(state, now): what happens next. Judges and never records; works from state alone, so that restarting
 * is replaying and asking again. Every way a loop can stop is in this file.
 */
import type { AgentName } from '../../model/agent.ts'
import type { Event, EventOf } from '../../model/loop/event.ts'
import { acceptedName, checkpointName } from '../../model/units.ts'
import { hasTripped } from './breaker.ts'
import { canBeAsked, commandsPass, hasAssumption, openQuestion, unmetNames } from './criteria.ts'
import { type DueHook, dueHook } from './parts/hook.ts'
import { guards, treeOf } from './parts/tree.ts'
import type { State } from './state.ts'
import { choose } from './usage-limit.ts'

export type Step =
  | { kind: 'verify'; iteration: number }
  | { kind: 'checkpoint'; name: string; since: string | null }
  | { kind: 'prepare'; run: number; iteration: number }
  | { kind: 'attach' }
  | { kind: 'stop' }
  | { kind: 'clear' }
  | { kind: 'restore'; to: string; tree: string; keepAs: string }
  | ({ kind: 'hook-start' } & DueHook)
  | { kind: 'hook'; hook: number }
  | { kind: 'hook-stop'; hook: number }

export type Decision =
  | { do: 'step'; step: Step }
  | { do: 'record'; event: Event }
  | { do: 'wait'; until: number }
  | { do: 'rest' }

const rest: Decision = { do: 'rest' }

export function decide(state: State, now: number): Decision {
  const { work, tree, turn } = state
  if (state.unknown) return rest
  if (tree.rollback) return rollback(state, tree.rollback)
  if (tree.wanted !== null && canSaveNow(state)) {
    return step({ kind: 'checkpoint', name: tree.wanted, since: null })
  }
  const hook = hookOf(state)
  if (hook) return step(hook)
  if (turn.outcome) return rest
  if (turn.queuedAt !== null) return rest
  if (turn.failedStep) return turn.hold ? rest : hold('step-failed')
  if (work.run?.survivors.length) return turn.hold ? rest : hold('survivors')
  if (turn.cancelRequested) return cancel(state)
  return advance(state, now)
}

/** What is there is saved and recorded before anything of it is touched: so it can always be brought back. */
function rollback(state: State, { to, tree, keepAs }: NonNullable<State['tree']['rollback']>): Decision {
  const kept = treeOf(state.tree.checkpoints, keepAs) !== undefined
  return step(
    kept ? { kind: 'restore', to, tree, keepAs } : { kind: 'checkpoint', name: keepAs, since: null },
  )
}

/**
 * Below a rollback and a checkpoint in the order: a hook may ask for both, and waits for them while it runs. Above all
 * else: a loop that is resumed while a hook is under way waits for its end.
 */
function hookOf(state: State): Step | null {
  const { open } = state.hook
  if (open) return { kind: open.isUnwanted ? 'hook-stop' : 'hook', hook: open.hook }
  const due = dueHook(state)
  return due && { kind: 'hook-start', ...due }
}

/** While the promise runs, or the agent is being cleared away, it waits its turn: those are not to be cut short. */
function canSaveNow({ turn, work }: State): boolean {
  const atRest = turn.outcome !== null || turn.hold !== null
  return !turn.cancelRequested && (atRest || !['baseline', 'ended', 'settled'].includes(work.stage))
}

function cancel({ work: { stage } }: State): Decision {
  if (stage === 'running') return step({ kind: 'stop' })
  if (stage === 'ended') return step({ kind: 'clear' })
  return record({ kind: 'loop.cancelled', data: {} })
}

function advance(state: State, now: number): Decision {
  const { stage, iteration } = state.work
  switch (stage) {
    case 'baseline':
      return state.turn.hold ? rest : verify(state)
    case 'initial':
      return afterBaseline(state)
    case 'boundary':
      return betweenIterations(state, now)
    case 'saved':
      return beforeRun(state, now)
    case 'running':
      return step({ kind: 'attach' })
    case 'ended':
      return step({ kind: 'clear' })
    case 'cleared':
      return step({
        kind: 'checkpoint',
        name: checkpointName(iteration, true),
        since: treeOf(state.tree.checkpoints, checkpointName(iteration)) ?? null,
      })
    case 'settled':
      return verify(state)
    default:
      return stage satisfies never
  }
}

/** Protected files are compared with what was there before the promise ran, so that is saved first. */
function verify(state: State): Decision {
  return needsReference(state)
    ? saveReference(state)
    : step({ kind: 'verify', iteration: state.work.iteration })
}

function needsReference(state: State): boolean {
  return guards(state) && state.tree.reference === null
}

function saveReference({ work, tree }: State): Decision {
  const before = checkpointName(0)
  const isFirst = work.stage === 'baseline' && treeOf(tree.checkpoints, before) === undefined
  return step({ kind: 'checkpoint', name: isFirst ? before : acceptedName(work.iteration), since: null })
}

function afterBaseline(state: State): Decision {
  const isHeld = state.turn.hold !== null
  if (state.spec.baseline) {
    if (state.judged.promiseErrorsInRow > 0) {
      return record({ kind: 'loop.failed', data: { reason: 'promise-unrunnable' } })
    }
    if (isForbidden(state)) return isHeld ? rest : hold('must-not')
    if (state.tree.touched.length > 0) return isHeld ? rest : hold('protected-changed')
    // An agent may have to make what is missing: only a person can tell that from a slip of the pen.
    if (state.judged.doubt !== null && state.spec.attended) return isHeld ? rest : hold('promise-doubtful')
    if (needsReference(state)) return isHeld ? rest : saveReference(state)
    // Whether a human would agree is asked once the agent has had its turn.
    if (unmetNames(state).length === 0) return record({ kind: 'loop.completed', data: {} })
  }
  return isHeld ? rest : step({ kind: 'checkpoint', name: 'initial', since: null })
}

function betweenIterations(state: State, now: number): Decision {
  const { spec, work, human } = state
  const isHeld = state.turn.hold !== null
  if (isForbidden(state)) return isHeld ? rest : hold('must-not')
  if (state.tree.touched.length > 0) return isHeld ? rest : hold('protected-changed')
  if (work.iteration > 0 && commandsPass(state) && !human.declined) return whenCommandsPass(state)
  if (hasTripped(state, 'agentErrors')) {
    return record({ kind: 'loop.crashed', data: { reason: 'agent-errors' } })
  }
  if (spec.maxIterations !== null && work.iteration >= spec.maxIterations) {
    return record({ kind: 'loop.failed', data: { reason: 'iteration-limit' } })
  }
  // Before the next two: what cannot be judged says nothing about being stuck.
  if (hasTripped(state, 'promiseErrors')) return isHeld ? rest : hold('promise-errors')
  if (hasTripped(state, 'stuck')) return record({ kind: 'loop.failed', data: { reason: 'stuck' } })
  if (hasTripped(state, 'noChange')) return record({ kind: 'loop.failed', data: { reason: 'no-change' } })
  if (isHeld) return rest
  if (hasTripped(state, 'sameFile')) return hold('thrashing')
  if (isSpent(state)) return hold('budget-reached')
  if (human.asks !== null) return ask(state, { criterion: human.asks, agent: true })
  return backOff(state, now) ?? nextIteration(state)
}

/** One wait after each agent error, doubling. */
function backOff({ spec, limits }: State, now: number): Decision | null {
  const { wait, waitedFor, agentErrorsInRow } = limits
  if (wait) return untilOver(wait, now)
  if (agentErrorsInRow === 0 || waitedFor === agentErrorsInRow) return null
  const until = now + spec.backoffMs * 2 ** (agentErrorsInRow - 1)
  return record({ kind: 'wait.started', data: { for: 'agent-back-off', until } })
}

function nextIteration({ work, tree }: State): Decision {
  return step({ kind: 'checkpoint', name: checkpointName(work.iteration + 1), since: tree.left })
}

/** Which agent runs, and when: at a limit another one of the chain, or none before its time. */
function beforeRun(state: State, now: number): Decision {
  const { work, limits } = state
  // A session works on it, and claims when it is done.
  if (state.spec.session) return rest
  if (state.turn.hold) return rest
  if (limits.barred !== null) return hold('agent-auth')
  // A run that was refused half-way has cost something all the same.
  if (work.run?.iteration === work.iteration && isSpent(state)) return hold('budget-reached')
  if (limits.wait) return untilOver(limits.wait, now)
  const choice = choose(state, now)
  if ('waitUntil' in choice) {
    if (choice.tooLong) return hold('limit-too-long')
    return record({ kind: 'wait.started', data: { for: 'usage-limit', until: choice.waitUntil } })
  }
  if (choice.run !== work.agent) {
    return record({ kind: 'agent.switched', data: { to: choice.run, why: switchWhy(state, choice.run) } })
  }
  return step({ kind: 'prepare', run: work.runs + 1, iteration: work.iteration })
}

function switchWhy({ limits, work }: State, to: AgentName): string {
  const limited = limits.limited[work.agent]
  if (!limited) return limits.limited[to]?.kind ? 'to be tried again' : 'no longer at its limit'
  return { 'usage-limit': 'usage limit', overload: 'overload', network: 'no network' }[
    limited.kind ?? 'usage-limit'
  ]
}

/** Before its own beginning the clock was set back: how much of the wait is left nobody knows, so it is over. */
function untilOver({ until, since }: NonNullable<State['limits']['wait']>, now: number): Decision {
  return now >= until || now < since ? record({ kind: 'wait.ended', data: {} }) : { do: 'wait', until }
}

/** Both conditions of an end: every criterion is met, and loop itself has run the promise after the last of them. */
function whenCommandsPass(state: State): Decision {
  const open = openQuestion(state)
  if (open !== null) return ask(state, { criterion: open })
  if (state.turn.hold && (hasAssumption(state) || state.human.finalDue)) return rest
  if (hasAssumption(state)) return hold('assumption')
  if (needsReference(state)) return state.turn.hold ? rest : saveReference(state)
  if (state.human.finalDue) return verify(state)
  return record({ kind: 'loop.completed', data: {} })
}

function ask(state: State, question: EventOf<'question.asked'>['data']): Decision {
  if (state.turn.hold) return rest
  if (state.human.question?.criterion !== question.criterion) {
    return record({ kind: 'question.asked', data: question })
  }
  return canBeAsked(state) ? { do: 'wait', until: Number.POSITIVE_INFINITY } : hold('unanswered')
}

function isSpent({ spec: { budgetUsd }, cost }: State): boolean {
  return budgetUsd !== null && (cost.costUsd ?? 0) >= budgetUsd
}

function isForbidden({ judged }: State): boolean {
  return judged.mustNot.some(({ verdict }) => verdict === 'PASS')
}

function step(next: Step): Decision {
  return { do: 'step', step: next }
}

function record(event: Event): Decision {
  return { do: 'record', event }
}

function hold(reason: EventOf<'loop.held'>['data']['reason']): Decision {
  return record({ kind: 'loop.held', data: { reason } })
}

/**
 * decide(state, now, epoch): the next step of a loop, and all the ways in which a loop can stop. It judges state alone
 * and records nothing, so a restart is a replay and the same question; `epoch` tells one host from another.
 */
import type { Event, EventOf } from '../../model/loop/event.ts'
import { acceptedName, checkpointName } from '../../model/units.ts'
import { sameTree } from './assess/same-tree.ts'
import { isLookedAt, isSentBack, isSuspected, secondLook, suspectQuestion } from './assess/second-look.ts'
import { judgeShip } from './assess/ship.ts'
import { isSpent, trippedBreaker, wantsAdvice } from './breaker.ts'
import { canBeAsked, commandsPass, hasAssumption, isForbidden, openQuestion, unmetNames } from './criteria.ts'
import { type DueHook, dueHook } from './parts/hook.ts'
import { guards, treeOf } from './parts/tree.ts'
import type { Suspicion, TrustLook } from './parts/trust.ts'
import type { State } from './state.ts'
import { choose, switchWhy } from './usage-limit.ts'

export type Step =
  | { kind: 'verify'; iteration: number }
  | { kind: 'checkpoint'; name: string; since: string | null }
  | { kind: 'prepare'; run: number; iteration: number }
  | { kind: 'attach' }
  | { kind: 'stop' }
  | { kind: 'clear' }
  | { kind: 'restore'; to: string; tree: string; keepAs: string }
  | ({ kind: 'look'; iteration: number } & Pick<TrustLook, 'which' | 'home'>)
  | { kind: 'compare'; iteration: number; compareWith: string }
  | { kind: 'holdout'; iteration: number }
  | ({ kind: 'hook-start' } & DueHook)
  | { kind: 'hook'; hook: number }
  | { kind: 'hook-stop'; hook: number }

export type Decision =
  | { do: 'step'; step: Step }
  | { do: 'record'; event: Event }
  | { do: 'wait'; until: number }
  | { do: 'rest' }

const rest: Decision = { do: 'rest' }

export function decide(state: State, now: number, epoch = state.epoch): Decision {
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
  return advance(state, { now, epoch })
}

type DecisionTime = { now: number; epoch: number }

/** The current tree is saved and recorded before a rollback touches anything, so that it can be restored. */
function rollback(state: State, { to, tree, keepAs }: NonNullable<State['tree']['rollback']>): Decision {
  const kept = treeOf(state.tree.checkpoints, keepAs) !== undefined
  return step(
    kept ? { kind: 'restore', to, tree, keepAs } : { kind: 'checkpoint', name: keepAs, since: null },
  )
}

/**
 * After rollbacks and checkpoints in the order, because a hook can ask for both and waits for them. Before
 * everything else: a loop that is resumed while its hook runs waits for the hook's end.
 */
function hookOf(state: State): Step | null {
  const { open } = state.hook
  if (open) return { kind: open.isUnwanted ? 'hook-stop' : 'hook', hook: open.hook }
  const due = dueHook(state)
  return due && { kind: 'hook-start', ...due }
}

/** A checkpoint waits while the promise runs or the agent's processes are being ended. */
function canSaveNow({ turn, work }: State): boolean {
  const atRest = turn.outcome !== null || turn.hold !== null
  return !turn.cancelRequested && (atRest || !['baseline', 'ended', 'settled'].includes(work.stage))
}

function cancel(state: State): Decision {
  const { stage } = state.work
  if (stage === 'running') return step({ kind: 'stop' })
  if (stage === 'ended') return step({ kind: 'clear' })
  return ended(state, { kind: 'loop.cancelled', data: {} })
}

function advance(state: State, asking: DecisionTime): Decision {
  const { stage, iteration } = state.work
  switch (stage) {
    case 'baseline':
      return state.turn.hold ? rest : verify(state)
    case 'initial':
      return afterBaseline(state, asking)
    case 'boundary':
      return betweenIterations(state, asking)
    case 'saved':
      return beforeRun(state, asking.now)
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

/** Protected files are compared with their state before the promise ran, so the tree is saved first. */
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

function afterBaseline(state: State, asking: DecisionTime): Decision {
  const isHeld = state.turn.hold !== null
  if (state.spec.baseline) {
    if (state.judged.promiseErrorsInRow > 0) {
      return ended(state, { kind: 'loop.failed', data: { reason: 'promise-unrunnable' } })
    }
    if (isForbidden(state)) return isHeld ? rest : hold('must-not')
    if (state.tree.touched.length > 0) return isHeld ? rest : hold('protected-changed')
    // The agent may have to create what is missing; only a person can tell that from a typing mistake.
    if (state.judged.doubt !== null && state.spec.attended) return isHeld ? rest : hold('promise-doubtful')
    if (needsReference(state)) return isHeld ? rest : saveReference(state)
    // Whether a human would agree is asked once the agent has had its turn.
    if (unmetNames(state).length === 0 && !state.trust.isHeldBack) {
      return aboutThisTree(state, asking) ?? finish(state)
    }
  }
  return isHeld ? rest : step({ kind: 'checkpoint', name: 'initial', since: null })
}

function betweenIterations(state: State, asking: DecisionTime): Decision {
  const { spec, work, human } = state
  const isHeld = state.turn.hold !== null
  if (isForbidden(state)) return isHeld ? rest : hold('must-not')
  if (state.tree.touched.length > 0) return isHeld ? rest : hold('protected-changed')
  const isOpen = human.declined || isSentBack(state) || state.trust.isHeldBack
  if (work.iteration > 0 && commandsPass(state) && !isOpen) {
    return whenCommandsPass(state, asking)
  }
  if (human.blocked !== null && !isHeld) return hold('agent-blocked')
  const tripped = trippedBreaker(state)
  if (tripped?.action === 'crash') {
    return ended(state, { kind: 'loop.crashed', data: { reason: tripped.reason } })
  }
  if (spec.maxIterations !== null && work.iteration >= spec.maxIterations) {
    return ended(state, { kind: 'loop.failed', data: { reason: 'iteration-limit' } })
  }
  if (tripped?.action === 'fail') {
    return ended(state, { kind: 'loop.failed', data: { reason: tripped.reason } })
  }
  if (isHeld) return rest
  if (tripped) return hold(tripped.reason)
  if (isSpent({ ...state.spec, ...state.cost })) return hold('budget-reached')
  if (wantsAdvice(state)) return hold('advice-wanted')
  if (human.asks !== null) return ask(state, { criterion: human.asks, agent: true })
  return backOff(state, asking.now) ?? nextIteration(state)
}

/** One wait after each agent error, doubled each time. */
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

/** Chooses the agent and the time: at a limit the next agent of the chain, or a wait. */
function beforeRun(state: State, now: number): Decision {
  const { work, limits } = state
  // A session does the work and claims when it is done.
  if (state.spec.session) return rest
  if (state.turn.hold) return rest
  if (limits.barred !== null) return hold('agent-auth')
  // A run that was refused half-way has cost something too.
  if (work.run?.iteration === work.iteration && isSpent({ ...state.spec, ...state.cost }))
    return hold('budget-reached')
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

/** A time before the wait's start means that the clock was set back: the rest is unknown, so the wait ends. */
function untilOver({ until, since }: NonNullable<State['limits']['wait']>, now: number): Decision {
  return now >= until || now < since ? record({ kind: 'wait.ended', data: {} }) : { do: 'wait', until }
}

/** Both conditions of an end: every criterion is met, and loop has run the promise after the last one was met. */
function whenCommandsPass(state: State, asking: DecisionTime): Decision {
  // A promise that runs once more anyway, or a reference that is saved, tells the same later.
  const isLater = state.human.finalDue || needsReference(state)
  const first = isLater ? null : aboutThisTree(state, asking)
  if (first) return first
  const seen = secondLook(state)
  if ('suspect' in seen) return suspected(state, seen.suspect)
  if ('look' in seen && isLookedAt(state))
    return state.turn.hold ? rest : step({ kind: 'look', iteration: state.work.iteration, ...seen.look })
  const open = openQuestion(state)
  if (open !== null) return ask(state, { criterion: open })
  if (state.turn.hold && (hasAssumption(state) || state.human.finalDue)) return rest
  if (hasAssumption(state)) return hold('assumption')
  if (needsReference(state)) return state.turn.hold ? rest : saveReference(state)
  if (state.human.finalDue) return verify(state)
  return aboutThisTree(state, asking, true) ?? finish(state)
}

/** A verdict counts for the tree in which the promise passed, and for no other. */
function aboutThisTree(state: State, { epoch }: DecisionTime, afterLooks = false): Decision | null {
  const same = sameTree(state, epoch, afterLooks)
  if (same === 'known') return null
  if (state.turn.hold) return rest
  const { iteration } = state.work
  return same === 'verify' ? verify(state) : step({ kind: 'compare', iteration, ...same })
}

/** The last word is that of the hold-out, if there is one: its failure is no reason to let the agent try again. */
function finish(state: State): Decision {
  const { spec, trust, turn, work } = state
  if (spec.holdout === undefined || trust.holdout?.verdict === 'PASS') {
    return ended(state, { kind: 'loop.completed', data: {} })
  }
  if (trust.holdout) return ended(state, { kind: 'loop.failed', data: { reason: 'holdout-failed' } })
  return turn.hold ? rest : step({ kind: 'holdout', iteration: work.iteration })
}

/** The first suspicion sends the agent back to work (`isSentBack`); the next one asks a person. */
function suspected(state: State, { why, files }: Pick<Suspicion, 'why' | 'files'>): Decision {
  if (state.turn.hold) return rest
  const { iteration } = state.work
  if (!isSuspected(state)) return record({ kind: 'suspicion.raised', data: { iteration, why, files } })
  return ask(state, { criterion: suspectQuestion({ why, files }), suspect: true })
}

function ask(state: State, question: EventOf<'question.asked'>['data']): Decision {
  if (state.turn.hold) return rest
  if (state.human.question?.criterion !== question.criterion) {
    return record({ kind: 'question.asked', data: question })
  }
  if (canBeAsked(state)) return { do: 'wait', until: Number.POSITIVE_INFINITY }
  return hold(question.suspect ? 'suspect' : 'unanswered')
}

function step(next: Step): Decision {
  return { do: 'step', step: next }
}

function record(event: Event): Decision {
  return { do: 'record', event }
}

type End = EventOf<'loop.completed' | 'loop.failed' | 'loop.crashed' | 'loop.cancelled'>
type Unshipped<E extends End> = E extends End ? Pick<E, 'kind'> & { data: Omit<E['data'], 'ship'> } : never

/** Every end is recorded together with the ship verdict. */
function ended(state: State, event: Unshipped<End>): Decision {
  return record({ ...event, data: { ...event.data, ship: judgeShip(state) } } as End)
}

function hold(reason: EventOf<'loop.held'>['data']['reason']): Decision {
  return record({ kind: 'loop.held', data: { reason } })
}

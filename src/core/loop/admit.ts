/**
 * admit(state, command): turns a command to a loop into events, or refuses it with facts. The order of the
 * journal decides: a cancel before `loop.completed` cancels, a later one is refused.
 */
import type { Facts } from '../../failures/all.ts'
import type { RefusalFacts } from '../../failures/refusal.ts'
import type { Command, Resume } from '../../model/loop/command.ts'
import type { Event } from '../../model/loop/event.ts'
import type { Spec } from '../../model/loop/spec.ts'
import { isCheckpointName } from '../../model/units.ts'
import { restartOf } from '../queue.ts'
import { isSentBack } from './assess/second-look.ts'
import { judgeShip } from './assess/ship.ts'
import { neededRaise } from './breaker.ts'
import { commandsPass, openQuestion } from './criteria.ts'
import { hasHookLeft } from './parts/hook.ts'
import { resumable } from './parts/spec.ts'
import { namesOf, newestNames, treeOf } from './parts/tree.ts'
import type { State } from './state.ts'
import { summarize } from './summary.ts'

export type Admission = { ok: true; events: Event[] } | { ok: false; because: RefusalFacts }

export function admit(state: State, command: Command): Admission {
  if (state.unknown) return no({ kind: 'journal-too-new', holds: state.unknown })
  switch (command.kind) {
    case 'pause':
      return pause(state, command)
    case 'resume':
      return resume(state, command)
    case 'inject':
      return inject(state, command)
    case 'report':
      return report(state, command)
    case 'answer':
      return answer(state, command)
    case 'checkpoint':
      return checkpoint(state, command)
    case 'rollback':
      return rollback(state, command)
    case 'cancel':
      return cancel(state, command)
    default:
      command satisfies never
      return no({ kind: 'command-unknown' })
  }
}

function pause(state: State, { by }: Extract<Command, { kind: 'pause' }>): Admission {
  const { outcome, hold } = state.turn
  if (outcome) return no({ kind: 'has-ended', outcome: outcome.kind })
  if (hold) {
    const paused = summarize(state).status === 'paused'
    return no(paused ? { kind: 'already-paused' } : { kind: 'pauses-already' })
  }
  return yes({ kind: 'loop.held', data: { reason: `paused-by-${by ?? 'user'}` } })
}

function resume(state: State, asked: Resume): Admission {
  const { spec, turn, work } = state
  const { kind: _, stays, ...command } = asked
  const { maxIterations = spec.maxIterations, budgetUsd = spec.budgetUsd, attended = spec.attended } = command
  if (turn.outcome?.kind === 'completed') return afterCompletion(state)
  const { agent } = command
  if (agent && work.stage === 'running') return no({ kind: 'agent-at-work', id: state.id })
  const isChanged = (name: (typeof resumable)[number]) =>
    command[name] !== undefined && command[name] !== spec[name]
  const changed = agent !== undefined || resumable.some(isChanged)
  const idle = !turn.outcome && !turn.hold && !turn.cancelRequested
  // The loop was interrupted and does not rest: its limits have not been judged yet, and the promise may hold.
  if (idle && !changed) return { ok: true, events: [] }
  const exhausted = usedUp(state, { maxIterations, budgetUsd })
  if (exhausted) return no(exhausted)
  return yes({
    kind: 'loop.resumed',
    data: {
      ...command,
      maxIterations,
      budgetUsd,
      ...(attended !== undefined && { attended }),
      ...(stays && { stays }),
    },
  })
}

/** Only its hook can be left, if it was interrupted: the next host runs or awaits it. */
function afterCompletion(state: State): Admission {
  return hasHookLeft(state) ? { ok: true, events: [] } : no({ kind: 'loop-completed' })
}

/** The limits that are used up, with values that would be enough; null if there is enough left. */
function usedUp(state: State, limits: Pick<Spec, 'maxIterations' | 'budgetUsd'>): RefusalFacts | null {
  const { work } = state
  const { iteration } = work
  const { costUsd } = state.cost
  const needsAnother =
    work.stage === 'boundary' &&
    (state.human.declined ||
      !commandsPass(state) ||
      isSentBack(state) ||
      state.trust.holdout?.verdict === 'FAIL')
  const raise = neededRaise({ iteration, costUsd, ...limits }, needsAnother)
  if (Object.keys(raise).length === 0) return null
  return { kind: 'limits-used-up', iterations: iteration, costUsd, budgetUsd: limits.budgetUsd, raise }
}

/** Reads `yes` and `no`; any other text is a no with its reason. */
function answer(state: State, { by, text }: Extract<Command, { kind: 'answer' }>): Admission {
  if (state.turn.outcome) return no({ kind: 'has-ended', outcome: state.turn.outcome.kind })
  const { question } = state.human
  if (!question) return no({ kind: 'nothing-asked' })
  const { criterion } = question
  const said = text.trim()
  if (question.agent) {
    return yes({ kind: 'question.answered', data: { criterion, met: false, by, text: said, agent: true } })
  }
  const met = /^y(es)?$/i.test(said)
  const why = met || /^no?$/i.test(said) ? '' : said
  const about = question.suspect && { suspect: true as const }
  const answered: Event = { kind: 'question.answered', data: { criterion, met, by, text: why, ...about } }
  // A resting loop asks the next question at once; otherwise it would have to be resumed in between.
  const next = met && state.turn.hold ? openQuestion(state, criterion) : null
  if (next === null) return yes(answered)
  return { ok: true, events: [answered, { kind: 'question.asked', data: { criterion: next } }] }
}

const ownNames = /^(initial|iter-\d+(-after|-verified|-accepted)?|before-rollback-\d+.*|\d+)$/

function checkpoint(state: State, { name }: Extract<Command, { kind: 'checkpoint' }>): Admission {
  if (state.spec.checkpoint === 'none') return no({ kind: 'checkpoints-off' })
  const { tree } = state
  if (tree.wanted !== null) return no({ kind: 'checkpoint-under-way', name: tree.wanted })
  if (tree.rollback) return no({ kind: 'rollback-under-way', to: tree.rollback.to })
  const marks = namesOf(tree.checkpoints).filter(known => /^mark-\d+$/.test(known)).length
  const wanted = name ?? `mark-${marks + 1}`
  if (!isCheckpointName(wanted)) return no({ kind: 'checkpoint-name-unfit' })
  if (ownNames.test(wanted)) return no({ kind: 'checkpoint-name-reserved', name: wanted })
  if (treeOf(tree.checkpoints, wanted) !== undefined)
    return no({ kind: 'checkpoint-name-taken', name: wanted })
  return yes({ kind: 'checkpoint.requested', data: { name: wanted } })
}

function inject(state: State, { text, by }: Extract<Command, { kind: 'inject' }>): Admission {
  if (state.turn.outcome?.kind === 'completed') return no({ kind: 'has-completed' })
  if (text.length > 100_000) return no({ kind: 'text-too-long' })
  return yes({ kind: 'context.injected', data: { text, ...(by && { by }) } })
}

/** Only criteria of the spec are accepted: a claim about anything else could not be shown beside one. */
function report(state: State, { criterion, met, evidence }: Extract<Command, { kind: 'report' }>): Admission {
  if (state.turn.outcome) return no({ kind: 'has-ended', outcome: state.turn.outcome.kind })
  const has = state.spec.criteria.map(({ name }) => name)
  if (!has.includes(criterion)) return no({ kind: 'criterion-unknown', criterion, has })
  return yes({ kind: 'criterion.reported', data: { criterion, met, evidence } })
}

function rollback(state: State, { to }: Extract<Command, { kind: 'rollback' }>): Admission {
  const { checkpoints, rollbacks } = state.tree
  const tree = treeOf(checkpoints, to)
  if (tree === undefined)
    return no({ kind: 'checkpoint-unknown', name: to, ...newestNames(namesOf(checkpoints)) })
  if (tree === null) return no({ kind: 'never-saved' })
  const { status } = summarize(state)
  if (!state.turn.outcome && status !== 'paused')
    return no({ kind: 'loop-not-at-rest', id: state.id, status })
  if (['running', 'ended'].includes(state.work.stage)) return no({ kind: 'agent-at-work-still' })
  const keepAs = `before-rollback-${rollbacks + 1}`
  return yes({ kind: 'rollback.requested', data: { to, tree, keepAs } })
}

function cancel(state: State, { by }: Extract<Command, { kind: 'cancel' }>): Admission {
  const { outcome } = state.turn
  const { rollback: wished } = state.tree
  if (outcome && wished) {
    const facts: Facts = { kind: 'rollback-given-up', by: by ?? 'user' }
    return yes({ kind: 'rollback.failed', data: { to: wished.to, facts } })
  }
  if (outcome && hasHookLeft(state)) return yes({ kind: 'hook.cancelled', data: {} })
  const requested: Event = { kind: 'cancel.requested', data: { ...(by && { by }) } }
  // loopd would restart it; nothing of it runs, so the end is recorded at once.
  if (restartOf(summarize(state))) {
    return { ok: true, events: [requested, { kind: 'loop.cancelled', data: { ship: judgeShip(state) } }] }
  }
  if (outcome) return no({ kind: 'has-ended', outcome: outcome.kind })
  return yes(requested)
}

function yes(event: Event): Admission {
  return { ok: true, events: [event] }
}

function no(because: RefusalFacts): Admission {
  return { ok: false, because }
}

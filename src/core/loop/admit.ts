/**
 * admit(state, command): turns a command to a loop into events, or refuses it with a reason. The order of the
 * journal decides: a cancel before `loop.completed` cancels, a later one is refused.
 */
import type { Command, Resume } from '../../model/loop/command.ts'
import type { Event } from '../../model/loop/event.ts'
import type { Spec } from '../../model/loop/spec.ts'
import { formatMoney, isCheckpointName } from '../../model/units.ts'
import { isSentBack } from './assess/second-look.ts'
import { neededRaise, raiseFlags } from './breaker.ts'
import { commandsPass, openQuestion } from './criteria.ts'
import { hasHookLeft } from './parts/hook.ts'
import { resumable } from './parts/spec.ts'
import { namesOf, nameWords, treeOf } from './parts/tree.ts'
import type { State } from './state.ts'
import { summarize } from './summary.ts'

export type Admission = { ok: true; events: Event[] } | { ok: false; why: string }

export function admit(state: State, command: Command): Admission {
  if (state.unknown) {
    return no(`its journal holds ${state.unknown}, which this version of loop does not know; update loop`)
  }
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
      return no('no loop knows this command')
  }
}

function pause(state: State, { by }: Extract<Command, { kind: 'pause' }>): Admission {
  const { outcome, hold } = state.turn
  if (outcome) return no(`it has already ended: ${outcome.kind}`)
  if (hold) {
    const paused = summarize(state).status === 'paused'
    return no(paused ? 'it is already paused' : 'it pauses after this iteration already')
  }
  return yes({ kind: 'loop.held', data: { reason: `paused-by-${by ?? 'user'}` } })
}

function resume(state: State, asked: Resume): Admission {
  const { spec, turn, work } = state
  const { kind: _, stays, ...command } = asked
  const { maxIterations = spec.maxIterations, budgetUsd = spec.budgetUsd, attended = spec.attended } = command
  if (turn.outcome?.kind === 'completed') return afterCompletion(state)
  const { agent } = command
  if (agent && work.stage === 'running') {
    return no(`its agent may still be at work; end that first: loop cancel ${state.id}`)
  }
  const isChanged = (name: (typeof resumable)[number]) =>
    command[name] !== undefined && command[name] !== spec[name]
  const changed = agent !== undefined || resumable.some(isChanged)
  const idle = !turn.outcome && !turn.hold && !turn.cancelRequested
  // The loop was interrupted and does not rest: its limits have not been judged yet, and the promise may hold.
  if (idle && !changed) return { ok: true, events: [] }
  const exhausted = usedUpWords(state, { maxIterations, budgetUsd })
  if (exhausted !== null) return no(exhausted)
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
  return hasHookLeft(state) ? { ok: true, events: [] } : no('it has completed; start a new loop instead')
}

/** The limits that are used up, with the flags that raise them; null if there is enough left. */
function usedUpWords(state: State, limits: Pick<Spec, 'maxIterations' | 'budgetUsd'>): string | null {
  const { work, cost } = state
  const { iteration } = work
  const needsAnother =
    work.stage === 'boundary' &&
    (state.human.declined ||
      !commandsPass(state) ||
      isSentBack(state) ||
      state.trust.holdout?.verdict === 'FAIL')
  const raise = neededRaise({ iteration, costUsd: cost.costUsd, ...limits }, needsAnother)
  const used = iteration === 1 ? 'one iteration' : `${iteration} iterations`
  const facts = [
    ...(raise.maxIterations === undefined ? [] : [`used ${used}`]),
    ...(raise.budgetUsd === undefined
      ? []
      : [`spent ${formatMoney(cost.costUsd ?? 0)} of ${formatMoney(limits.budgetUsd ?? 0)}`]),
  ]
  if (facts.length === 0) return null
  return `it has ${facts.join(' and ')}; raise the ${facts.length > 1 ? 'limits' : 'limit'} with${raiseFlags(raise)}`
}

/** Reads `yes` and `no`; any other text is a no with its reason. */
function answer(state: State, { by, text }: Extract<Command, { kind: 'answer' }>): Admission {
  if (state.turn.outcome) return no(`it has already ended: ${state.turn.outcome.kind}`)
  const { question } = state.human
  if (!question) return no('it has asked nothing')
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
  if (state.spec.checkpoint === 'none') return no('it was started with --checkpoint none')
  const { tree } = state
  if (tree.wanted !== null) return no(`it is about to take the checkpoint ${tree.wanted}`)
  if (tree.rollback) return no(`a rollback to ${tree.rollback.to} is under way`)
  const marks = namesOf(tree.checkpoints).filter(known => /^mark-\d+$/.test(known)).length
  const wanted = name ?? `mark-${marks + 1}`
  if (!isCheckpointName(wanted)) {
    return no('a name begins with a letter or digit and goes on with letters, digits, _, - and single dots')
  }
  if (ownNames.test(wanted)) return no(`loop itself uses names like ${wanted}; take another`)
  if (treeOf(tree.checkpoints, wanted) !== undefined) return no(`it has a checkpoint ${wanted} already`)
  return yes({ kind: 'checkpoint.requested', data: { name: wanted } })
}

function inject(state: State, { text, by }: Extract<Command, { kind: 'inject' }>): Admission {
  if (state.turn.outcome?.kind === 'completed') return no('it has completed')
  if (text.length > 100_000)
    return no('the text is too long; put it into a file of the work tree and name that')
  return yes({ kind: 'context.injected', data: { text, ...(by && { by }) } })
}

/** Only criteria of the spec are accepted: a claim about anything else could not be shown beside one. */
function report(state: State, { criterion, met, evidence }: Extract<Command, { kind: 'report' }>): Admission {
  if (state.turn.outcome) return no(`it has already ended: ${state.turn.outcome.kind}`)
  const names = state.spec.criteria.map(({ name }) => name)
  if (!names.includes(criterion)) return no(`it has no criterion "${criterion}"; it has: ${names.join(', ')}`)
  return yes({ kind: 'criterion.reported', data: { criterion, met, evidence } })
}

function rollback(state: State, { to }: Extract<Command, { kind: 'rollback' }>): Admission {
  const { checkpoints, rollbacks } = state.tree
  const tree = treeOf(checkpoints, to)
  if (tree === undefined) return no(`it has no checkpoint ${to}; it has: ${nameWords(namesOf(checkpoints))}`)
  if (tree === null) return no('it was started with --checkpoint none: nothing was saved')
  const { status } = summarize(state)
  if (!state.turn.outcome && status !== 'paused')
    return no(`it is ${status}; pause it first: loop pause ${state.id}`)
  if (['running', 'ended'].includes(state.work.stage))
    return no('its agent may still be at work; cancel it first')
  const keepAs = `before-rollback-${rollbacks + 1}`
  return yes({ kind: 'rollback.requested', data: { to, tree, keepAs } })
}

function cancel(state: State, { by }: Extract<Command, { kind: 'cancel' }>): Admission {
  const { outcome } = state.turn
  const { rollback: wished } = state.tree
  if (outcome && wished) {
    const why = by ? 'given up inside a session' : 'given up by you'
    return yes({ kind: 'rollback.failed', data: { to: wished.to, why } })
  }
  if (outcome && hasHookLeft(state)) return yes({ kind: 'hook.cancelled', data: {} })
  if (outcome) return no(`it has already ended: ${outcome.kind}`)
  return yes({ kind: 'cancel.requested', data: { ...(by && { by }) } })
}

function yes(event: Event): Admission {
  return { ok: true, events: [event] }
}

function no(why: string): Admission {
  return { ok: false, why }
}

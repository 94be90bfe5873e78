/**
 * What a terminal shows of a loop while it runs, as a fold of its events: a row for each iteration with what still
 * fails below it, and what is not as usual. It reads no clock and knows no terminal. Its beginning is in `head`, the row
 * that moves in `moving`, the end in `closing`; the whole is views/text/announce.
 */
import { isSentBack, suspicionOf } from '../../../core/loop/assess/second-look.ts'
import { knownOf } from '../../../core/loop/spent.ts'
import type { State } from '../../../core/loop/state.ts'
import { oneLine, spelledOut } from '../../../core/text/plain-text.ts'
import { refusedWords } from '../../../failures/refusal.ts'
import type { CriterionResult, EventOf, Recorded } from '../../../model/loop/event.ts'
import { cutTo } from '../../layout/width.ts'
import { unreadWords } from '../../words/doubt.ts'
import { leftWords } from '../../words/message.ts'
import { ink, sign } from '../look.ts'
import { lastWords, runTrouble } from './agent.ts'
import { namedFailing } from './failing.ts'
import { headLines } from './head.ts'
import {
  changesWords,
  felt,
  fitNames,
  indent,
  money,
  noteRows,
  type StartRow,
  type StartView,
  sentenceRows,
  startRow,
  stepLines,
} from './pieces.ts'
import { failingLines, suspicionWords, verdictCell } from './verdict.ts'

/** An event with the states after and before it. */
type LoopTold = { event: Recorded; state: State; before: State | null }

type LoopFold = {
  /** When the agent of the current iteration began, and what the loop had cost by then. */
  since: number
  spentUsd: number
  /** The row of a check that passed: what a second look says of it may change its mark. */
  passed: StartRow | null
  /** The lines below that row. */
  below: string[]
  /** The names of what fails, as they were shown last. */
  shown: string
  /** What the agent said last, and why its run did not end well. */
  said: string
  trouble: string | null
  waitedSince: number | null
  /** The newest iteration that has its row. */
  judged: number
}

export const emptyFold: LoopFold = {
  since: 0,
  spentUsd: 0,
  passed: null,
  below: [],
  shown: '',
  said: '',
  trouble: null,
  waitedSince: null,
  judged: 0,
}

type Folded = { fold: LoopFold; lines: string[] }

/** After these events nothing more can be said of a check that passed. */
const decided: readonly Recorded['kind'][] = [
  'run.started',
  'question.asked',
  'loop.held',
  'loop.completed',
  'loop.failed',
  'loop.crashed',
  'loop.cancelled',
  'loop.resumed',
]

export function loopStep(fold: LoopFold, told: LoopTold, view: StartView): Folded {
  const { event, state } = told
  if (event.kind === 'suspicion.raised' && fold.passed) return suspected(fold, event.data, { state, view })
  if (event.kind === 'holdout.judged' && fold.passed && event.data.result.verdict !== 'PASS') {
    return flushed(fold, { mark: 'fail', words: 'hold-out fails' }, view)
  }
  const done = decided.includes(event.kind) ? flushed(fold, null, view) : { fold, lines: [] }
  const next = stepOf(done.fold, told, view)
  return { fold: next.fold, lines: [...done.lines, ...next.lines] }
}

function flushed(fold: LoopFold, verdict: StartRow['verdict'] | null, view: StartView): Folded {
  if (!fold.passed) return { fold, lines: [] }
  const row = verdict ? { ...fold.passed, verdict } : fold.passed
  return { fold: { ...fold, passed: null, below: [] }, lines: [startRow(row, view), ...fold.below] }
}

function suspected(
  fold: LoopFold,
  suspicion: EventOf<'suspicion.raised'>['data'],
  { state, view }: { state: State; view: StartView },
): Folded {
  const row = flushed(fold, { mark: 'warn', words: 'suspect' }, view)
  // Otherwise a person is asked, and told the same.
  const words = isSentBack(state)
    ? note(`passes, ${suspicionWords(suspicion, state)}: told the agent`, view)
    : []
  return { ...row, lines: [...row.lines, ...words] }
}

function stepOf(fold: LoopFold, { event, state, before }: LoopTold, view: StartView): Folded {
  switch (event.kind) {
    case 'loop.created':
      return { fold, lines: headLines(state, view) }
    case 'loop.resumed':
      return event.data.stays ? { fold, lines: [] } : { fold: emptyFold, lines: continued(state, view) }
    case 'run.started':
      return { fold: { ...fold, ...begun(event.at, state), said: '', trouble: null }, lines: [] }
    case 'run.ended':
      return ended(fold, event.data, { state, view })
    case 'run.lost': {
      const trouble = `${state.work.agent} disappeared: ${event.data.why}`
      return { fold: { ...fold, trouble }, lines: [] }
    }
    case 'wait.started':
      return { fold: { ...fold, waitedSince: event.data.for === 'usage-limit' ? event.at : null }, lines: [] }
    case 'wait.ended':
      return waited(fold, { at: event.at, before: before ?? state, view })
    case 'question.asked':
      return { fold, lines: asked(state, view) }
    case 'promise.verified':
      return verified(fold, { event, state, before }, view)
    default:
      return { fold, lines: notes(event, state).flatMap(words => note(words, view)) }
  }
}

function continued(state: State, view: StartView): string[] {
  const { iteration } = state.work
  return headLines(state, view, iteration === 0 ? 'continues' : `continues after iteration ${iteration}`)
}

function begun(at: number, { cost }: State): Pick<LoopFold, 'since' | 'spentUsd'> {
  return { since: at, spentUsd: cost.costUsd ?? 0 }
}

function ended(
  fold: LoopFold,
  data: EventOf<'run.ended'>['data'],
  { state, view }: { state: State; view: StartView },
): Folded {
  const lines = data.usageProblem === undefined ? [] : note(`cost unknown: ${data.usageProblem}`, view)
  const trouble = runTrouble(state.work.agent, data)
  return { fold: { ...fold, said: trouble ? '' : lastWords(data), trouble }, lines }
}

/** A wait for a limit is over: how long it took stays. */
function waited(
  fold: LoopFold,
  { at, before, view }: { at: number; before: State; view: StartView },
): Folded {
  if (fold.waitedSince === null) return { fold, lines: [] }
  const [limit] = Object.entries(before.limits.limited)
  const words =
    limit?.[1].kind === 'network' ? 'no network' : limit?.[1].kind === 'overload' ? 'overload' : 'limit'
  const row: StartRow = {
    left: String(before.work.iteration),
    right: felt(at - fold.waitedSince),
    verdict: { mark: 'wait', words: `waited: ${words}` },
    middle: limit ? `${limit[0]}: ${oneLine(limit[1].why)}` : '',
  }
  return { fold: { ...fold, waitedSince: null }, lines: [startRow(row, view)] }
}

type Verified = { event: EventOf<'promise.verified'> & { at: number }; state: State; before: State | null }

function verified(fold: LoopFold, { event, state, before }: Verified, view: StartView): Folded {
  const { data, at } = event
  if (data.iteration === 0) return baseline(fold, { event, state, before }, view)
  const earlier = before?.judged.results ?? []
  const { changes, paths } = state.tree
  const { lines, shown } = failingLines(data.results, fold.shown, view)
  const below = [...saidLines(fold, view), ...lines, ...forbiddenLines(data.mustNot, view)]
  const isAgain = data.iteration === fold.judged
  const row: StartRow = {
    left: isAgain ? 'again' : String(data.iteration),
    right: fold.since === 0 || isAgain ? '' : felt(at - fold.since),
    verdict: verdictCell(data.results, earlier),
    middle: changes ? changesWords(changes, paths) : '',
    cost: isAgain ? '' : costSince(fold, state),
  }
  const next = { ...fold, shown, said: '', trouble: null, judged: data.iteration }
  const isPassed = data.results.every(({ verdict }) => verdict === 'PASS')
  // That it still passes is what the end says.
  if (isPassed && isAgain) return { fold: next, lines: [] }
  if (isPassed) return { fold: { ...next, passed: row, below }, lines: [] }
  return { fold: next, lines: [startRow(row, view), ...below] }
}

function baseline(fold: LoopFold, { event, state }: Verified, view: StartView): Folded {
  const { results, mustNot, unread } = event.data
  const verdict = verdictCell(results, [])
  const { names, all, said } = namedFailing(results)
  const shown = names.length > 0 ? names.join('\n') : said
  const room = Math.min(view.width, 100) - indent.length - Math.max(14, verdict.words.length + 4)
  const middle = names.length > 0 ? fitNames(names, room, { of: all }) : verdict.mark === 'fail' ? said : ''
  const doubts = state.spec.attended ? [] : results.flatMap(({ doubt }) => doubt ?? [])
  const lines = [
    startRow({ left: 'before', verdict, middle }, view),
    ...forbiddenLines(mustNot, view),
    ...doubts.flatMap(words =>
      note(`the check may never work: ${words}; the agent may have to create it`, view),
    ),
    ...(unread ? note(unreadWords(results, unread), view) : []),
  ]
  return { fold: { ...fold, shown }, lines }
}

/** What the agent said, in quotes, or why its run did not end well. */
function saidLines({ said, trouble }: LoopFold, view: StartView): string[] {
  if (trouble !== null) return note(trouble, view)
  if (said === '') return []
  return [indent + ink(view.look, 'dim', `"${cutTo(oneLine(said), view.width - indent.length - 2)}"`)]
}

function forbiddenLines(results: readonly CriterionResult[] = [], view: StartView): string[] {
  return results
    .filter(({ verdict }) => verdict !== 'FAIL')
    .flatMap(({ name, verdict, why }) =>
      note(verdict === 'PASS' ? `forbidden: ${name}` : `forbidden or not? ${name}: ${why}`, view),
    )
}

function costSince({ spentUsd }: LoopFold, { cost }: State): string {
  const known = knownOf(cost)
  return cost.costUsd === null ? '' : money(Math.max(0, cost.costUsd - spentUsd), known)
}

/** What is not as usual, one line each. */
function notes(event: Recorded, state: State): string[] {
  switch (event.kind) {
    case 'agent.switched':
      return [`now ${event.data.to} (${event.data.why})`]
    case 'checkpoint.taken':
      if (event.data.skipped.length === 0 || state.work.iteration > 1) return []
      return [`cannot be saved, so not restored by an undo: ${event.data.skipped.map(spelledOut).join(', ')}`]
    case 'checkpoint.failed':
      return [`no checkpoint ${event.data.name}: ${event.data.why}`]
    case 'run.cleared':
      return event.data.suspects.map(
        ({ pid, command }) => `may still run, left by the agent: ${pid} (${spelledOut(command)})`,
      )
    case 'context.injected':
      return event.data.by === undefined ? ['the agent reads this in its next iteration'] : []
    case 'question.answered':
      return event.data.agent || event.data.suspect ? [] : [answered(event.data)]
    case 'tree.compared':
      return edited(event.data)
    case 'tree.restored':
      return [`rolled back to ${event.data.to}`, ...leftWords(event.data.left)]
    case 'rollback.failed':
      return [`not rolled back to ${event.data.to}: ${event.data.why ?? ''}`]
    case 'command.refused':
      return [`cannot ${event.data.command}: ${refusedWords(event.data)}`]
    default:
      return []
  }
}

function answered({ criterion, met, by }: EventOf<'question.answered'>['data']): string {
  return `${by}: ${met ? 'yes' : 'no'}, ${criterion}`
}

function edited({ changes, paths = [] }: EventOf<'tree.compared'>['data']): string[] {
  if (changes?.files === 0) return []
  const files = paths.length > 0 ? ` (${paths.slice(0, 3).map(spelledOut).join(', ')})` : ''
  return [`files changed since the check passed${files}: it runs again`]
}

function note(words: string, view: StartView): string[] {
  return noteRows(words, indent, view)
}

/** Above the question whether a suspect pass counts. */
function asked(state: State, view: StartView): string[] {
  const found = state.human.question?.suspect && state.spec.attended ? suspicionOf(state) : null
  if (!found) return []
  const words = `${sign(view.look, 'warn')} Tests pass, ${suspicionWords(found, state)}. Not counted as done.`
  return [
    '',
    ...sentenceRows(words, 'yellow', view),
    ...stepLines([[['review', `loop diff ${state.id}`]]], view),
  ]
}

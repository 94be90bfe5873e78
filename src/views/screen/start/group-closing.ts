/** The last lines of a group on a terminal: the choice with its reasons, what came of it, and what to type. */
import { comparison } from '../../../core/group/comparison.ts'
import { find, type GroupState } from '../../../core/group/state.ts'
import type { GroupSummary } from '../../../core/group/summary.ts'
import { count } from '../../../model/units.ts'
import { planObjections } from '../../plan/announce.ts'
import { valueWords, whyChosen } from '../../text/compare.ts'
import { groupVerdict } from '../../text/group-announce.ts'
import type { Shown } from '../../text/status.ts'
import { groupReason } from '../../words/group.ts'
import { waysOn } from '../../words/message.ts'
import { ink, sign } from '../look.ts'
import {
  changesWords,
  felt,
  money,
  type NextStep,
  padded,
  type StartView,
  sentenceRows,
  stepLines,
} from './pieces.ts'

export function groupClosing(state: GroupState, shown: Shown<GroupSummary>, view: StartView): string[] {
  const { summary } = shown
  const isDone = state.outcome?.kind === 'completed'
  const head = isDone ? doneLine(state, summary, view) : stoppedLine(summary, view)
  return [...choiceLines(state, view), '', ...head, ...stepLines(stepsOf(shown), view)]
}

/** The table of the choice: every value that was compared, the chosen one first. */
function choiceLines(state: GroupState, { look }: StartView): string[] {
  const { chosen } = comparison(state)
  if (!chosen?.winner || chosen.order.length < 2) return []
  const width = Math.max(...chosen.order.map(({ node }) => node.length))
  const rows = chosen.order.map(({ node, values }) => {
    const words = Object.entries(values).map(([name, value]) => valueWords(name, value))
    const mark = node === chosen.winner ? ink(look, 'green', sign(look, 'chosen')) : ' '
    return `  ${mark} ${padded(node, width + 2)}${ink(look, 'dim', words.join(', '))}`
  })
  return ['', `  chosen: ${chosen.winner} (${whyChosen(chosen.by, chosen.order.length)})`, ...rows]
}

function doneLine(state: GroupState, summary: GroupSummary, view: StartView): string[] {
  const loops = state.nodes.filter(({ node }) => node.kind === 'loop' && !node.reads)
  const noun = summary.program === 'plan' ? 'task' : summary.program === 'workflow' ? 'step' : 'attempt'
  const cost = money(summary.costUsd, summary)
  const facts = [felt(summary.activeMs), count(loops.length, noun), ...(cost === '' ? [] : [cost])]
  const against = objections(state)
  const applied = find(state, summary.inTree ?? '')?.end
  const into = applied?.changes
    ? ` ${summary.inTree} is in your files: ${changesWords(applied.changes, applied.paths ?? [])}.`
    : ''
  return against === ''
    ? sentenceRows(`${sign(view.look, 'pass')} Done in ${facts.join(', ')}.${into}`, 'green', view)
    : sentenceRows(
        `${sign(view.look, 'warn')} Done in ${facts.join(', ')}, but look at: ${against}.${into}`,
        'yellow',
        view,
      )
}

function objections(state: GroupState): string {
  if (state.spec.plan) return planObjections(state)
  const { verdict, inDoubt, type } = groupVerdict(state)
  if (verdict === 'SHIP') return ''
  return [...inDoubt, ...(type === '1' ? ['a change that is hard to undo'] : [])].join(', ')
}

function stoppedLine(summary: GroupSummary, view: StartView): string[] {
  const cost = money(summary.costUsd, summary)
  const spent = cost === '' || summary.reason === 'budget-reached' ? '' : ` ${cost} spent.`
  const words = stopped(summary)
  return sentenceRows(
    `${sign(view.look, 'stop')} ${words}${/[?!.]$/.test(words) ? '' : '.'}${spent}`,
    'red',
    view,
  )
}

function stopped(summary: GroupSummary): string {
  switch (summary.reason) {
    case 'cancelled':
      return 'Cancelled'
    case 'paused-by-user':
      return 'Paused'
    case null:
      return 'It continues without this terminal'
    default:
      return `${summary.status === 'paused' ? 'Paused' : 'Stopped'}: ${groupReason(summary).replace(/\.$/, '')}`
  }
}

function stepsOf(shown: Shown<GroupSummary>): NextStep[][] {
  const { summary } = shown
  const { id, undo, program, nodes } = summary
  const compare: NextStep[] =
    program === 'best-of' && nodes.filter(({ kind }) => kind === 'loop').length > 1
      ? [['compare', `loop compare ${id}`]]
      : []
  const back: NextStep[] = undo ? [['undo', `loop rollback ${id} ${undo}`]] : []
  if (summary.reason === 'completed') return [[['review', `loop diff ${id}`], ...compare, ...back]]
  if (summary.reason === 'cancelled' || summary.reason === 'paused-by-user')
    return [[['continue', `loop resume ${id}`], ...compare, ...back]]
  return [waysOn(shown).map((way): NextStep => ['next', way]), back]
}

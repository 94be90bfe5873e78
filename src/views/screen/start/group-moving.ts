/** The rows that move while a group runs: one for each loop under way, at most three, and one for all of it. */
import { type GroupState, isSettled } from '../../../core/group/state.ts'
import { costTogether, summarizeGroup } from '../../../core/group/summary.ts'
import type { State } from '../../../core/loop/state.ts'
import { summarize } from '../../../core/loop/summary.ts'
import { cutTo } from '../../layout/width.ts'
import { spinnerSign } from '../live.ts'
import { ink } from '../look.ts'
import { wide } from './group.ts'
import { wordsFor, workOf } from './moving.ts'
import { felt, marked, money, movingRow, padded, type StartView } from './pieces.ts'
import { verdictCell } from './verdict.ts'

/** `since`: when its present work began. */
type MemberNow = { state: State; since: number; last: string }

const mostRows = 3

export function groupMoving(
  group: GroupState,
  { members, now, frame }: { members: ReadonlyMap<string, MemberNow>; now: number; frame: number },
  view: StartView,
): string[] {
  const running = group.nodes.flatMap(one => {
    const known = one.member === null ? undefined : members.get(one.member)
    return known && !isSettled(one) ? [{ name: one.node.id, ...known }] : []
  })
  const mark = ink(view.look, 'cyan', spinnerSign(view.look, frame))
  const rows = running.slice(0, mostRows).map(one => `  ${mark} ${memberWords(one, now, { group, view })}`)
  return [...rows.map(row => cutTo(row, view.width)), totalRow(group, running, view)]
}

function memberWords(
  { name, state, since, last }: MemberNow & { name: string },
  now: number,
  { group, view }: { group: GroupState; view: StartView },
): string {
  const { iteration } = state.work
  const { judged } = state
  const verdict = judged.results.length > 0 ? verdictCell(judged.results, judged.earlier) : null
  const facts = [
    ...(iteration > 1 ? [`iteration ${iteration}`] : []),
    ...(verdict ? [marked(view, verdict.mark, verdict.words)] : []),
    wordsFor(state, { work: workOf(state) ?? 'save', last, now }),
  ]
  return `${padded(name, wide(group) + 2)}${padded(felt(now - since), 6)}${facts.join('  ')}`
}

function totalRow(group: GroupState, running: readonly MemberNow[], view: StartView): string {
  const own = summarizeGroup(group)
  const spent = costTogether([{ ...own, iteration: 0 }, ...running.map(({ state }) => summarize(state))])
  const cost = money(spent.costUsd, spent)
  const steps = group.nodes.filter(({ node }) => node.kind === 'loop' && !node.reads)
  const done = steps.filter(isSettled).length
  const more = running.length > mostRows ? `, ${running.length - mostRows} more running` : ''
  const pause = group.hold && !group.isCancelled ? ', then pauses' : ''
  const words = group.isCancelled
    ? 'stopping'
    : `${done} of ${steps.length} done${more}${cost === '' ? '' : `, ${cost}`}${pause}`
  const hint = group.isCancelled ? '' : group.hold ? 'Ctrl-C cancels' : 'Ctrl-C pauses, twice cancels'
  return ink(view.look, 'dim', movingRow(`    ${words}`, hint, view))
}

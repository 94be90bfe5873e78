/**
 * The rows at the bottom of the terminal while a loop runs in the foreground: at most four, each cut to the width. The
 * last row has the current step and the keys. A fact that is not known takes no row.
 */
import { type CostKnown, formatCost, formatDuration, formatMoney } from '../../model/units.ts'
import { bothEnds, cutTo, withoutTabs } from '../layout/width.ts'
import { chart, gauge, inCharset, ink, type Look, sign } from './look.ts'

type LiveFacts = {
  iteration: number
  maxIterations: number | null
  /** The number of failing tests after each iteration, oldest first. */
  failing: readonly number[]
  cost: CostKnown & { costUsd: number | null; budgetUsd: number | null }
  /** The unfinished last line of the agent's output. */
  last: string
  /** The current step, since when it runs, and the keys. */
  moving: string
  frame: number
}

const spinner = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const plainSpinner = ['|', '/', '-', '\\']

export function spinnerSign({ unicode }: Pick<Look, 'unicode'>, frame: number): string {
  const signs = unicode ? spinner : plainSpinner
  return signs[frame % signs.length] ?? ''
}

export function liveRows(facts: LiveFacts, look: Look, width: number): string[] {
  const last = withoutTabs(facts.last).trim()
  const mark = ink(look, 'cyan', spinnerSign(look, facts.frame))
  return [
    ...(last === '' ? [] : [ink(look, 'dim', cutTo(`  ${sign(look, 'bar')} ${last}`, width))]),
    ...(facts.iteration === 0 ? [] : [factsRow(facts, look, width)]),
    `${mark} ${cutTo(facts.moving, width - 2)}`,
  ].map(row => inCharset(look, row))
}

function factsRow({ iteration, maxIterations, failing, cost }: LiveFacts, look: Look, width: number): string {
  const { costUsd, budgetUsd } = cost
  const now = failing.at(-1)
  const tests = now === undefined ? '' : `   ${chart(look, failing, 12)} ${now} failing`
  const left = `  iteration ${iteration}/${maxIterations ?? '∞'}${tests}`
  const bar = budgetUsd !== null && costUsd ? ` ${gauge(look, costUsd / budgetUsd, 8)}` : ''
  const spent = costUsd === null ? '' : `${spentWords(cost)}${bar}`
  return ink(look, 'dim', bothEnds(left, spent, width).trimEnd())
}

/** `~$1.20 of $25` */
function spentWords(cost: LiveFacts['cost']): string {
  const { costUsd, budgetUsd } = cost
  return `${formatCost(costUsd ?? 0, cost)}${budgetUsd === null ? '' : ` of ${formatMoney(budgetUsd)}`}`
}

type Lane = {
  name: string
  word: string
  sinceMs: number
  iteration: number
  maxIterations: number | null
  failing: number | null
}

type GroupLanes = { lanes: Lane[]; over: number; all: number; cost: LiveFacts['cost'] }

const mostLanes = 3

/** One row for each loop of a group, at most three, and one row for the whole group. */
export function laneLines(
  { lanes, over, all, cost }: GroupLanes,
  { look, width, frame }: { look: Look; width: number; frame: number },
): string[] {
  const widest = Math.max(0, ...lanes.slice(0, mostLanes).map(({ name }) => name.length))
  const rows = lanes.slice(0, mostLanes).map(lane => {
    const tests = lane.failing === null ? '' : `, ${lane.failing} failing`
    const between = lane.iteration === 0 ? 'begins' : 'ends'
    const what = lane.word === '' ? between : `${lane.word} ${formatDuration(lane.sinceMs)}`
    const facts = `${lane.iteration}/${lane.maxIterations ?? '∞'}  ${what}${tests}`
    return cutTo(
      `${ink(look, 'cyan', spinnerSign(look, frame))} ${lane.name.padEnd(widest)}  ${ink(look, 'dim', facts)}`,
      width,
    )
  })
  const more = lanes.length > mostLanes ? `, ${lanes.length - mostLanes} more under way` : ''
  const spent = cost.costUsd === null ? '' : `, ${spentWords(cost)}`
  const hint = '   (Ctrl-C pauses, twice cancels)'
  const facts = cutTo(`  ${over} of ${all} nodes are over${more}${spent}`, width - hint.length)
  return [...rows, ink(look, 'dim', cutTo(facts + hint, width))].map(row => inCharset(look, row))
}

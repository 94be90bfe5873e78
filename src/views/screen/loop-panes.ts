/** The screen of a loop: a pure function of the loop, the selection and the open dialog. */
import type { Iteration } from '../../core/loop/history.ts'
import type { State } from '../../core/loop/state.ts'
import type { AnySummary } from '../../core/summary.ts'
import { safeLine } from '../../core/text/plain-text.ts'
import { addTokens, type ContextUse, laterContext, type Tokens } from '../../model/agent.ts'
import type { Recorded } from '../../model/loop/event.ts'
import { formatContext, formatDuration, formatMoney, formatTokens } from '../../model/units.ts'
import { breakerWords, type Shown } from '../text/status.ts'
import { askedRows, footOf, type ScreenFrame, type ScreenQuestion, type Size } from './frame.ts'
import { headRows, type Usage } from './head.ts'
import { ink, type Look, sign } from './look.ts'
import { failingOf, type IterationRow, listLine, listRows } from './loop-list.ts'
import { headIn, isTooSmall, panesFrame, shapeOf, tooSmallFrame } from './panes.ts'
import { loopKeyWords } from './watch-words.ts'

/** Without the prefixes `--- a/`, a removed line that begins with `-- ` would look like a head. */
const isHead =
  /^(?:diff |index |new file|deleted file|old mode|new mode|rename |(?:--- (?:"?a\/|\/dev\/null$)|\+\+\+ (?:"?b\/|\/dev\/null$)))/

/** The colours of a patch. */
export function diffInk(look: Look, row: string): string {
  if (isHead.test(row)) return ink(look, 'bold', row)
  if (row.startsWith('@@')) return ink(look, 'cyan', row)
  if (row.startsWith('+')) return ink(look, 'green', row)
  return row.startsWith('-') ? ink(look, 'red', row) : row
}

type LoopScene = {
  look: Look
  now: number
  stale: string | null
  loop: { shown: Shown; events: readonly Recorded[]; iterations: readonly Iteration[] }
  /** The selected iteration, 0 for the baseline; `doing`: the step that is under way in the newest one. */
  selected: number
  doing: { what: string; sinceMs: number } | null
  /** How full the context of the current run is. */
  context: ContextUse | null
  tabs: readonly string[]
  tab: string
  info(): string
  /** The visible rows of the tab; `n` is the number of the line that a row belongs to, `beside` stands before it. */
  rows(window: { width: number; height: number }): { n: number; beside: string; text: string }[]
  found: number | null
  /** The open dialog: it replaces the rows of the tab, the row above the keys, and the keys. */
  asked: ScreenQuestion | null
  message: string
}

export function loopFrame(scene: LoopScene, size: Size): ScreenFrame {
  if (isTooSmall(size)) return tooSmallFrame(size)
  const { look, now, stale, asked, tabs, selected } = scene
  const { shown, events, iterations } = scene.loop
  const failing = [...failingOf(events).values()]
  const facts = { shown, now, usage: usageOf(iterations, scene.context), failing, stale }
  const head = headIn(headRows(facts, look, size.columns), size, asked !== null)
  const foot = footOf({ asked, message: scene.message, keys: loopKeyWords(shown) }, look, size)
  const rows = listRows(events, iterations, scene.doing)
  // The rows come before the info: they move a window that follows, and the info names its position.
  const body = bodyOf(scene, shapeOf(size, { head: head.length, foot: foot.rows.length }).body)
  const panes = {
    head,
    list: {
      title: 'ITERATIONS',
      rows: (width: number) => rows.map(row => chosen(listLine(row, look, width), row.n === selected, look)),
      selected: rows.findIndex(row => row.n === selected),
      strip: (width: number) => stripOf(rows, { selected, look, width }),
    },
    tabs: {
      names: [...tabs],
      selected: tabs.indexOf(scene.tab),
      info: asked?.rows.length ? '' : scene.info(),
    },
    body,
    foot,
  }
  return panesFrame(panes, look, size)
}

function bodyOf(
  { asked, look, tab, found, rows }: LoopScene,
  window: { width: number; height: number },
): string[] {
  const own = askedRows(asked, look, window)
  if (own) return own
  return rows(window).map(({ n, beside, text }) => {
    const row = tab === 'Diff' ? diffInk(look, text) : text
    return `${ink(look, 'dim', beside)}${n === found ? ink(look, 'inverse', row) : row}`
  })
}

function chosen(line: string, isChosen: boolean, look: Look): string {
  return isChosen ? ink(look, 'bold', line.replace(/^ /, sign(look, 'cursor'))) : line
}

/** The list as one row for a narrow screen: `✗1 ✗2 ●3`, the selected iteration in brackets. */
function stripOf(
  rows: IterationRow[],
  { selected, look, width }: { selected: number; look: Look; width: number },
): string {
  const words = rows.flatMap(row => {
    if (row.n === null) return []
    const judged = row.isSuspect ? 'error' : row.verdict === 'PASS' ? 'pass' : row.verdict ? 'fail' : 'none'
    const mark = row.doing === null ? judged : 'busy'
    const word = `${sign(look, mark).slice(0, 1)}${row.n}`
    return [row.n === selected ? ink(look, 'bold', `[${word}]`) : ` ${word} `]
  })
  return words.slice(-Math.max(1, Math.floor(width / 6))).join('')
}

/** The sum of the usage that the runs reported. */
function usageOf(iterations: readonly Iteration[], now: ContextUse | null): Usage {
  const known = iterations.flatMap(({ tokens }) => tokens ?? [])
  const all = known.reduce<Tokens | null>((sum, one) => (sum ? addTokens(sum, one) : one), null)
  // The current run may not have reported its context window yet: then the value of the runs before it holds.
  const contexts = [...iterations.flatMap(({ context }) => context ?? []), ...(now ? [now] : [])]
  const last = contexts.reduce<ContextUse | null>(laterContext, null)
  return { tokens: all ? formatTokens(all) : null, context: formatContext(last) }
}

/** The criteria of a loop in full: the question of each, whether it is met, and the evidence; then the breakers. */
export function criteriaLines(summary: AnySummary, { spec }: State): string[] {
  const { criteria: judged = {}, breakers = [] } = summary
  const criteria = Object.entries(judged).flatMap(([name, one]) => {
    const { met, verdict, why, verification, evidence } = one
    return [
      `${met ? '✓' : verdict === 'ERROR' ? '!' : '✗'} ${name}`,
      ...(evidence && evidence.command !== name ? [`    command     ${evidence.command}`] : []),
      `    verdict     ${verdict ?? 'not judged yet'}${why ? ` (${why})` : ''}`,
      `    evidence    ${verification}`,
      ...(evidence
        ? [
            `    took        ${formatDuration(evidence.durationMs)}`,
            ...(evidence.failing === null ? [] : [`    failing     ${evidence.failing}`]),
            ...(evidence.checkpoint ? [`    judged in   ${evidence.checkpoint}`] : []),
          ]
        : []),
      '',
    ]
  })
  const mustNot = (spec.mustNot ?? []).map(({ name, command }) => `must not  ${name}: ${command}`)
  return [
    ...criteria,
    ...(mustNot.length > 0 ? [...mustNot, ''] : []),
    'Limits',
    `    iterations  ${summary.iteration} of ${summary.maxIterations ?? 'unlimited'}`,
    `    budget      ${summary.budgetUsd === null ? 'none' : formatMoney(summary.budgetUsd)}`,
    ...breakers.map(breaker => `    breaker     ${breakerWords(breaker)}`),
  ].map(safeLine)
}

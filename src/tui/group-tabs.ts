/** The tabs of a group, by its program: which tabs there are, the rows in the window, and the selection in the list. */

import type { GroupSummary } from '../core/group/summary.ts'
import { safeLine, safeText } from '../core/text/plain-text.ts'
import type { WatchedGroup } from '../engine/watched.ts'
import { folded } from '../views/layout/columns.ts'
import { ink, type Look, sign } from '../views/screen/look.ts'
import { groupSays } from '../views/screen/messages.ts'
import { graphRows, laneRows, type NodeLine, nodeLine, nodeMark } from '../views/screen/nodes.ts'
import { findingDetail, findingLine, type PlanSight, planRows } from '../views/screen/plan.ts'
import { comparisonTable } from '../views/text/compare.ts'

export type GroupTab = 'Lanes' | 'Compare' | 'Graph' | 'Tasks' | 'Findings'

const tabs: Record<string, GroupTab[]> = {
  'best-of': ['Lanes', 'Compare', 'Graph'],
  workflow: ['Graph', 'Lanes'],
  plan: ['Tasks', 'Findings', 'Graph'],
}

export function groupTabs(program: string | undefined): GroupTab[] {
  return tabs[program ?? ''] ?? ['Lanes', 'Graph']
}

type Window = { look: Look; width: number; now: number }

type Sight = { group: WatchedGroup; plan: PlanSight | null; lines: NodeLine[]; finding: number }

/** The rows of the window, below the open question of the group. */
export function groupRows(tab: GroupTab, sight: Sight, window: Window): string[] {
  const { look, width } = window
  const { question } = sight.group.summary
  const asks =
    question === null || tab === 'Findings'
      ? []
      : [
          ink(look, 'yellow', groupSays.asksYou),
          ...safeText(question)
            .split('\n')
            .flatMap(row => folded(`  ${row}`, width)),
          '',
        ]
  return [...asks, ...tabRows(tab, sight, window)]
}

function tabRows(tab: GroupTab, { group, plan, lines, finding }: Sight, window: Window): string[] {
  const { look, width } = window
  const { state, summary } = group
  switch (tab) {
    case 'Lanes':
      return laneRows(lines, { ...window, state, summary })
    case 'Compare':
      return comparisonRows(comparisonTable(state, width).map(safeLine), width)
    case 'Graph':
      return graphRows(lines, state, look)
    case 'Tasks':
      return plan ? planRows(plan, { ...window, lines }) : []
    case 'Findings': {
      const one = plan?.findings[finding]
      if (one) return findingDetail(one, look, width)
      return [groupSays.nothingFound]
    }
  }
}

/** The sentences below the table are broken between words; the table is cut where it is too wide. */
function comparisonRows(rows: string[], width: number): string[] {
  const end = rows.indexOf('')
  return rows.flatMap((row, i) => (i < end ? [row] : folded(row, width)))
}

/** The list beside the window: the nodes, or the findings. */
export function groupList(
  tab: GroupTab,
  { group, plan, lines }: Omit<Sight, 'finding'>,
  { look, now, selected }: { look: Look; now: number; selected: number },
) {
  const isFindings = tab === 'Findings'
  const rows = (width: number) =>
    isFindings
      ? (plan?.findings ?? []).map(one => findingLine(one, look, width))
      : lines.map(line => nodeLine(line, { look, width, now, chosen: isChosen(group.summary, line) }))
  const words = isFindings
    ? (plan?.findings ?? []).map(({ file, line }) => `${file}:${line}`)
    : lines.map(line => `${sign(look, nodeMark(line).sign).slice(0, 1)}${line.node.id}`)
  return {
    title: isFindings ? 'FINDINGS' : 'NODES',
    rows: (width: number) =>
      rows(width).map((row, i) =>
        i === selected ? ink(look, 'bold', row.replace(/^ /, sign(look, 'cursor'))) : row,
      ),
    selected,
    strip: (width: number) => stripOf(words, selected, { look, width }),
  }
}

function isChosen({ winner, inTree }: GroupSummary, { node: { id } }: NodeLine): boolean {
  return winner === id || inTree === id
}

/** The list as one row, for narrow terminals. The selected entry is in brackets and always visible. */
function stripOf(
  words: readonly string[],
  selected: number,
  { look, width }: { look: Look; width: number },
): string {
  const cells = words.map((word, i) => (i === selected ? ink(look, 'bold', `[${word}]`) : ` ${word} `))
  let from = 0
  while (from < selected && words.slice(from, selected + 1).join('  ').length + 2 > width) from += 1
  return cells.slice(from).join('')
}

/** The box at the end of a loop: the ship verdict (core/loop/assess/ship) with its facts. */

import { doubtsOf } from '../../core/loop/assess/doubts.ts'
import { shipOf } from '../../core/loop/assess/ship.ts'
import { standings } from '../../core/loop/criteria.ts'
import type { State } from '../../core/loop/state.ts'
import { safeLine } from '../../core/text/plain-text.ts'
import { doubtWords } from '../words/doubt.ts'

const lights = { SHIP: '🟢', MONITOR: '🟡', RESEARCH: '🔴' } as const

export function verdictBox(state: State): string[] {
  const criteria = standings(state)
  const doubts = doubtsOf(state)
  const { verdict } = shipOf(state)
  const met = criteria.filter(standing => standing.met)
  const verified = [...new Set(met.map(({ verification }) => verification))].join(', ') || 'nothing'
  return box(`${lights[verdict]} ${verdict}`, [
    `Verified: ${verified}`,
    `Tasks: ${met.length}/${criteria.length} complete`,
    `Subjective: ~– · Type ${state.assessed.reversibility} · ${criteria.length}pt`,
    ...(doubts.length > 0 ? [`Look at: ${safeLine(doubtWords(doubts))}`] : []),
  ])
}

/** The light is two columns wide. */
function box(title: string, lines: string[]): string[] {
  const width = Math.max(36, ...lines.map(line => line.length + 2))
  return [
    `╭─ ${title} ${'─'.repeat(width - title.length - 3)}╮`,
    ...lines.map(line => `│ ${line.padEnd(width - 2)} │`),
    `╰${'─'.repeat(width)}╯`,
  ]
}

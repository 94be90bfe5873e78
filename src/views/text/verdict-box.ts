/**
 * The box at the end of a loop: may this be shipped? SHIP only when every criterion is met by strong evidence
 * and the change is easy to take back; MONITOR when it is met but hard to take back, known only by review, or in doubt
 * (tests are gone, the repository is gone or its HEAD moved); RESEARCH when anything is unmet or assumed.
 */
import { type Standing, standings } from '../../core/loop/criteria.ts'
import { type Doubt, doubtsOf } from '../../core/loop/parts/doubts.ts'
import type { State } from '../../core/loop/state.ts'
import { type Reversibility, reversibility } from '../../core/score/reversibility.ts'
import type { Verification } from '../../model/loop/spec.ts'
import { doubtWords } from '../words/doubt.ts'
import { safeLine } from './plain-text.ts'

type Verdict = 'SHIP' | 'MONITOR' | 'RESEARCH'

const strong: readonly Verification[] = ['execution output', 'observation', 'measurement']
const lights = { SHIP: '🟢', MONITOR: '🟡', RESEARCH: '🔴' } as const

type Facts = { criteria: Standing[]; type: Reversibility; doubts: Doubt[] }

function shipVerdict({ criteria, type, doubts }: Facts): Verdict {
  const sound = criteria.length > 0 && criteria.every(({ met }) => met)
  if (!sound || criteria.some(({ verification }) => verification === 'assumption')) return 'RESEARCH'
  return doubts.length === 0 &&
    type !== '1' &&
    criteria.some(({ verification }) => strong.includes(verification))
    ? 'SHIP'
    : 'MONITOR'
}

export function verdictBox(state: State): string[] {
  const criteria = standings(state)
  const type = reversibility(state.spec.prompt)
  const doubts = doubtsOf(state)
  const verdict = shipVerdict({ criteria, type, doubts })
  const met = criteria.filter(standing => standing.met)
  const verified = [...new Set(met.map(({ verification }) => verification))].join(', ') || 'nothing'
  return box(`${lights[verdict]} ${verdict}`, [
    `Verified: ${verified}`,
    `Tasks: ${met.length}/${criteria.length} complete`,
    `Subjective: ~– · Type ${type} · ${criteria.length}pt`,
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

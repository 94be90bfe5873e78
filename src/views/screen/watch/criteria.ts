/** The criteria of a loop in full: the question of each, whether it is met, and the evidence; then the breakers. */
import type { State } from '../../../core/loop/state.ts'
import type { Summary } from '../../../core/loop/summary.ts'
import { safeLine } from '../../../core/text/plain-text.ts'
import { formatDuration, formatMoney } from '../../../model/units.ts'
import { breakerWords } from '../../text/status.ts'

export function criteriaLines(summary: Summary, { spec }: State): string[] {
  const criteria = Object.entries(summary.criteria).flatMap(([name, one]) => {
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
    ...summary.breakers.map(breaker => `    breaker     ${breakerWords(breaker)}`),
  ].map(safeLine)
}

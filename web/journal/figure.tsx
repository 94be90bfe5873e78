/** One figure in the head of a page: its name, its value, and its limit. */
import type { JSX } from 'preact'
import { formatMoney } from '../../src/model/units.ts'
import { Meter } from '../parts/meter.tsx'

type Props = { name: string; value: string; more: string; children?: JSX.Element | false }

export function Figure({ name, value, more, children }: Props): JSX.Element {
  return (
    <div class="figure">
      <dt>{name}</dt>
      <dd>
        <strong class="num">{value}</strong> <span class="quiet small">{more}</span>
        {children}
      </dd>
    </div>
  )
}

type CostProps = { value: string; costUsd: number | null; budgetUsd: number | null }

export function CostFigure({ value, costUsd, budgetUsd }: CostProps): JSX.Element {
  return (
    <Figure
      name="Cost"
      value={value}
      more={budgetUsd === null ? 'no budget' : `of ${formatMoney(budgetUsd)}`}
    >
      {budgetUsd !== null && <Meter used={costUsd ?? 0} of={budgetUsd} label="Budget used" />}
    </Figure>
  )
}

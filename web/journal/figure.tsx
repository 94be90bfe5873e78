/** One figure in the head of a page: its name, its value, and its limit. */
import type { JSX } from 'preact'

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

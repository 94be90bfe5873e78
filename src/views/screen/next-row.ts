/** The row of a screen that says what to type about a loop or group that goes on no more by itself. */
import { isNotApplied } from '../../core/attention.ts'
import { oneLine } from '../../core/text/plain-text.ts'
import { folded } from '../layout/columns.ts'
import { cutTo } from '../layout/width.ts'
import type { Shown } from '../text/status.ts'
import { waysOn } from '../words/next-steps.ts'
import { ink, type Look } from './look.ts'

/** At most two rows; none while it works, or once it has completed. */
export function nextRow(shown: Shown, look: Look, width: number): string[] {
  const isStill =
    isNotApplied(shown.summary) || ['paused', 'failed', 'crashed'].includes(shown.summary.status)
  const steps = isStill ? waysOn(shown) : []
  if (steps.length === 0) return []
  const [first = '', ...rest] = folded(oneLine(`next: ${steps.join(' | ')}`), width)
  const rows = rest.length === 0 ? [first] : [first, cutTo(rest.join(' '), width)]
  return rows.map(row => ink(look, 'dim', row))
}

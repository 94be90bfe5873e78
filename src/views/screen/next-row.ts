/** The row of a screen that says what to type about a loop or group that goes on no more by itself. */
import { cutTo } from '../layout/width.ts'
import { oneLine } from '../text/plain-text.ts'
import type { Shown } from '../text/status.ts'
import { waysOn } from '../words/next-steps.ts'
import { ink, type Look } from './look.ts'

/** At most one row; none while it works, or once it has completed. */
export function nextRow(shown: Shown, look: Look, width: number): string[] {
  const isStill = ['paused', 'failed', 'crashed'].includes(shown.summary.status)
  const steps = isStill ? waysOn(shown) : []
  return steps.length === 0 ? [] : [ink(look, 'dim', cutTo(oneLine(`next: ${steps.join(' | ')}`), width))]
}

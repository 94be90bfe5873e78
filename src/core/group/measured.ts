/** The number that a measure came to; null where it printed none. */
import type { Measure } from '../../model/group/node.ts'
import type { Exit } from '../../model/run.ts'

export function readMeasure({ reads }: Measure, exit: Exit | null, output: string): number | null {
  if (reads === 'exit') return exit?.code === 0 && !exit.timedOut ? 1 : 0
  const last = output.trim().split('\n').at(-1) ?? ''
  const number = /^[^\d+-]*([+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?)\D*$/i.exec(last)?.[1]
  return number === undefined ? null : Number(number)
}

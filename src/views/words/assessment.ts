/** The assessment of a loop in words: its shape, and a change that is harder to undo than expected. */

import { spelledOut } from '../../core/text/plain-text.ts'
import type { Assessment, Raised, Shape } from '../../model/loop/assessment.ts'

const shapeNames: Record<Shape, string> = {
  tool: 'Tool',
  'tool-review': 'Tool-Review',
  colleague: 'Colleague',
  blocked: 'Blocked',
}

/** `Tool`, or `Tool (9/10)` where it was scored. */
export function shapeWords({ shape, score }: Pick<Assessment, 'shape' | 'score'>): string {
  return score === undefined ? shapeNames[shape] : `${shapeNames[shape]} (${score}/10)`
}

export function raiseWords({ reversibility, path }: Raised): string {
  return `harder to take back than it seemed: Type ${reversibility}, by ${spelledOut(path)}`
}

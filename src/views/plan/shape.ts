/**
 * SHAPE.md as loop writes it, with a mark by which loop recognises its own file: a file without it has to be trusted
 * first.
 */
import { shapeFileText } from '../../core/plan/shape-file.ts'
import type { PlanShape } from '../../model/plan.ts'

export const shapeMark = '<!-- written by loop'

export function shapePage(shape: PlanShape, plan: string): string {
  return `${shapeFileText(shape).trimEnd()}\n\n${shapeMark} for plan ${plan}; the next plan replaces it -->\n`
}

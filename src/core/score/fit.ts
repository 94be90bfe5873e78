/**
 * From a score to the autonomy of the work. The fit is five per point, five for each of constraints, success and
 * done that is stated in full, and up to ten for a repository with completed loops.
 */
import type { Shape } from '../../model/loop/assessment.ts'
import type { Dimension } from './score.ts'

/** `fit`: four shapes by the fit. `score`: the older rule, three shapes by the score alone. */
export const shapeRules = ['fit', 'score'] as const
export type ShapeRule = (typeof shapeRules)[number]

const bonus: readonly Dimension[] = ['constraints', 'success', 'done']
const least = { score: 5, tool: 40, toolReview: 30, colleague: 25, toolByScore: 8 }

/** The points for this many completed loops in the repository. */
export function familiarityOf(completed: number): number {
  return Math.min(10, 2 * completed)
}

/** `sure`: the dimensions with both points. */
type Scored = { score: number; sure: readonly Dimension[]; familiarity: number }

export function fitOf({ score, sure, familiarity }: Scored): number {
  return 5 * score + 5 * sure.filter(dimension => bonus.includes(dimension)).length + familiarity
}

/** A score below five is blocked, whatever the rule and the fit. */
export function shapeFor({ score, fit }: { score: number; fit: number }, rule: ShapeRule): Shape {
  if (score < least.score) return 'blocked'
  if (rule === 'score') return score >= least.toolByScore ? 'tool' : 'colleague'
  if (fit >= least.tool) return 'tool'
  if (fit >= least.toolReview) return 'tool-review'
  return fit >= least.colleague ? 'colleague' : 'blocked'
}

/**
 * How well a spec describes the work: five dimensions, 0 to 2 points each, from its words alone, so that the same
 * text always has the same score and no agent is asked. Each dimension has its reason and what would raise it.
 */

import type { Shape } from '../../model/loop/assessment.ts'
import {
  checksIn,
  endState,
  hardConstraint,
  measureIn,
  place,
  softConstraint,
  untilWhen,
} from './evidence.ts'
import { familiarityOf, fitOf, type ShapeRule, shapeFor } from './fit.ts'
import { parts } from './named.ts'

export type Dimension = 'outcome' | 'scope' | 'constraints' | 'success' | 'done'
type Points = 0 | 1 | 2

/** `raise` is null if nothing is missing. */
type Judged = { dimension: Dimension; points: Points; reason: string; raise: string | null }

export type Score = { score: number; fit: number; shape: Shape; dimensions: Judged[] }

/** `completed`: the number of completed loops in this repository; `rule`: how the shape follows from the score. */
type Known = { completed?: number; rule?: ShapeRule }

export function scoreSpec(spec: string, { completed = 0, rule = 'fit' }: Known = {}): Score {
  const familiarity = familiarityOf(completed)
  const dimensions = [outcome(spec), scope(spec), constraints(spec), success(spec), done(spec)]
  const score = dimensions.reduce((sum, { points }) => sum + points, 0)
  const sure = dimensions.filter(({ points }) => points === 2).map(({ dimension }) => dimension)
  const fit = fitOf({ score, sure, familiarity })
  return { score, fit, shape: shapeFor({ score, fit }, rule), dimensions }
}

function outcome(spec: string): Judged {
  const found = measureIn(spec)
  if (found !== null) return judged('outcome', 2, `${quoted(found)} can be measured`)
  const [named] = parts(spec)
  if (named) return judged('outcome', 1, `${quoted(named.words)} says what, not how much`)
  return judged('outcome', 0, 'nothing says what will be different')
}

function scope(spec: string): Judged {
  const found = spec.match(place)
  if (found) return judged('scope', 2, `${quoted(found[0])} is a place`)
  const named = parts(spec).filter(({ isThing }) => isThing)
  const [part] = [...named.filter(({ where }) => where), ...named]
  if (part) return judged('scope', 1, `${quoted(part.words)} is a part, not a place`)
  return judged('scope', 0, 'it could be anywhere')
}

function constraints(spec: string): Judged {
  const found = spec.match(hardConstraint)
  if (found) return judged('constraints', 2, `${quoted(found[0])} can be checked`)
  const wish = spec.match(softConstraint)
  if (wish) return judged('constraints', 1, `${quoted(wish[0])} is a wish`)
  return judged('constraints', 0, 'none stated')
}

function success(spec: string): Judged {
  const found = checksIn(spec)
  if (found.length > 1) return judged('success', 2, `more than one check: ${found.join(', ')}`)
  if (found.length === 1) return judged('success', 1, `one check: ${found[0]}`)
  return judged('success', 0, 'none stated')
}

function done(spec: string): Judged {
  const found = spec.match(endState)
  if (found) return judged('done', 2, `${quoted(found[0])} is an end that can be seen`)
  const when = untilWhen.exec(spec)
  if (!when) return judged('done', 0, 'implied')
  const then = spec.slice(when.index + when[0].length)
  const isSeen = checksIn(then).length > 0 || place.test(then)
  if (isSeen) return judged('done', 2, `${quoted(spec.slice(when.index))} is an end that can be seen`)
  return judged('done', 1, `${quoted(spec.slice(when.index))} leaves open how that is seen`)
}

/** What each dimension lacks, as a suggestion. */
const missing: Record<Dimension, string> = {
  outcome: 'a number or an answer that will be true: "p95 latency <100ms"',
  scope: 'the file, route or function: "/api/auth/token"',
  constraints: 'what must not happen, or a limit: "no new deps, <500 LOC"',
  success: 'two ways to look: "all tests + manual QA"',
  done: 'the state in which it is over: "PR merged to main"',
}

function judged(dimension: Dimension, points: Points, reason: string): Judged {
  return { dimension, points, reason, raise: points === 2 ? null : missing[dimension] }
}

function quoted(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return `"${line.length > 60 ? `${line.slice(0, 59)}…` : line}"`
}

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

/** Words without content. */
const empty = new Set(
  `a an and are as at be but by can do does for from get give go good had has have how i if in into is it its
  just let like make makes making me more much my need needs of on or our out please really should so some than
  that the their them then there these they this those to too up us very want we what when where which will with
  would you your better best nice nicer great well right proper properly correct correctly modern clean
  cleaner improve improved improvement fix fixes fixed work works working change update handle look thing things
  stuff everything anything something all every whole app application project code codebase system program
  software site website repo repository product tool bug bugs issue issues problem problems none stated`.split(
    /\s+/,
  ),
)

/** Words with content that name no thing: a quote continues with the words after them. */
const verbs = new Set(
  `add adds adding allow allows build builds create creates delete deletes enable fast faster implement implements introduce
  merge merged migrate move new no pr refactor remove removes rename replace show shows speed support use uses using
  write writes`.split(/\s+/),
)

/** A named thing; `where`: it is named as a place; `isThing`: it is more than a verb. */
type Part = { words: string; where: boolean; isThing: boolean }

/** The named things in order; if there are none, the first word with content. */
function parts(spec: string): Part[] {
  const words = Array.from(spec.matchAll(/[\p{L}][\p{L}\p{N}-]+/gu), ({ 0: text, index }) => ({
    text,
    index,
  }))
  const named: (Part & { end: number })[] = []
  let where = false
  for (const { text, index } of words) {
    const word = text.toLowerCase()
    const last = named.at(-1)
    const end = index + text.length
    if (empty.has(word) || verbs.has(word)) where = isWhere(word, where)
    else if (last && /^\s+$/.test(spec.slice(last.end, index))) {
      Object.assign(last, { words: `${last.words} ${text}`, end })
    } else named.push({ words: text, where, isThing: true, end })
    if (!empty.has(word)) where = false
  }
  if (named.length > 0) return named
  const telling = words.find(({ text }) => !empty.has(text.toLowerCase()))
  return telling ? [{ words: telling.text, where: false, isThing: false }] : []
}

/** After `in the`: an article in between changes nothing. */
function isWhere(word: string, before: boolean): boolean {
  if (['in', 'into', 'on', 'at', 'to', 'of', 'for', 'from'].includes(word)) return true
  return before && ['the', 'a', 'an', 'our', 'my', 'your', 'its', 'this'].includes(word)
}

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

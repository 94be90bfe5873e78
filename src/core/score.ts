/**
 * What the words of a spec tell: how well it describes the work, and which type of work it is. The score has five
 * dimensions, 0 to 2 points each, from its words alone, so that the same text always has the same score and no agent is
 * asked. Each dimension has its reason and what would raise it.
 */
import type { Shape, WorkflowType } from '../model/loop/assessment.ts'

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
type JudgedDimension = { dimension: Dimension; points: Points; reason: string; raise: string | null }

export type Score = { score: number; fit: number; shape: Shape; dimensions: JudgedDimension[] }

/** `completed`: the number of completed loops in this repository; `rule`: how the shape follows from the score. */
type ScoreContext = { completed?: number; rule?: ShapeRule }

export function scoreSpec(spec: string, { completed = 0, rule = 'fit' }: ScoreContext = {}): Score {
  const familiarity = familiarityOf(completed)
  const dimensions = [outcome(spec), scope(spec), constraints(spec), success(spec), done(spec)]
  const score = dimensions.reduce((sum, { points }) => sum + points, 0)
  const sure = dimensions.filter(({ points }) => points === 2).map(({ dimension }) => dimension)
  const fit = fitOf({ score, sure, familiarity })
  return { score, fit, shape: shapeFor({ score, fit }, rule), dimensions }
}

function outcome(spec: string): JudgedDimension {
  const found = measureIn(spec)
  if (found !== null) return judged('outcome', 2, `${quoted(found)} can be measured`)
  const [named] = parts(spec)
  if (named) return judged('outcome', 1, `${quoted(named.words)} says what, not how much`)
  return judged('outcome', 0, 'nothing says what will be different')
}

function scope(spec: string): JudgedDimension {
  const found = spec.match(place)
  if (found) return judged('scope', 2, `${quoted(found[0])} is a place`)
  const named = parts(spec).filter(({ isThing }) => isThing)
  const [part] = [...named.filter(({ where }) => where), ...named]
  if (part) return judged('scope', 1, `${quoted(part.words)} is a part, not a place`)
  return judged('scope', 0, 'it could be anywhere')
}

function constraints(spec: string): JudgedDimension {
  const found = spec.match(hardConstraint)
  if (found) return judged('constraints', 2, `${quoted(found[0])} can be checked`)
  const wish = spec.match(softConstraint)
  if (wish) return judged('constraints', 1, `${quoted(wish[0])} is a wish`)
  return judged('constraints', 0, 'none stated')
}

function success(spec: string): JudgedDimension {
  const found = checksIn(spec)
  if (found.length > 1) return judged('success', 2, `more than one check: ${found.join(', ')}`)
  if (found.length === 1) return judged('success', 1, `one check: ${found[0]}`)
  return judged('success', 0, 'none stated')
}

function done(spec: string): JudgedDimension {
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

function judged(dimension: Dimension, points: Points, reason: string): JudgedDimension {
  return { dimension, points, reason, raise: points === 2 ? null : missing[dimension] }
}

function quoted(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return `"${line.length > 60 ? `${line.slice(0, 59)}…` : line}"`
}

/**
 * The evidence for each dimension of a score, as tables of patterns over the words of a spec. A repetition that can
 * start at any character has an upper bound, so that the cost grows with the length of the text and not with its
 * square. What a match is worth: core/score.
 */
const amount = String.raw`\d[\d.,]{0,40}`
const unit = String.raw`(?:ns|[µu]s|ms|s|secs?|seconds?|min|minutes?|h|hours?|%|percent|[kmg]i?b|rps|qps|fps|req\/s|x|times)`
const bound = String.raw`(?:[<>≤≥=]=?|under|below|above|over|within|at (?:least|most)|(?:less|more|fewer|no more) than|up to)`
const size = String.raw`(?:loc|lines?(?: of code)?|files?|deps|dependencies|packages)`
/** A period of observation, not a duration that the work may take. */
const span = String.raw`(?:days?|weeks?|months?|years?)`

/** A file, route, function or identifier; commands in backticks and product names do not count. */
const places = [
  '`(?!(?:npm|pnpm|yarn|bun|npx|make|cargo|go|pytest|node|any)\\b)[^`\\n]+`',
  String.raw`(?<![\w.])(?:\.{0,2}\/)?[\w@.-]{1,100}(?:\/[\w@.*-]+)+\/?`,
  String.raw`(?<![\w.])[\w@-]{1,100}\/(?![\w/])`,
  String.raw`(?<!\S)\/[\w-]+(?:\/[\w:{}.-]+)*`,
  String.raw`\b[\w-]{1,100}\.(?:[cm]?[jt]sx?|py|go|rs|rb|java|kt|swift|php|cs?|cpp|h|hpp|sh|sql|css|s?html?|vue|svelte|ya?ml|toml|json|md|tf|prisma|proto|graphql|gradle|xml|ini|lock)\b`,
  String.raw`\b\w+\(\)`,
  String.raw`(?!(?:Git(?:Hub|Lab)|(?:Type|Java)Script|PostgreSQL|MySQL|GraphQL|OpenAPI|YouTube|LinkedIn|DevOps|OAuth|macOS|iOS|WebSockets?)\b)(?:\b[a-z]+(?:[A-Z]\w*)+\b|\b(?:[A-Z][a-z0-9]+){2,}\b)`,
  String.raw`\b[a-z0-9]+(?:_[a-z0-9]+)+\b|\b[A-Z0-9]+(?:_[A-Z0-9]+)+\b`,
]
export const place = new RegExp(places.join('|'))

/** Results that can be measured: a number, a named answer, or a change that a command can detect. */
const measures = [
  // Not the size of the work itself: that is a constraint.
  anyCase(
    String.raw`(?:[\w%]{1,40} ){0,2}${bound} ?\$?${amount}(?![\d.,]* ?(?:${size}|${span})\b) ?${unit}?`,
    String.raw`(?<!\bafter )(?<![\d.,])${amount} ?${unit}(?![\w-])`,
    String.raw`\bfrom v?\d[\d.,]* to v?\d[\d.,]*`,
    String.raw`\b(?:upgrade|bump|update|raise|lower|reduce|set)\b[^.;\n]{1,40} to v?\d[\d.]*`,
    String.raw`\b\d+ \w+ per (?:second|minute|hour|day)\b`,
    String.raw`\b\d+ (?:runs|times) in a row\b`,
    String.raw`\b(?:returns?|responds? with|then|status(?: code)?|exits?(?: with)?(?: code)?) (?:a |an )?\d{1,3}\b`,
    String.raw`\b(?:should|must) be (?:\d|true\b|false\b|null\b|empty\b|zero\b|["'\u0060])\S*`,
    String.raw`\bzero (?:\w+ )?(?:errors?|warnings?|failures?)\b`,
    String.raw`\b(?:count|size|number|lines|time|cost)\b[^.;\n]{0,30}\bgo(?:es)? (?:down|up)\b`,
    String.raw`\brenam(?:e|ing)\b[^.;\n]{1,60}\bto \S+`,
    String.raw`\breplac(?:e|ing) \S+ (?:with|by) \S+`,
    String.raw`\bset (?:the )?[^.;\n]{1,40}\bto \S+`,
    String.raw`\bprefix\b[^.;\n]{1,40}\bwith \S+`,
    String.raw`\S{1,80} ?(?:→|->|=>) ?\S+`,
  ),
  /\b(?:returns?|prints?) (?:a|an|one) [A-Z]\w+/,
  new RegExp(
    String.raw`\b(?:[Rr]emove|[Dd]elete|[Dd]rop)s?\b[^.;\n]{0,40}?\s(?:${places.slice(1).join('|')})`,
  ),
]

/** The first measurable result. */
function measureIn(spec: string): string | null {
  return measures.map(pattern => spec.match(pattern)?.[0]).find(Boolean) ?? null
}

const hardConstraint = anyCase(
  String.raw`\bno (?!longer\b|errors?\b|failures?\b)(?:new |more |other |breaking |external )?[\w\u0060-]+`,
  String.raw`\b(?:without|never|must not|mustn't|may not|shall not|do not|don't|only|exclude|excluding)\b[^.;\n]{2,40}`,
  String.raw`${bound} ?${amount} ?${size}\b`,
  String.raw`\bmax(?:imum)?(?: of)? \d+`,
  String.raw`\bzero (?:downtime|data loss|regressions?)\b`,
  String.raw`\bnothing else\b`,
  String.raw`\b(?:stays?|keeps?|remains?|leaves?|kept|left)\b[^.;\n]{0,40}\b(?:intact|compatible|as[- ]is|as (?:it is|they are))\b`,
  String.raw`\bunchanged\b`,
  String.raw`\bsame (?:cli |command line )?(?:flags?|api|interface|output|behaviou?r|format)\b`,
  String.raw`\bbackwards?[- ]compatible\b`,
)
const softConstraint = anyCase(
  String.raw`\b(?:use|using|reuse|keep|follow|prefer|stick|match|respect)\b[^.;\n]{0,40}\b(?:existing|current|same|stack|style|conventions?|patterns?|simple|small|to)\b`,
  String.raw`\b(?:avoid|minimal|minimi[sz]e)\b[^.;\n]{0,30}`,
)

/** The kinds of checks for success; each counts once. */
const checks: Record<string, (spec: string) => boolean> = {
  tests: matches(
    String.raw`\b(?:tests?|test suite|specs?)\b[^.;\n]{0,30}\b(?:pass(?:es|ing)?|green|succeeds?|run|proves?)\b`,
    String.raw`\b(?:all|unit|integration|regression|snapshot|contract|e2e|end-to-end) tests?\b`,
    String.raw`\b(?:npm|pnpm|yarn|bun|cargo|go|make) (?:run )?test\b`,
    String.raw`\b(?:pytest|jest|vitest)\b[^.;,\n]{0,15}\b(?:pass(?:es)?|green|succeeds?)\b`,
  ),
  'a person looks': matches(
    String.raw`\b(?:manual(?:ly)?|qa|reviewed|code review|approved|sign(?:ed)?[- ]off|demo|screenshots?|observe[ds]?|verified)\b`,
  ),
  'the build': matches(
    String.raw`\b(?:builds?|compiles?)\b[^.;\n]{0,20}\b(?:pass(?:es)?|succeeds?|works?|green|clean(?:ly)?|without)\b`,
    String.raw`\b(?:ci|pipeline)\b[^.;\n]{0,20}\b(?:green|pass(?:es)?|proves?)\b`,
    String.raw`\b(?:examples?|everything|it) compiles?\b`,
  ),
  'lint and types': matches(
    String.raw`\b(?:lint(?:er|ing)?|eslint|biome|tsc|type[- ]?checks?|types? check)\b`,
    String.raw`\b(?:zero|no) (?:type|lint) (?:errors?|warnings?)\b`,
  ),
  'a command': matches(
    String.raw`\u0060(?!(?:npm|pnpm|yarn|bun) (?:run )?(?:test|lint|build)\b)[^\u0060\n]+\u0060 (?:passes|succeeds|exits 0|is green)\b`,
  ),
  'a measurement': spec =>
    /\b(?:benchmarks?|coverage|measured?|profil(?:ed|ing))\b/i.test(spec) || figures.test(spec),
  'an answer': spec =>
    /\b(?:[Rr]eturns?|[Rr]esponds? with|[Pp]rints?|[Ee]xits?(?: with)?(?: code)?) (?:a |an |one )?["'`{\dA-Z]/.test(
      spec,
    ),
  'the same output': matches(String.raw`\bidentical\b|\bsame output\b`),
}
/** Figures with a bound or a unit; a version or a rename is not a check. */
const figures = anyCase(
  String.raw`(?:[\w%]{1,40} ){0,2}${bound} ?\$?${amount}(?![\d.,]* ?(?:${size}|${span})\b) ?${unit}?`,
  String.raw`(?<!\bafter )(?<![\d.,])${amount} ?${unit}(?![\w-])`,
  String.raw`\b\d+ (?:runs|times) in a row\b`,
)

/** The names of the checks that a text states. */
function checksIn(spec: string): string[] {
  return Object.keys(checks).filter(name => checks[name]?.(spec))
}

/** An end state that is visible from outside. */
const endState = anyCase(
  String.raw`\b(?:merged|deployed|released|published|shipped|tagged|pushed|committed|rolled out|handed over|closed|pr (?:is )?(?:open(?:ed)?|approved))\b(?: (?:to|on|in|into|at|by|as|behind) \S+)?`,
  String.raw`\b(?:publish|release|deploy|merge|push) (?:it )?(?:to|as|into) \S+`,
  String.raw`\b(?:is|goes|go) live\b`,
  String.raw`\bin production\b(?! (?:config\w*|mode|code|builds?|settings?|env\w*|logs?)\b)`,
  String.raw`\b(?:is|are|lands?) (?:in|on) (?:main|master|trunk)\b`,
)

/** Words for the end of the work; "when the list is empty" only says when something happens. */
const untilWhen = anyCase(
  String.raw`\b(?:done|finished|complete[d]?|stop|over|ready) (?:when|once|if|as soon as)\b`,
  String.raw`\buntil\b(?! now\b)`,
  String.raw`\b(?:when|once)\b(?= (?:it|this|that|all|everything)\b(?: \w+)? (?:works?|runs?|pass(?:es)?|looks?|done|ready|green|fixed)\b)`,
)

function anyCase(...patterns: string[]): RegExp {
  return new RegExp(patterns.join('|'), 'i')
}

function matches(...patterns: string[]): (spec: string) => boolean {
  const pattern = anyCase(...patterns)
  return spec => pattern.test(spec)
}

/**
 * The workflow type of a request, from its words: A build, B debug, C refactor. If several match, B precedes C
 * precedes A; if none does, it is A.
 */

/** Phrases in which such a word means something else: an error page is built, not repaired. */
const misleading: readonly RegExp[] = [
  /\berrors?[ -](?:pages?|messages?|handling|handlers?|boundar(?:y|ies)|codes?|screens?|states?|toasts?|banners?|budgets?|tracking|reports?|reporting|logs?|logging|types?|classe?s?|views?|responses?|dialogs?|formats?|texts?)\b/gi,
  /\b(?:no|zero|without(?: any)?) (?:\w+ )?errors?\b/gi,
  /\b(?:show|display|translate|log|print|render|return|throw|report|collect|list|wrap|format)s? (?:the |all |any )?errors?\b/gi,
  /\bdebug[ -](?:modes?|flags?|logs?|logging|output|builds?|symbols?|panels?|menus?|levels?|info|views?|endpoints?|toolbars?)\b/gi,
  /\b(?:without|never|not) (?:\w+ )?failing\b/gi,
  /\bclean(?:s|ing)? ?up after\b/gi,
]

/** The indicators of the specification, in the order in which they are tried. */
const indicators: readonly [WorkflowType, RegExp][] = [
  ['B', /\b(?:fix|fixes|fixing|debug|broken|errors?|failing)\b/i],
  ['C', /\b(?:refactor|refactoring|clean ?up|reorganize|migrate)\b/i],
]

export function workflowType(prompt: string): WorkflowType {
  const plain = misleading.reduce((text, phrase) => text.replaceAll(phrase, ' '), prompt)
  return indicators.find(([, words]) => words.test(plain))?.[0] ?? 'A'
}

/** The first rule for each type of work, which the prompt tells the agent. */
export const workflowRules: Record<WorkflowType, string> = {
  A: 'Before you write a part yourself, look for it in this project and in the libraries it uses.',
  B: 'Find the root cause before you change anything; no workaround for an unknown cause.',
  C: 'Keep the behaviour; delete what is not needed before you redesign the rest.',
}

/** The questions at the final gate for each type of work; an unanswered one becomes a task. */
export const workflowChecklists: Record<WorkflowType, readonly string[]> = {
  A: ['Which libraries were looked at', 'Which was chosen or rejected, and why'],
  B: ['The cause, with file and line', 'How the failing case was reproduced before the fix'],
  C: ['What was deleted first', 'Which checks show that the behaviour is the same'],
}

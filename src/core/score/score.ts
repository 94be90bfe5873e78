/**
 * How well a spec says what is to be done: five dimensions, 0 to 2 each, from its words alone, so that the same
 * text always scores the same and no agent is asked. Each says why, and what would raise it.
 */

export type Dimension = 'outcome' | 'scope' | 'constraints' | 'success' | 'done'
type Points = 0 | 1 | 2

/** `raise` is null where nothing is missing. */
type Judged = { dimension: Dimension; points: Points; reason: string; raise: string | null }

export type Shape = 'tool' | 'tool-review' | 'colleague' | 'blocked'

/** `fit` is without what is known from earlier loops. */
export type Score = { score: number; fit: number; shape: Shape; dimensions: Judged[] }

export function scoreSpec(spec: string): Score {
  const dimensions = [outcome(spec), scope(spec), constraints(spec), success(spec), done(spec)]
  const score = dimensions.reduce((sum, { points }) => sum + points, 0)
  const sure = dimensions.filter(({ dimension, points }) => bonus.includes(dimension) && points === 2)
  const fit = 5 * score + 5 * sure.length
  return { score, fit, shape: shapeOf(score, fit), dimensions }
}

const bonus: Dimension[] = ['constraints', 'success', 'done']

function shapeOf(score: number, fit: number): Shape {
  if (score < 5 || fit < 25) return 'blocked'
  if (fit >= 40) return 'tool'
  return fit >= 30 ? 'tool-review' : 'colleague'
}

const amount = String.raw`\d[\d.,]*`
const unit = String.raw`(?:ns|[µu]s|ms|s|secs?|seconds?|min|minutes?|h|hours?|%|percent|[kmg]i?b|rps|qps|fps|req\/s|x|times)`
const bound = String.raw`(?:[<>≤≥=]=?|under|below|above|over|within|at (?:least|most)|(?:less|more|fewer|no more) than|up to)`
const size = String.raw`(?:loc|lines?(?: of code)?|files?|deps|dependencies|packages)`
/** What can be held against a number, or an answer that is named. */
const measured = first(
  // Not of what the work itself may take: that is a constraint.
  String.raw`(?:[\w%]+ ){0,2}${bound} ?\$?${amount}(?![\d.,]* ?${size}\b) ?${unit}?`,
  String.raw`${amount} ?${unit}(?![\w-])`,
  String.raw`(?:returns?|responds? with|status(?: code)?|exits?(?: with)?) (?:a |an )?\d{1,3}\b`,
)
const place = new RegExp(
  [
    '`[^`\\n]+`',
    String.raw`(?<![\w.])(?:\.{0,2}\/)?[\w@.-]+(?:\/[\w@.*-]+)+`,
    String.raw`(?<!\S)\/[\w-]+(?:\/[\w:{}.-]+)*`,
    String.raw`\b[\w-]+\.(?:[cm]?[jt]sx?|py|go|rs|rb|java|kt|swift|php|cs?|cpp|h|hpp|sh|sql|css|s?html?|vue|svelte|ya?ml|toml|json|md|tf)\b`,
    String.raw`\b\w+\(\)`,
    String.raw`\b[a-z]+(?:[A-Z]\w*)+\b|\b(?:[A-Z][a-z0-9]+){2,}\b|\b[a-z0-9]+(?:_[a-z0-9]+)+\b`,
  ].join('|'),
)
const hard = first(
  String.raw`\bno (?!longer\b|errors?\b|failures?\b)(?:new |more |other |breaking |external )?[\w-]+`,
  String.raw`\b(?:without|never|must not|mustn't|may not|shall not|do not|don't|only|exclude|excluding)\b[^.;\n]{2,40}`,
  String.raw`${bound} ?${amount} ?${size}\b`,
  String.raw`\b(?:stays?|keeps?|remains?|leaves?|kept|left)\b[^.;\n]{0,40}\b(?:unchanged|intact|compatible|as (?:it is|they are))`,
  String.raw`\bbackwards?[- ]compatible\b`,
)
const soft = first(
  String.raw`\b(?:use|using|reuse|keep|follow|prefer|stick|match|respect)\b[^.;\n]{0,40}\b(?:existing|current|same|stack|style|conventions?|patterns?|simple|small|to)\b`,
  String.raw`\b(?:avoid|minimal|minimi[sz]e)\b[^.;\n]{0,30}`,
)
/** The ways to look whether it is a success; each counts once. */
const checks: Record<string, RegExp> = {
  tests:
    /\b(?:tests?|test suite|specs?)\b[^.;\n]{0,30}\b(?:pass(?:es|ing)?|green|succeeds?|run)\b|\b(?:all|unit|integration|e2e|end-to-end) tests?\b|\b(?:npm|pnpm|yarn|bun|cargo|go|make) (?:run )?test\b|\b(?:pytest|jest|vitest)\b/i,
  'a person looks':
    /\b(?:manual(?:ly)?|qa|reviewed|code review|approved|sign(?:ed)?[- ]off|demo|screenshots?|observe[ds]?)\b/i,
  'the build':
    /\b(?:builds?|compiles?)\b[^.;\n]{0,20}\b(?:pass(?:es)?|succeeds?|works?|green|clean(?:ly)?|without)\b|\b(?:ci|pipeline) (?:is |stays |goes )?(?:green|pass(?:es)?)\b/i,
  'lint and types': /\b(?:lint(?:er|ing)?|eslint|biome|tsc|type[- ]?checks?|types? check)\b/i,
  'a measurement': new RegExp(
    `\\b(?:benchmarks?|coverage|measured?|profil(?:e|ing))\\b|${measured.source}`,
    'i',
  ),
  'an answer': /\b(?:returns?|responds? with|prints?|exits?(?: with)?|shows?|renders?) \S+/i,
}
const ending =
  /\b(?:merged?|deployed|released?|published?|shipped|tagged|pushed|committed|rolled out|handed over|closed|live|in production|pr (?:is )?(?:open(?:ed)?|approved))\b(?: (?:to|on|in|into|at|by|as) \S+)?/i
const until =
  /\b(?:done|finished|complete[d]?|stop|over|ready) (?:when|once|if|as soon as)\b|\b(?:until|when|once)\b/i

function outcome(spec: string): Judged {
  const found = spec.match(measured)
  if (found) return judged('outcome', 2, `${quoted(found[0])} can be measured`)
  const [named] = parts(spec)
  if (named) return judged('outcome', 1, `${quoted(named.words)} says what, not how much`)
  return judged('outcome', 0, 'nothing says what will be different')
}

function scope(spec: string): Judged {
  const found = spec.match(place)
  if (found) return judged('scope', 2, `${quoted(found[0])} is a place`)
  const named = parts(spec)
  const [part] = [...named.filter(({ where }) => where), ...named]
  if (part) return judged('scope', 1, `${quoted(part.words)} is a part, not a place`)
  return judged('scope', 0, 'it could be anywhere')
}

function constraints(spec: string): Judged {
  const found = spec.match(hard)
  if (found) return judged('constraints', 2, `${quoted(found[0])} can be checked`)
  const wish = spec.match(soft)
  if (wish) return judged('constraints', 1, `${quoted(wish[0])} is a wish`)
  return judged('constraints', 0, 'none stated')
}

function success(spec: string): Judged {
  const found = Object.keys(checks).filter(name => checks[name]?.test(spec))
  if (found.length > 1) return judged('success', 2, `more than one check: ${found.join(', ')}`)
  if (found.length === 1) return judged('success', 1, `one check: ${found[0]}`)
  return judged('success', 0, 'none stated')
}

function done(spec: string): Judged {
  const found = spec.match(ending)
  if (found) return judged('done', 2, `${quoted(found[0])} is an end that can be seen`)
  const when = until.exec(spec)
  if (!when) return judged('done', 0, 'implied')
  const then = spec.slice(when.index + when[0].length)
  const isSeen = Object.values(checks).some(check => check.test(then)) || place.test(then)
  if (isSeen) return judged('done', 2, `${quoted(spec.slice(when.index))} is an end that can be seen`)
  return judged('done', 1, `${quoted(spec.slice(when.index))} leaves open how that is seen`)
}

/** What each dimension lacks, as something to write. */
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

/** Words that name nothing: what is left of a text without them says something. */
const empty = new Set(
  `a an and are as at be but by can do does for from get give go good had has have how i if in into is it its
  just let like make makes making me more much my need needs of on or our out please really should so some than
  that the their them then there these they this those to too up us very want we what when where which will with
  would you your better best nice nicer great well right proper properly correct correctly fast faster clean
  cleaner improve improved improvement fix fixes fixed work works working change update handle look thing things
  stuff everything anything something all every whole app application project code codebase system program
  software site website repo repository product tool bug bugs issue issues problem problems none stated`.split(
    /\s+/,
  ),
)

/** They say something, but name no thing: what is quoted goes on with the words after them. */
const verbs = new Set(
  `add adds adding allow allows build builds create creates delete deletes enable implement implements introduce
  merge merged migrate move new no pr refactor remove removes rename replace show shows speed support use uses using
  write writes`.split(/\s+/),
)

/** A thing that is named, in its own words; `where`: as the place of something. */
type Part = { words: string; where: boolean }

/** The things that a text names, in its order; where it names none, the first word that says something. */
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
    } else named.push({ words: text, where, end })
    if (!empty.has(word)) where = false
  }
  if (named.length > 0) return named
  const telling = words.find(({ text }) => !empty.has(text.toLowerCase()))
  return telling ? [{ words: telling.text, where: false }] : []
}

/** After `in the`: the article between changes nothing. */
function isWhere(word: string, before: boolean): boolean {
  if (['in', 'into', 'on', 'at', 'to', 'of', 'for', 'from'].includes(word)) return true
  return before && ['the', 'a', 'an', 'our', 'my', 'your', 'its', 'this'].includes(word)
}

function first(...patterns: string[]): RegExp {
  return new RegExp(patterns.join('|'), 'i')
}

function quoted(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return `"${line.length > 60 ? `${line.slice(0, 59)}…` : line}"`
}

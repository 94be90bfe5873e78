/**
 * The evidence for each dimension of a score, as tables of patterns over the words of a spec. A repetition that can
 * start at any character has an upper bound, so that the cost grows with the length of the text and not with its
 * square. What a match is worth: core/score/score.
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
export function measureIn(spec: string): string | null {
  return measures.map(pattern => spec.match(pattern)?.[0]).find(Boolean) ?? null
}

export const hardConstraint = anyCase(
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
export const softConstraint = anyCase(
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
export function checksIn(spec: string): string[] {
  return Object.keys(checks).filter(name => checks[name]?.(spec))
}

/** An end state that is visible from outside. */
export const endState = anyCase(
  String.raw`\b(?:merged|deployed|released|published|shipped|tagged|pushed|committed|rolled out|handed over|closed|pr (?:is )?(?:open(?:ed)?|approved))\b(?: (?:to|on|in|into|at|by|as|behind) \S+)?`,
  String.raw`\b(?:publish|release|deploy|merge|push) (?:it )?(?:to|as|into) \S+`,
  String.raw`\b(?:is|goes|go) live\b`,
  String.raw`\bin production\b(?! (?:config\w*|mode|code|builds?|settings?|env\w*|logs?)\b)`,
  String.raw`\b(?:is|are|lands?) (?:in|on) (?:main|master|trunk)\b`,
)

/** Words for the end of the work; "when the list is empty" only says when something happens. */
export const untilWhen = anyCase(
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

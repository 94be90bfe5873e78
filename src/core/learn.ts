/**
 * Learnings of earlier work: which of them fit a spec, and whether they helped. They are found by ranked full-text
 * search (BM25): whole words count most, common prefixes of long words a little, so that "authentication" finds "auth".
 * It is deterministic and needs no index on disk: a project has hundreds of learnings, not millions.
 */

type Recalled<T> = { entry: T; score: number }

type Ranked = { words: Map<string, number>; length: number }

const k1 = 1.2
const b = 0.6
/** The weight of a common prefix relative to a whole word. */
const beginning = 0.4
const beginningLetters = 4
/** Results far below the best one are not used to fill the list. */
const leastOfBest = 0.25

/** Best first, at most `most`, and only texts that share a significant word with the spec. */
export function recall<T>(
  spec: string,
  entries: readonly T[],
  { textOf, most = 5 }: { textOf: (entry: T) => string; most?: number },
): Recalled<T>[] {
  const texts = entries.map(entry => ranked(textOf(entry)))
  const average = texts.reduce((sum, { length }) => sum + length, 0) / Math.max(1, texts.length)
  const holders = new Map<string, number>()
  for (const { words } of texts)
    for (const word of words.keys()) holders.set(word, (holders.get(word) ?? 0) + 1)
  const asked = [...ranked(spec).words.keys()]
  const score = ({ words, length }: Ranked): number =>
    asked.reduce((sum, word) => {
      const times = words.get(word)
      if (times === undefined) return sum
      const rarity = Math.log(
        1 + (texts.length - (holders.get(word) ?? 0) + 0.5) / ((holders.get(word) ?? 0) + 0.5),
      )
      const weight = word.endsWith('*') ? beginning : 1
      return sum + (weight * rarity * times * (k1 + 1)) / (times + k1 * (1 - b + (b * length) / average))
    }, 0)
  const found = entries
    .map((entry, at) => ({ entry, score: score(texts[at] ?? { words: new Map(), length: 0 }), at }))
    .filter(one => one.score > 0)
    .sort((one, other) => other.score - one.score || one.at - other.at)
  const best = found[0]?.score ?? 0
  return found
    .filter(one => one.score >= best * leastOfBest)
    .slice(0, most)
    .map(one => ({ entry: one.entry, score: one.score }))
}

/** The significant words with their counts; a prefix ends in `*`. */
function ranked(text: string): Ranked {
  const words = new Map<string, number>()
  const told = wordsOf(text)
  for (const word of told)
    for (const key of word.length > beginningLetters
      ? [word, `${word.slice(0, beginningLetters)}*`]
      : [word, `${word}*`])
      words.set(key, (words.get(key) ?? 0) + 1)
  return { words, length: told.length }
}

const mostText = 20_000

function wordsOf(text: string): string[] {
  return text
    .slice(0, mostText)
    .replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word.length > 1 && !fillers.has(word))
    .map(stem)
}

/** The stem of an English word: "caching" and "cached" become the same word. */
function stem(word: string): string {
  if (word.length < 5) return word.replace(/(?<=\w\w)s$/, '')
  return word
    .replace(/(?:sses)$/, 'ss')
    .replace(/ies$/, 'y')
    .replace(/(?<!s|u|i)s$/, '')
    .replace(/(?:ations?|ating|ated|ates?|ators?)$/, 'at')
    .replace(/(?:ings?|ed|ers?|ly|ions?)$/, '')
    .replace(/e$/, '')
    .replace(/([^aeiouls])\1$/, '$1')
}

/** Words that say nothing about the subject of a text. */
const fillers = new Set(
  `a about after again all also an and any are as at be because been before but by can cannot could do does done each
  even every first for from get gets had has have how if in into instead is it its just like made make makes many may
  more most must need needs never new no not now of off on once one only or other our out over own same should so some
  such than that the their them then there these they this those to too two under until up use used uses using very
  was way we were what when where which while who why will with without work works would you your
  add adds added fix fixed change changed implement create update improve please want feature bug issue`.split(
    /\s+/,
  ),
)

/**
 * Tells whether learnings help: each time one is shown, the loop is remembered, and the outcome of that loop tells
 * whether it helped. After five useless showings in a row its removal is proposed.
 */

/** `said`: a person's reaction when it was shown; `used`: nobody was asked. */
export type Showing = { id: string; loop: string; said: 'confirmed' | 'dismissed' | 'used' }

export type Usefulness = { shown: number; helped: number; unhelpful: number; isToGo: boolean }

const mostUnhelpful = 5

/** `statusOf` a loop is null if it is unknown or not over. The showings are in order. */
export function usefulnessOf(
  showings: readonly Showing[],
  statusOf: (loop: string) => string | null,
): Usefulness {
  let helped = 0
  let unhelpful = 0
  let inRow = 0
  for (const { loop, said } of showings) {
    const outcome = outcomeOf(said, statusOf(loop))
    if (outcome === 'helped') {
      helped += 1
      inRow = 0
    }
    if (outcome === 'unhelpful') {
      unhelpful += 1
      inRow += 1
    }
  }
  return { shown: showings.length, helped, unhelpful, isToGo: inRow >= mostUnhelpful }
}

/** Open while its loop runs. A dismissed learning did not help, whatever the loop's outcome. */
function outcomeOf(said: Showing['said'], status: string | null): 'helped' | 'unhelpful' | 'open' {
  if (said === 'dismissed') return 'unhelpful'
  if (status === 'completed') return 'helped'
  return status === 'failed' || status === 'crashed' || status === 'cancelled' ? 'unhelpful' : 'open'
}

/**
 * The files that a prompt names as what is to be changed: "fix tsconfig.json", "update the snapshots". Such words turn a
 * suspicion into a note and nothing more; no look is left out because of them. A sentence that forbids, or that says
 * what must pass, names nothing. Taken from the user's prompt alone, never from the words of an agent.
 */

const snapshots = ['**/__snapshots__/**', '*.snap']
const dependencies =
  'package.json package-lock.json yarn.lock pnpm-lock.yaml bun.lock pyproject.toml requirements*.txt poetry.lock uv.lock go.mod go.sum Cargo.toml Cargo.lock Gemfile Gemfile.lock node_modules/**'.split(
    ' ',
  )

/** Up to four words between a verb and its object. */
const between = String.raw`(?:(?!(?:so|until|that|to|and|make|with|pass|passes|for)\b)[\w'/-]+\s+){0,4}?`
const about = (verbs: string, nouns: string) =>
  new RegExp(String.raw`\b(?:${verbs})\s+${between}(?:${nouns})\b`, 'i')

const changes = 'fix|repair|update|change|add|create|set up|configure|tighten|enable'

const kinds: readonly { says: RegExp; names: readonly string[] }[] = [
  { says: about('update|refresh|regenerate|rewrite|accept', 'snapshots?'), names: snapshots },
  {
    says: about(
      'upgrade|update|bump|add|install|remove|replace|migrate',
      'dependenc(?:y|ies)|packages?|librar(?:y|ies)|deps|lock ?files?',
    ),
    names: dependencies,
  },
  { says: /\b(?:upgrade|bump|migrate)\s+\S+\s+(?:from\s+\S+\s+)?to\s+v?\d/i, names: dependencies },
  { says: about(changes, 'tsconfig|typescript config(?:uration)?'), names: ['tsconfig*.json'] },
  {
    says: about(changes, 'eslint(?: config(?:uration)?| rules?)?|lint(?:er)? (?:config(?:uration)?|rules?)'),
    names: ['eslint.config.*', '.eslintrc*', '.eslintignore', 'biome.json*', '.oxlintrc.json'],
  },
  {
    says: about(changes, '(?:jest|vitest|pytest|mocha|test runner) (?:config(?:uration)?|set-?up)'),
    names:
      'jest.config.* jest.setup.* vitest.config.* .mocharc* pytest.ini conftest.py package.json pyproject.toml'.split(
        ' ',
      ),
  },
]

const path =
  /(?<![\w./-])((?:[\w.-]+\/)*(?:[\w-]*\.?[\w.-]*\.(?:json|[cm]?[jt]sx?|py|toml|ini|cfg|ya?ml|lock|go|rs|xml|gradle|snap|sh|mk|txt|md|sql|css|html)|\.[a-z][\w-]*(?:\.[a-z]+)?|Makefile|Dockerfile|justfile|Gemfile|Rakefile))(?=$|[\s`"'),:;.!?])/g

const verbs =
  /\b(?:fix|edit|update|change|repair|rewrite|add|create|write|extend|clean up|rename|convert|migrate|set|put|move|replace|remove|delete|modify|correct|adjust|bump|raise|lower|should be called)\b/gi
/** After a file: something is wrong with it. */
const isFaulty =
  /^[\s`"']+(?:\w+\s+)?(?:has a typo|is wrong|is broken|is outdated|is stale|should be called)\b/i
/** Between a verb and a file that is not its object: a file was named before, another clause begins, or it is a measure. */
const otherClause =
  /[,:()]|\b(?:so|until|till|that|which|because|according|per|by|using|against|for|match(?:es)?|satisf\w+|pass\w*|green|make|makes|see|like|as|while|but)\b/i
const goesOn = /^[`"']?\s*(?:,|and|or|&|,\s*and)\s+(?:the\s+|in\s+)?[`"']?$/i

const forbids =
  /\b(?:not|never|no|don't|dont|doesn't|won't|mustn't|shouldn't|cannot|without|keep|keeping|leave|untouched|unchanged|avoid|except|instead of|rather than|as (?:it|they) (?:is|are))\b/i

/** After a file: it is said to be what must pass, not what is to be changed. */
const mustPass = /^\W+(?:\w+\W+){0,4}?(?:pass|passes|passing|green|succeeds?|works?|holds?|runs?)\b/i

/** All files that a prompt mentions, for whatever reason. */
export function mentionedIn(prompt: string): string[] {
  return [...new Set(Array.from(prompt.slice(0, 20_000).matchAll(path), ([, file = '']) => file))]
}

export function namedByWords(prompt: string): string[] {
  const sentences = prompt.slice(0, 20_000).split(/(?<=[.!?;])\s+|\n+|;/)
  const open = sentences.filter(sentence => !forbids.test(sentence))
  const byKind = open.flatMap(sentence =>
    kinds.filter(({ says }) => says.test(sentence)).flatMap(({ names }) => names),
  )
  return [...new Set([...byKind, ...open.flatMap(filesIn)])]
}

/** The objects of verbs of change, and what such an object is followed by in a list. */
function filesIn(sentence: string): string[] {
  const named: string[] = []
  let [end, wasNamed] = [0, false]
  for (const { 1: file = '', index } of sentence.matchAll(path)) {
    const rest = sentence.slice(index + file.length)
    const isNext = wasNamed && goesOn.test(sentence.slice(end, index))
    const verb = Array.from(sentence.slice(end, index).matchAll(verbs)).at(-1)
    const gap = verb && sentence.slice(end + verb.index + verb[0].length, index)
    const isObject = gap !== undefined && !otherClause.test(gap)
    wasNamed = isFaulty.test(rest) || ((isNext || isObject) && !mustPass.test(rest))
    if (wasNamed) named.push(file)
    end = index + file.length
  }
  return named
}

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
  /(?<![\w./-])((?:[\w.-]+\/)*(?:[\w-]*\.?[\w.-]*\.(?:json|[cm]?[jt]sx?|py|toml|ini|cfg|ya?ml|lock|go|rs|xml|gradle|snap|sh|mk|txt|md|sql|css|html)|\.[a-z]+rc|Makefile|Dockerfile|justfile|Gemfile|Rakefile))(?=$|[\s`"'),:;.!?])/g

const verbs =
  /\b(?:fix|edit|update|change|repair|rewrite|add|create|write|extend|clean up|rename|convert|migrate|set|put|move|replace|remove|delete|modify|correct|adjust|bump|raise|lower|has a typo|is wrong|is broken|should be called)\b/i

const forbids =
  /\b(?:not|never|no|don't|dont|doesn't|won't|mustn't|shouldn't|cannot|without|keep|keeping|leave|untouched|unchanged|avoid|except|instead of|rather than|as (?:it|they) (?:is|are))\b/i

/** After a file: it is said to be what must pass, not what is to be changed. */
const mustPass = /^\W+(?:\w+\W+){0,4}?(?:pass|passes|passing|green|succeeds?|works?|holds?|runs?)\b/i

export function namedByWords(prompt: string): string[] {
  const sentences = prompt.slice(0, 20_000).split(/(?<=[.!?;])\s+|\n+|;/)
  const open = sentences.filter(sentence => !forbids.test(sentence))
  const byKind = open.flatMap(sentence =>
    kinds.filter(({ says }) => says.test(sentence)).flatMap(({ names }) => names),
  )
  const files = open.filter(sentence => verbs.test(sentence)).flatMap(filesIn)
  return [...new Set([...byKind, ...files])]
}

function filesIn(sentence: string): string[] {
  return Array.from(sentence.matchAll(path)).flatMap(({ 1: file = '', index }) => {
    const isAfterVerb = verbs.test(sentence.slice(0, index)) || verbs.test(sentence.slice(index))
    return isAfterVerb && !mustPass.test(sentence.slice(index + file.length)) ? file : []
  })
}

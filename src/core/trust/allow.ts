/**
 * Which files that steer a promise the agent may change, by the user's own words: "write tests for the parser" allows
 * tests, "fix tsconfig.json" allows that file. Taken from the prompt alone, never from the words of an agent, and shown
 * at the start. The rules are narrow: a change that they do not allow is asked about later.
 */

const tests = [
  'test/**',
  'tests/**',
  '**/__tests__/**',
  '**/*.test.*',
  '**/*.spec.*',
  '**/test_*.py',
  '**/*_test.py',
  '**/*_test.go',
  'spec/**',
]
const snapshots = ['**/__snapshots__/**', '*.snap']
const dependencies = [
  'package.json',
  'package-lock.json',
  'yarn.lock',
  'pnpm-lock.yaml',
  'bun.lock',
  'pyproject.toml',
  'requirements*.txt',
  'poetry.lock',
  'uv.lock',
  'go.mod',
  'go.sum',
  'Cargo.toml',
  'Cargo.lock',
  'Gemfile',
  'Gemfile.lock',
  'node_modules/**',
]

/** Up to four words between a verb and its object. "add caching so that the tests pass" is not about tests. */
const between = String.raw`(?:(?!(?:so|until|that|to|and|make|with|pass|passes|for|without)\b)[\w'/-]+\s+){0,4}?`
const about = (verbs: string, nouns: string) =>
  new RegExp(String.raw`\b(?:${verbs})\s+${between}(?:${nouns})\b`, 'i')

const makes =
  'add|create|write|extend|improve|increase|raise|expand|rewrite|refactor|port|migrate|rename|convert'

const rules: readonly { says: RegExp; allows: readonly string[] }[] = [
  {
    says: about(makes, 'tests?|specs?|test ?cases?|test suite|coverage|fixtures?|test doubles?|mocks?'),
    allows: [...tests, ...snapshots],
  },
  { says: /\b(?:red step|failing test first|test-driven|tdd)\b/i, allows: tests },
  { says: about('update|refresh|regenerate|rewrite|accept', 'snapshots?'), allows: snapshots },
  {
    says: about('update|adapt|adjust|fix|change', 'test expectations?|expectations of the tests'),
    allows: tests,
  },
  {
    says: about(
      'upgrade|update|bump|add|install|remove|replace|migrate',
      'dependenc(?:y|ies)|packages?|librar(?:y|ies)|deps|lock ?files?',
    ),
    allows: dependencies,
  },
  { says: /\b(?:upgrade|bump|migrate)\s+\S+\s+(?:from\s+\S+\s+)?to\s+v?\d/i, allows: dependencies },
  {
    says: about(
      'fix|repair|update|change|add|create|set up|configure|tighten|enable',
      'tsconfig|typescript config(?:uration)?',
    ),
    allows: ['tsconfig*.json'],
  },
  {
    says: about(
      'fix|repair|update|change|add|create|set up|configure|tighten',
      'eslint(?: config(?:uration)?| rules?)?|lint(?:er)? (?:config(?:uration)?|rules?)',
    ),
    allows: ['eslint.config.*', '.eslintrc*', '.eslintignore', 'biome.json*', '.oxlintrc.json'],
  },
  {
    says: about(
      'fix|repair|update|change|add|create|configure|set up',
      '(?:jest|vitest|pytest|mocha|test runner) (?:config(?:uration)?|set-?up)',
    ),
    allows: [
      'jest.config.*',
      'jest.setup.*',
      'vitest.config.*',
      '.mocharc*',
      'pytest.ini',
      'conftest.py',
      'package.json',
      'pyproject.toml',
    ],
  },
]

/** A file that the prompt names as the object of a change. */
const named =
  /\b(?:fix|edit|update|change|repair|rewrite|add|create|write|extend|clean up|rename|convert|migrate|set|put|move|replace|remove|delete|modify|correct|adjust|bump|make|raise|lower)\b[^.;\n]{0,60}?[\s`"'(]((?:[\w.-]+\/)*(?:[\w-]*\.?[\w-]+\.(?:json|[cm]?[jt]sx?|py|toml|ini|cfg|ya?ml|lock|rc|go|rs|xml|gradle|snap)|\.[a-z]+rc|Makefile|Dockerfile|justfile|Gemfile|Rakefile))(?=$|[\s`"'),:;.])/gi

export function allowedByWords(prompt: string): string[] {
  const text = prompt.slice(0, 20_000)
  const files = Array.from(text.matchAll(named), ([, path = '']) => path)
  return [
    ...new Set([...rules.filter(({ says }) => says.test(text)).flatMap(({ allows }) => allows), ...files]),
  ]
}

/**
 * The commands of a Node project: its package manager, the scripts of package.json by their usual names, and the tools
 * it depends on. A script that only prints, never ends (--watch), or repairs what it should report (--fix) is rejected
 * with a reason.
 */
import type { FoundCommand, Purpose } from '../../model/project.ts'
import { firstOf, type Offers, type ProjectListing } from './project.ts'

type PackageManager = 'npm' | 'pnpm' | 'yarn' | 'bun'

/** `because` is empty for npm by default. */
type ScriptRunner = { manager: PackageManager; because: string; doubt: string | null }

const lockFiles: Record<PackageManager, readonly string[]> = {
  pnpm: ['pnpm-lock.yaml'],
  yarn: ['yarn.lock'],
  bun: ['bun.lock', 'bun.lockb'],
  npm: ['package-lock.json', 'npm-shrinkwrap.json'],
}

const managers: readonly PackageManager[] = ['pnpm', 'yarn', 'bun', 'npm']

type PackageJson = Readonly<Record<string, unknown>>

function packageJson(listing: ProjectListing): PackageJson | null {
  const text = listing.text('package.json')
  if (text === '') return null
  try {
    return keysIn(JSON.parse(text.replace(/^\uFEFF/, '')))
  } catch {
    return null // half-written, or not JSON: its scripts cannot be run either
  }
}

function keysIn(value: unknown): PackageJson {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as PackageJson) : {}
}

function scriptRunner(listing: ProjectListing, json: PackageJson): ScriptRunner {
  const named = namedManager(json)
  if (named) return { ...named, doubt: null }
  const found = managers.flatMap(manager => {
    const file = firstOf(listing, lockFiles[manager])
    return file === null ? [] : { manager, because: file }
  })
  const [first, second] = found
  if (!first) return { manager: 'npm', because: '', doubt: null }
  const doubt = second
    ? `${found.map(({ because }) => because).join(' and ')} are both there and package.json names no packageManager: ${first.manager} is taken.`
    : null
  return { ...first, doubt }
}

function namedManager(json: PackageJson): Omit<ScriptRunner, 'doubt'> | null {
  const texts: [string, unknown][] = [
    ['package.json packageManager', json['packageManager']],
    ['package.json devEngines', keysIn(keysIn(json['devEngines'])['packageManager'])['name']],
  ]
  for (const [because, said] of texts) {
    const name = typeof said === 'string' ? said.split('@')[0] : null
    const manager = managers.find(one => one === name)
    if (manager) return { manager, because }
  }
  return null
}

/** `bun test` is Bun's own test runner, so scripts need `bun run`. */
function runScript({ manager }: ScriptRunner, script: string): string {
  if (script === 'test' && manager !== 'bun') return `${manager} test`
  return `${manager} run ${script}`
}

/** Runs a program that the project has installed, and never downloads one. */
function runInstalled({ manager }: ScriptRunner, command: string): string {
  const how = { npm: 'npx --no', pnpm: 'pnpm exec', yarn: 'yarn run', bun: 'bunx --no-install' } as const
  return `${how[manager]} ${command}`
}

const suffixes = ['.js', '.mjs', '.cjs', '.ts', '.mts', '.cts']

const eslintFiles = [
  ...suffixes.map(end => `eslint.config${end}`),
  ...['', '.json', '.js', '.cjs', '.yaml', '.yml'].map(end => `.eslintrc${end}`),
]

/** A linter: its package, configuration files and command. */
const linters = [
  { name: 'eslint', files: eslintFiles, command: 'eslint .' },
  { name: '@biomejs/biome', files: ['biome.json', 'biome.jsonc'], command: 'biome lint .' },
  { name: 'oxlint', files: ['.oxlintrc.json', 'oxlint.config.ts'], command: 'oxlint' },
]

/**
 * Tools that a package.json depends on and the project has configured, without a script for them: linters by their
 * configuration, tsc by tsconfig.json, coverage of Vitest and Jest.
 */
export function packageTools(listing: ProjectListing): Offers | null {
  const json = packageJson(listing)
  if (!json) return null
  const runner = scriptRunner(listing, json)
  const depends = new Set(
    ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap(key =>
      Object.keys(keysIn(json[key])),
    ),
  )
  const project = { listing, runner, depends }
  return { found: { lint: lint(project), types: types(project), coverage: coverage(project) } }
}

type PackageProject = { listing: ProjectListing; runner: ScriptRunner; depends: ReadonlySet<string> }

function lint({ listing, runner, depends }: PackageProject): FoundCommand[] {
  return linters.flatMap(({ name, files, command }) => {
    const file = firstOf(listing, files)
    if (file === null || !depends.has(name)) return []
    return [{ command: runInstalled(runner, command), because: `${file}, dependency ${name}` }]
  })
}

/** A tsconfig that only references others and has no files would check nothing. */
function types({ listing, runner, depends }: PackageProject): FoundCommand[] {
  const config = listing.text('tsconfig.json')
  if (!depends.has('typescript') || config === '' || /^\s*"references"\s*:/m.test(config)) return []
  return [{ command: runInstalled(runner, 'tsc --noEmit'), because: 'tsconfig.json, dependency typescript' }]
}

function coverage({ runner, depends }: PackageProject): FoundCommand[] {
  const reports = ['coverage/coverage-summary.json']
  const provider = ['@vitest/coverage-v8', '@vitest/coverage-istanbul'].find(name => depends.has(name))
  if (depends.has('vitest') && provider !== undefined) {
    const command = runInstalled(runner, 'vitest run --coverage --coverage.reporter=json-summary')
    return [{ command, because: `dependencies vitest, ${provider}`, reports }]
  }
  if (!depends.has('jest')) return []
  const command = runInstalled(runner, 'jest --coverage --coverageReporters=json-summary')
  return [{ command, because: 'dependency jest', reports }]
}

const scriptNames: Record<Purpose, readonly string[]> = {
  test: ['test', 'tests', 'test:all', 'test:ci', 'test:unit', 'unit'],
  lint: ['lint', 'lint:check', 'lint:ci', 'check:lint', 'eslint', 'lint:js', 'lint:ts'],
  types: [
    'typecheck',
    'type-check',
    'check-types',
    'types:check',
    'check:types',
    'lint:types',
    'types',
    'tsc',
  ],
  build: ['build', 'compile', 'build:prod', 'bundle'],
  coverage: ['coverage', 'test:coverage', 'test:cov', 'test-coverage', 'cov', 'coverage:test'],
}

/** The reports of Istanbul, c8, Jest and Vitest, most exact first. */
export const scriptReports = [
  'coverage/coverage-summary.json',
  'coverage/lcov.info',
  'coverage/cobertura-coverage.xml',
]

export function packageScripts(listing: ProjectListing): Offers | null {
  const json = packageJson(listing)
  if (!json) return null
  const runner = scriptRunner(listing, json)
  const scripts = keysIn(json['scripts'])
  const passedOver = runner.doubt === null ? [] : [runner.doubt]
  const offered = (purpose: Purpose): FoundCommand[] =>
    scriptNames[purpose].flatMap(name => {
      const text = Object.hasOwn(scripts, name) ? scripts[name] : undefined
      if (typeof text !== 'string') return []
      const problem = problemOf(purpose, text)
      if (problem !== null) passedOver.push(`package.json script "${name}" ${problem}.`)
      if (problem !== null) return []
      const because = [`package.json script "${name}"`, runner.because].filter(Boolean).join(', ')
      const command = runScript(runner, name)
      return [{ command, because, ...(purpose === 'coverage' && { reports: scriptReports }) }]
    })
  const found = {
    test: offered('test'),
    lint: offered('lint'),
    types: offered('types'),
    build: offered('build'),
    coverage: offered('coverage'),
  }
  return { found, passedOver }
}

/** `-w` alone names a workspace. */
const watches =
  /\s--watch(?:All)?(?=\s|$)|\b(?:tsc|jest|mocha)\b[^&|;]*\s-w(?=\s|$)|\b(?:nodemon|vitest watch)\b/

/** Why a script cannot be used; null if it can. */
function problemOf(purpose: Purpose, script: string): string | null {
  if (doesNothing(script)) return 'does nothing but print or exit'
  if (watches.test(script)) return 'never ends: it watches'
  if (purpose === 'lint' && /(?:^|\s)--(?:fix|write|apply)(?=\s|$)/.test(script))
    return 'changes files: it repairs'
  return null
}

/** npm itself writes `echo "Error: no test specified" && exit 1`. */
function doesNothing(script: string): boolean {
  const parts = script.replaceAll(/"[^"]*"|'[^']*'/g, 'text').split(/&&|\|\||;/)
  return parts.every(part => /^\s*(?:(?:echo|printf)\b[^|<>`$]*|exit\b.*|true|false|:)?\s*$/.test(part))
}

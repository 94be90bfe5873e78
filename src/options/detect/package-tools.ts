/**
 * Tools that a package.json depends on and the project has configured, without a script for them: linters by their
 * configuration, tsc by tsconfig.json, coverage of Vitest and Jest.
 */
import type { FoundCommand } from '../../model/project.ts'
import { firstOf, type Offers, type ProjectListing } from './listing.ts'
import { keysIn, packageJson, runInstalled, type ScriptRunner, scriptRunner } from './package-manager.ts'

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

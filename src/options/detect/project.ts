/**
 * The commands that test, lint, type-check, build and measure a project, from the files in its root. Commands that
 * the project defines (a script, a recipe, a target) come before the defaults of its tools. Nothing is run: a
 * command is shown to a person, or judged by its own exit, before anything depends on it.
 */

import { join } from 'node:path'
import {
  type FoundCommand,
  type ProjectCommand,
  type ProjectCommands,
  type Purpose,
  purposes,
} from '../../model/project.ts'
import type { System } from '../system.ts'
import { packageScripts, packageTools, scriptReports } from './package.ts'
import { pythonProject } from './python.ts'

/**
 * The root directory of a project, as detection sees it: the names in it, the text of the few files that describe
 * the project, and the installed programs. Only the root counts: packages below it are not considered. File contents
 * are compared with known patterns; no text of a file ever becomes part of a command.
 */
export type ProjectListing = {
  /** `src/` is a directory; `tests/test_a.py` is a file in a directory of tests. */
  names: ReadonlySet<string>
  /** The text of a file in the root; empty if it is missing or too large to be hand-written. */
  text(name: string): string
  hasProgram(name: string): boolean
}

/** The commands that one kind of project offers per purpose, best first, and those that were rejected. */
export type Offers = { found: Partial<Record<Purpose, FoundCommand[]>>; passedOver?: string[] }

/** Null if the project is not of this kind. */
type Detector = (listing: ProjectListing) => Offers | null

const mostBytes = 1_000_000

/** Whether they contain Python tests, and are packages, decides how unittest finds them. */
const testDirectories = ['tests/', 'test/']

export function listingOf(
  root: string,
  { entries, readText, hasProgram }: Pick<System, 'entries' | 'readText' | 'hasProgram'>,
): ProjectListing {
  const top = entries(root)
  const inside = testDirectories
    .filter(name => top.includes(name))
    .flatMap(directory => entries(join(root, directory)).map(name => directory + name))
  const names = new Set([...top, ...inside])
  return {
    names,
    text: name => (names.has(name) ? (readText(join(root, name), mostBytes) ?? '') : ''),
    hasProgram,
  }
}

/** The first of these names that exists. */
export function firstOf({ names }: ProjectListing, wanted: readonly string[]): string | null {
  return wanted.find(name => names.has(name)) ?? null
}

const names: Record<Purpose, readonly string[]> = {
  test: ['test', 'tests', 'check'],
  lint: ['lint'],
  types: ['typecheck', 'type-check', 'types', 'mypy'],
  build: ['build', 'all'],
  coverage: ['coverage', 'cov', 'test-coverage'],
}

/** The report's path is unknown: the default paths of all languages are tried. */
const anyReport = [...scriptReports, 'coverage.xml', 'lcov.info', 'coverage.out', 'cover.out']

/** The usual names of recipes and targets by purpose, for make and just. */
function namedCommands(
  program: 'make' | 'just',
  kind: string,
  has: (name: string) => boolean,
): Offers['found'] {
  const of = (purpose: Purpose): FoundCommand[] =>
    names[purpose].filter(has).map(name => ({
      command: `${program} ${name}`,
      because: `${kind} "${name}"`,
      ...(purpose === 'coverage' && { reports: anyReport }),
    }))
  return {
    test: of('test'),
    lint: of('lint'),
    types: of('types'),
    build: of('build'),
    coverage: of('coverage'),
  }
}

const golangciFiles = ['.golangci.yml', '.golangci.yaml', '.golangci.toml', '.golangci.json']

/** A Go module: go.mod at the root. The compiler checks the types in builds and tests. */
function goModule(listing: ProjectListing): Offers | null {
  if (!listing.names.has('go.mod')) return null
  const because = 'go.mod'
  const config = firstOf(listing, golangciFiles)
  const golangci =
    config !== null && listing.hasProgram('golangci-lint')
      ? [{ command: 'golangci-lint run', because: `${config}, golangci-lint is installed` }]
      : []
  const profile = 'coverage.out'
  return {
    found: {
      test: [{ command: 'go test ./...', because }],
      lint: [...golangci, { command: 'go vet ./...', because }],
      build: [{ command: 'go build ./...', because }],
      coverage: [
        { command: `go test -coverpkg=./... -coverprofile=${profile} ./...`, because, reports: [profile] },
      ],
    },
  }
}

/** Definitions made by people for this project come first, then the defaults of tools. */
const detectors: readonly Detector[] = [
  packageScripts,
  just,
  make,
  packageTools,
  cargoProject,
  goModule,
  pythonProject,
]

export function detectProject(listing: ProjectListing): ProjectCommands {
  const offers = detectors.map(detect => detect(listing)).filter(offer => offer !== null)
  const chosen = (purpose: Purpose) => choice(offers.flatMap(({ found }) => found[purpose] ?? []))
  return {
    test: chosen('test'),
    lint: chosen('lint'),
    types: chosen('types'),
    build: chosen('build'),
    coverage: chosen('coverage'),
    passedOver: offers.flatMap(({ passedOver = [] }) => passedOver),
  }
}

function choice([best, ...others]: FoundCommand[]): ProjectCommand | null {
  return best ? { ...best, others } : null
}

/** One line per purpose that has a command: `test: pnpm test (package.json script "test", pnpm-lock.yaml)`. */
export function projectLines(commands: ProjectCommands): string[] {
  return purposes.flatMap(purpose => {
    const found = commands[purpose]
    return found ? [`${purpose}: ${found.command} (${found.because})${othersWords(found)}`] : []
  })
}

function othersWords({ others }: ProjectCommand): string {
  return others.length === 0 ? '' : `; also possible: ${others.map(({ command }) => command).join(', ')}`
}

/** A Rust project: Cargo.toml at the root, a package or a workspace. */
function cargoProject(listing: ProjectListing): Offers | null {
  if (!listing.names.has('Cargo.toml')) return null
  const isWorkspace = /^\s*\[workspace\b/m.test(listing.text('Cargo.toml'))
  const all = isWorkspace ? ' --workspace' : ''
  const because = isWorkspace ? 'Cargo.toml, a workspace' : 'Cargo.toml'
  const found = (command: string, more = ''): FoundCommand[] => [{ command, because: because + more }]
  return {
    found: {
      test: found(`cargo test${all}`),
      lint: listing.hasProgram('cargo-clippy') ? found(`cargo clippy${all} --all-targets`) : [],
      types: found(`cargo check${all} --all-targets`),
      build: found(`cargo build${all}`),
      coverage: listing.hasProgram('cargo-llvm-cov') ? coverage(all, because) : [],
    },
  }
}

/** Reports go below `target`, which is ignored and which every other command creates too. */
function coverage(all: string, because: string): FoundCommand[] {
  const report = 'target/lcov.info'
  return [
    {
      command: `cargo llvm-cov${all} --lcov --output-path ${report}`,
      because: `${because}, cargo-llvm-cov is installed`,
      reports: [report],
    },
  ]
}

/** Recipes of a justfile that need no argument. */
function just(listing: ProjectListing): Offers | null {
  const file = firstOf(listing, ['justfile', 'Justfile', '.justfile'])
  if (file === null) return null
  const recipes = new Set(
    Array.from(
      listing.text(file).matchAll(/^@?([A-Za-z_][\w-]*)([^:\n]*):(?!=)/gm),
      ([, name, parameters = '']) => (needsNone(parameters) ? name : undefined),
    ),
  )
  return { found: namedCommands('just', `${file} recipe`, name => recipes.has(name)) }
}

/** Tells whether each parameter has a default (`target="all"`) or is optional (`*args`). */
function needsNone(parameters: string): boolean {
  return parameters
    .trim()
    .split(/\s+/)
    .every(parameter => parameter === '' || parameter.startsWith('*') || parameter.includes('='))
}

/**
 * Targets of a Makefile. A target that has the name of an existing file or directory and is not phony is never run:
 * `make test` beside a directory `test` does nothing and exits 0, so it is rejected.
 */
function make(listing: ProjectListing): Offers | null {
  const file = firstOf(listing, ['GNUmakefile', 'makefile', 'Makefile'])
  if (file === null) return null
  const text = listing.text(file).replaceAll(/\\\r?\n/g, ' ')
  const rules = Array.from(text.matchAll(/^([^\s:#=][^:#=\n]{0,500}?)[ \t]{0,50}:(?!:*=)(.*)$/gm))
  const named = (left: string) => left.split(/\s+/)
  const phony = rules.flatMap(([, left = '', right = '']) => (left === '.PHONY' ? named(right.trim()) : []))
  const targets = new Set(rules.flatMap(([, left = '']) => named(left)))
  const passedOver: string[] = []
  const isMade = (target: string) => {
    if (!targets.has(target)) return false
    const inTheWay = [`${target}/`, target].find(name => listing.names.has(name))
    if (inTheWay === undefined || phony.includes(target)) return true
    passedOver.push(
      `${file} target "${target}" is not phony, and ${inTheWay} is there: make would do nothing.`,
    )
    return false
  }
  return { found: namedCommands('make', `${file} target`, isMade), passedOver }
}

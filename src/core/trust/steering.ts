/**
 * Which files of a work tree steer verification: whoever changes one of them can make a promise pass without doing the
 * work. Known from the promise itself and from the families of tools it names; a promise of no known runner is steered
 * by its own script alone. Paths are those of the tree, with slashes.
 *
 *   test     a file of tests, its data and its snapshots
 *   config   what is run and how it is judged: scripts, settings of runners, lock files
 *   tool     the runner itself and what it loads
 *   script   a file that the promise names as its own program
 */
import type { SteeringKind } from '../../model/loop/trust.ts'
import { isTestFile } from '../change/test-file.ts'
import { readCommands } from '../shell/lists.ts'
import { baseName } from '../shell/programs.ts'
import { readerOf } from '../shell/reader.ts'
import { type Ecosystem, ecosystems } from './ecosystems.ts'

export type SteeringRules = {
  families: readonly Ecosystem[]
  scripts: ReadonlySet<string>
  /** Files that the promise looks into: they are the work, whatever else they decide. */
  subjects: ReadonlySet<string>
  /** Directories of checks that a script of the promise is in: what lies beside it is its data. */
  checks: ReadonlySet<string>
  /** Names that make would take for something that is made already. */
  targets: ReadonlySet<string>
}

/**
 * `learnt`: what the scripts and recipes do that these commands run; `rootFiles`: the names at the root of the tree as
 * the loop found it.
 */
type Steered = { commands: readonly string[]; learnt?: readonly string[]; rootFiles: readonly string[] }

export function steeringRules({ commands, learnt = [], rootFiles }: Steered): SteeringRules {
  const words = commands.flatMap(shellWords)
  const all = [...words, ...learnt.flatMap(shellWords)]
  const programs = new Set(all.flat().map(baseName))
  const named = ecosystems.filter(one => one.programs.some(program => programs.has(program)))
  const callsAny = named.some(({ name }) => name === 'Make')
  const shown = ({ markers }: Ecosystem) => rootFiles.some(file => markers.some(marker => marker.test(file)))
  const families = ecosystems.filter(one => named.includes(one) || (callsAny && shown(one)))
  const scripts = new Set([...commands.flatMap(scriptsRunBy), ...learnt.flatMap(checksRunBy)])
  return {
    families,
    scripts,
    subjects: new Set(words.flatMap(subjectsOf)),
    checks: new Set([...scripts, ...learnt.flatMap(dataReadBy)].map(directoryOf).filter(isCheckData)),
    targets: new Set(all.flatMap(targetsOf).filter(name => !rootFiles.includes(name))),
  }
}

/** Files that this command runs as its own program: of the tree, or absolute where they are outside of it. */
export function scriptsRunBy(command: string): string[] {
  return shellWords(command).flatMap(words => scriptsOf(words, command))
}

/** A script runs the product too: of what it runs, only what calls itself a check judges the work. */
export function checksRunBy(command: string): string[] {
  return scriptsRunBy(command).filter(path => checks.test(path))
}

export function directoryOf(path: string): string {
  return path.split('/').slice(0, -1).join('/')
}

/** `make -s test`: a file of that name would be up to date. */
function targetsOf(words: string[]): string[] {
  const [program = '', ...args] = withoutPrefix(words)
  return baseName(program) === 'make' || baseName(program) === 'gmake'
    ? args.filter(word => /^[\w.-]+$/.test(word) && !word.startsWith('-'))
    : []
}

/** The words of each simple command whose text is known before it runs. */
export function shellWords(command: string): string[][] {
  const reader = readerOf(command, [])
  readCommands(reader, [])
  return reader.commands.map(({ words }) =>
    words.flatMap(({ text }) => (text === null || text === '' ? [] : [text])),
  )
}

const shells = /^(?:sh|bash|dash|zsh|ksh|source|\.)$/
const interpreters = /^(?:node|python3?|ruby|perl|php|bun|deno|tsx)$/
/** A program of the product is run by an interpreter too: only what calls itself a check counts. */
const checks =
  /(?:^|[/_.-])(?:verify|verification|checks?|tests?|accept|acceptance|ci|validate|bench|lint|spec|smoke|golden)(?:[/_.-]|$)/i

/** What a script of the promise compares with. */
function dataReadBy(command: string): string[] {
  return shellWords(command).flatMap(words => words.filter(word => word.includes('/')).map(inTree))
}

export function isCheckData(directory: string): boolean {
  return checkData.test(directory)
}

export function callsItselfCheck(path: string): boolean {
  return checks.test(path)
}

/** What lies there beside a check is compared by it; `ci` holds much else. */
const checkData = /(?:^|\/)(?:checks?|verify|verification|acceptance|smoke|golden)$/i

const prefixes = /^(?:exec|env|command|time|nice|nohup|timeout|xvfb-run)$/

/** `FOO=1 timeout 60 npm test` runs npm. */
function withoutPrefix(words: string[]): string[] {
  const rest = words.filter(word => !/^[A-Za-z_]\w*=/.test(word) && word !== '!')
  let at = 0
  while (prefixes.test(rest[at] ?? '')) {
    at += 1
    while (/^(?:-.*|\d+[smhd]?)$/.test(rest[at] ?? '')) at += 1
  }
  return rest.slice(at)
}

/** Files that this command runs as its own program: the program itself, and what a shell or an interpreter reads. */
function scriptsOf(words: string[], command: string): string[] {
  const [program = '', ...args] = withoutPrefix(words)
  const read = args.find(word => !word.startsWith('-')) ?? ''
  const name = baseName(program)
  const found = [
    ...(program.includes('/') ? [program] : []),
    ...(shells.test(name) && read !== '' ? [read] : []),
    ...(interpreters.test(name) && checks.test(read) && /[./]/.test(read) ? [read] : []),
  ]
  return found.filter(path => checks.test(path) || !isPiped(path, command)).map(inTree)
}

const readers = /^(?:e?grep|fgrep|rg|test|\[|jq|yq|cat|diff|cmp|awk|sed|head|tail|wc|stat|ls)$/

/** `grep -q 1.1.0 package.json` asks for a change of that file. */
function subjectsOf(words: string[]): string[] {
  const [program = '', ...args] = words.filter(word => word !== '!')
  return readers.test(baseName(program)) ? args.map(inTree) : []
}

/** `sh greet.sh | grep -q world` looks at what the work prints: greet.sh is the work. */
function isPiped(path: string, command: string): boolean {
  const at = command.indexOf(path)
  return /^(?:[^|&;\n]|[<>]&)*\|(?!\|)/.test(command.slice(at + path.length))
}

function inTree(path: string): string {
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return `${path.startsWith('/') ? '/' : ''}${parts.join('/')}`
}

/** Null: it is a source like any other. */
export function steeringKind(path: string, rules: SteeringRules): SteeringKind | null {
  const { families, scripts, subjects, checks: directories, targets } = rules
  const parts = path.split('/')
  if (scripts.has(path) || targets.has(parts[0] ?? '')) return 'script'
  if (subjects.has(path)) return null
  const name = parts.at(-1) ?? ''
  if (families.some(({ tools }) => parts.some(part => tools.includes(part)))) return 'tool'
  if (families.some(({ config }) => config.some(pattern => pattern.test(name)))) return 'config'
  if (families.some(({ modules = [] }) => hidesModule(parts, modules))) return 'config'
  if (directories.has(directoryOf(path))) return 'test'
  return families.some(({ isHelper }) => !isHelper) && isTestFile(path) ? 'test' : null
}

/** Python looks into the directory it was started in, and pytest into that of the tests, before its own modules. */
function hidesModule(parts: string[], modules: readonly string[]): boolean {
  const [first = '', second = '', ...more] = parts
  const isModule = (name: string) => name.endsWith('.py') && modules.includes(name.slice(0, -3))
  const isSearched = /^(?:src|tests?)$/.test(first)
  if (more.length > 0) return false
  if (second === '') return isModule(first)
  return (modules.includes(first) && second === '__init__.py') || (isSearched && isModule(second))
}

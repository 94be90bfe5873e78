/**
 * Which files of a work tree steer verification: a change to one of them can make a promise pass without the work. The
 * rules come from the promise itself and from the families of tools that it names. A promise without a known runner is
 * steered by its own script alone. Paths are relative to the tree, with slashes.
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
  /**
   * Files that the promise only reads, such as a file that `grep` searches: these are the work, even if they are
   * settings too. Not those by which another command of the promise runs.
   */
  subjects: ReadonlySet<string>
  /**
   * Directories of checks that contain a script of the promise: the other files in them are the data of that script.
   */
  checks: ReadonlySet<string>
  /** Targets of make. A file with the name of a target would make the target count as up to date. */
  targets: ReadonlySet<string>
}

/**
 * `commands`: those of the promise, and the scripts that it may call by a name. `promise`: only its own, if there are
 * others. `learnt`: the commands inside the scripts and recipes that these commands run. `rootFiles`: the names at the
 * root of the tree when the loop began.
 */
type Steered = {
  commands: readonly string[]
  promise?: readonly string[]
  learnt?: readonly string[]
  rootFiles: readonly string[]
}

export function steeringRules(steered: Steered): SteeringRules {
  const { commands, promise = commands, learnt = [], rootFiles } = steered
  const all = [...commands, ...learnt].flatMap(shellWords)
  const scripts = new Set([...commands.flatMap(scriptsRunBy), ...learnt.flatMap(checksRunBy)])
  const rules = {
    families: familiesOf(all, rootFiles),
    scripts,
    subjects: new Set<string>(),
    checks: new Set([...scripts, ...learnt.flatMap(dataReadBy)].map(directoryOf).filter(isCheckData)),
    targets: new Set(all.flatMap(targetsOf).filter(name => !rootFiles.includes(name))),
  }
  const read = promise.flatMap(shellWords).flatMap(subjectsOf)
  if (read.length === 0) return rules
  const running = { ...rules, families: familiesRun({ commands, promise, learnt, rootFiles }) }
  return { ...rules, subjects: new Set(read.filter(path => steeringKind(path, running) === null)) }
}

function familiesOf(commands: string[][], rootFiles: readonly string[]): Ecosystem[] {
  const programs = new Set(commands.flatMap(programsIn))
  const named = ecosystems.filter(one => one.programs.some(program => programs.has(program)))
  const callsAny = named.some(({ name }) => name === 'Make')
  const shown = ({ markers }: Ecosystem) => rootFiles.some(file => markers.some(marker => marker.test(file)))
  return ecosystems.filter(one => named.includes(one) || (callsAny && shown(one)))
}

/** The words that can name a program; also those inside `sh -c 'npm test'`. */
function programsIn(words: string[]): string[] {
  const parts = isReader(words) ? words : words.flatMap(word => word.split(/[\s;&|()]+/))
  return parts.map(baseName)
}

/** Programs that run the scripts of package.json, by their names. */
const scriptCallers = /^(?:npm|pnpm|yarn|bun|deno|turbo|nx|lerna|--run)$/

/**
 * The families of the commands that do more than read files. What only a script of the project calls counts if the
 * promise can get there: by `npm`, by `make` or by a script of its own.
 */
function familiesRun({ commands, promise, learnt, rootFiles }: Required<Steered>): Ecosystem[] {
  const runs = (texts: readonly string[]) => texts.flatMap(shellWords).filter(words => !isReader(words))
  const own = runs(promise)
  const callsScripts = own.flatMap(programsIn).some(name => scriptCallers.test(name))
  const callsFiles = familiesOf(own, []).some(({ name }) => name === 'Make')
  const callsOthers = callsScripts || callsFiles || promise.some(command => scriptsRunBy(command).length > 0)
  const all = callsOthers ? runs([...commands, ...learnt]) : own
  const programs = new Set(all.flatMap(programsIn))
  return familiesOf(all, rootFiles).map(family => {
    const { unread, config } = family
    const named = family.programs.filter(program => programs.has(program))
    const isUnread = !callsScripts && named.length > 0 && named.every(one => unread?.by.includes(one))
    return isUnread ? { ...family, config: config.filter(form => form !== unread?.file) } : family
  })
}

/** The files that this command runs as programs: of the tree, or absolute if they are outside of it. */
export function scriptsRunBy(command: string): string[] {
  return shellWords(command).flatMap(words => scriptsOf(words, command))
}

/** A script also runs the product itself. So of the files that it runs, only those with the name of a check count. */
export function checksRunBy(command: string): string[] {
  return scriptsRunBy(command).filter(path => checks.test(path))
}

export function directoryOf(path: string): string {
  return path.split('/').slice(0, -1).join('/')
}

/** The targets in a call such as `make -s test`. */
function targetsOf(words: string[]): string[] {
  const [program = '', ...args] = withoutPrefix(words)
  return baseName(program) === 'make' || baseName(program) === 'gmake'
    ? args.filter(word => /^[\w.-]+$/.test(word) && !word.startsWith('-'))
    : []
}

/** The words of each simple command that can be read without running it. */
export function shellWords(command: string): string[][] {
  const reader = readerOf(command, [])
  readCommands(reader, [])
  return reader.commands.map(({ words }) =>
    words.flatMap(({ text }) => (text === null || text === '' ? [] : [text])),
  )
}

const shells = /^(?:sh|bash|dash|zsh|ksh|source|\.)$/
const interpreters = /^(?:node|python3?|ruby|perl|php|bun|deno|tsx)$/
/** Names of checks. An interpreter runs the product too, so only a file with such a name counts as a check. */
const checks =
  /(?:^|[/_.-])(?:verify|verification|checks?|tests?|accept|acceptance|ci|validate|bench|lint|spec|smoke|golden)(?:[/_.-]|$)/i

/** The files with which a script of the promise compares its results. */
function dataReadBy(command: string): string[] {
  return shellWords(command).flatMap(words => words.filter(word => word.includes('/')).map(inTree))
}

export function isCheckData(directory: string): boolean {
  return checkData.test(directory)
}

export function callsItselfCheck(path: string): boolean {
  return checks.test(path)
}

/** Directories whose other files are the data of a check. `ci` is not among them: it has many other files. */
const checkData = /(?:^|\/)(?:checks?|verify|verification|acceptance|smoke|golden)$/i

const prefixes = /^(?:exec|env|command|time|nice|nohup|timeout|xvfb-run)$/

/** The program and its arguments: `FOO=1 timeout 60 npm test` runs npm. */
export function withoutPrefix(words: string[]): string[] {
  const rest = words.filter(word => !/^[A-Za-z_]\w*=/.test(word) && word !== '!')
  let at = 0
  while (prefixes.test(rest[at] ?? '')) {
    at += 1
    while (/^(?:-.*|\d+[smhd]?)$/.test(rest[at] ?? '')) at += 1
  }
  return rest.slice(at)
}

/** The files that one simple command runs: the program itself, and the script that a shell or an interpreter reads. */
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

function isReader(words: string[]): boolean {
  return readers.test(baseName(withoutPrefix(words)[0] ?? ''))
}

/** The files that a command only reads: `grep -q 1.1.0 package.json` wants that file changed. */
function subjectsOf(words: string[]): string[] {
  return isReader(words) ? withoutPrefix(words).slice(1).map(inTree) : []
}

/** True in `sh greet.sh | grep -q world`: the promise reads the output of greet.sh, so greet.sh is the work. */
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

/** Null for an ordinary source file. */
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

/** Python searches its start directory before its own modules, and pytest searches the directory of the tests. */
function hidesModule(parts: string[], modules: readonly string[]): boolean {
  const [first = '', second = '', ...more] = parts
  const isModule = (name: string) => name.endsWith('.py') && modules.includes(name.slice(0, -3))
  const isSearched = /^(?:src|tests?)$/.test(first)
  if (more.length > 0) return false
  if (second === '') return isModule(first)
  return (modules.includes(first) && second === '__init__.py') || (isSearched && isModule(second))
}

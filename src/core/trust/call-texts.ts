/**
 * What single calls of a chain come to: the code or the file that an interpreter is given, what it has at its standard
 * input, and what a text says of itself: that it judges, or that it is a check by its name. Pure.
 */

import type { Call } from './calls.ts'
import { baseName } from './commands.ts'
import { givenByOption, holdsAgainst } from './compared.ts'
import { ecosystems } from './ecosystems.ts'
import { kindOfCall } from './program-kinds.ts'

/** The code that stands in the call itself; null where there is none. */
export function inlineCode({ program, args }: Call, kind: string): string | null {
  if (kind !== 'shell' && kind !== 'interpreter') return null
  const form = kind === 'shell' ? /^-\w*c$/ : (inlineBy.find(([name]) => name.test(program))?.[1] ?? /^-e$/)
  // `python3 -m pytest -p no:cacheprovider`: what follows a module or a file is for that.
  const own = args.findIndex(word => word === '-m' || word === '--test')
  const at = args.slice(0, own < 0 ? args.length : own).findIndex(word => form.test(word))
  return at >= 0 ? (args[at + 1] ?? '') : null
}

const inlineBy: readonly [RegExp, RegExp][] = [
  [/^(?:python|pypy)/, /^-c$/],
  [/^(?:node|nodejs|bun|deno|tsx|ts-node)$/, /^-(?:e|p|pe)$|^--(?:eval|print)$/],
  [/^perl$/, /^-\w*[eE]$/],
  [/^php$/, /^-r$/],
]

/** Does a command only look at what it is given? */
function isLook(call: Pick<Call, 'program' | 'args'>): boolean {
  const kind = kindOfCall(call)
  return (kind === 'inspector' || kind === 'neutral') && !holdsAgainst(call)
}

/** Are the files run that other commands of the text list: by `xargs sh`, or in a loop with `read`? */
export function runsListed(calls: readonly Call[]): boolean {
  const isLoop = calls.some(({ program }) => program === 'read')
  return calls.some(call => (isLoop || call.isFed) && !isLook(call))
}

/** Does `find … -exec sh {} +` run what it finds? `-exec grep` only looks at it. */
export function execRuns({ program, args }: Pick<Call, 'program' | 'args'>): boolean {
  const at = args.findIndex(word => /^-(?:exec|execdir|ok|okdir)$/.test(word))
  const [run = '', ...words] = program === 'find' && at >= 0 ? args.slice(at + 1) : []
  return run !== '' && !isLook({ program: baseName(run), args: words })
}

/** Code that compares or ends by itself judges what it loads; other code leaves that to what it loads. */
export const comparing = /assert|expect\(|\bexit\b|\bthrow\b|\braise\b|[=!]==?|\.equal|\bprint|console\./

export function isLoaded(code: string, word: string, modules: readonly string[]): boolean {
  const name = word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const form = `(?:require|import|from|exec\\w*|spawn\\w*|runpy\\.\\w+|source|load|system|open)\\W{0,6}[\\w./]{0,20}${name}`
  return modules.includes(word) || new RegExp(form).test(code)
}

export function isTestRun({ program, args }: Pick<Call, 'program' | 'args'>): boolean {
  const module = args[args.indexOf('-m') + 1] ?? ''
  const isModule = args.includes('-m') && /^(?:pytest|unittest|nose2?|doctest|coverage|tox|nox)$/.test(module)
  return isModule || args.includes('--test') || (/^(?:bun|deno)$/.test(program) && args.includes('test'))
}

/** The file that a shell or an interpreter is given; of `python3 -m tools.check` the module. */
export function scriptOf({ program, args }: Call, exists: (path: string) => boolean): string[] {
  const at = args.indexOf('-m')
  if (at >= 0) {
    const path = (args[at + 1] ?? '').replaceAll('.', '/')
    return [`${path}.py`, `${path}/__main__.py`].filter(exists).slice(0, 1)
  }
  const loaded = givenByOption({ program, args })
  const rest = args.filter(word => !/^(?:run|-.*)$/.test(word) && !loaded.includes(word))
  // The value of an option can stand before it: `node --title mine run.js`.
  return [...rest.filter(word => exists(word) || /[*?[]/.test(word)), ...rest].slice(0, 1)
}

export function isLinter(program: string): boolean {
  return !/^(?:grep|egrep|fgrep|test|\[|\[\[|jq|yq|cat|head|tail|wc|sed|g?awk|less|more|od|xxd|nl)$/.test(
    program,
  )
}

/** A linter, a type checker, a tool that no list names, or a run that measures coverage. */
export function isLinting({ program, args }: Call, kind: string): boolean {
  if (args.some(word => /cover|^--cov/.test(word)) || /^(?:c8|nyc|coverage)$/.test(program)) return true
  if (args.some(word => word.startsWith('-Werror'))) return true
  if (kind === 'inspector')
    return isLinter(program) && !/^(?:find|ls|stat|du|file|strings|git|\w+sum)$/.test(program)
  return kind === 'runner' && !program.includes('$') && !ofFamilies.has(program)
}

const ofFamilies = new Set(
  ecosystems.flatMap(({ programs }) => programs).concat('cc', 'gcc', 'clang', 'g++', 'c++'),
)

export const runnable = /(?:^|\/)[^.]+$|\.(?:sh|bash|zsh|py|rb|pl|php|[cm]?[jt]s)$/

/** Code in a language of its own, not a shell script. */
export function isCode(path: string): boolean {
  return /\.(?!(?:sh|bash|zsh|ksh|bats)$)\w+$/.test(baseName(path))
}

/** Something that can end with an error because of what it has seen. */
export function judges(text: string | null): boolean {
  return /assert|expect\(|\bexit\b|\bthrow\b|\braise\b|child_process|subprocess|spawn|\bexec/.test(text ?? '')
}

const checks =
  /(?:^|[/_.-])(?:verify|verification|checks?|tests?|accept|acceptance|ci|validate|evaluate|grade|bench|lint|spec|smoke|golden|runner|harness)(?:[/_.-]|$)/i

export function callsItselfCheck(path: string): boolean {
  return checks.test(path)
}

/** The words of a text that can be paths. */
export function pathsIn(text: string): string[] {
  const known = text.replaceAll(/\$(?:\w+|\{[^}]*\})\/?/g, ' ')
  return [...new Set(known.match(/[\w.@-]+(?:\/[\w.@-]+)+|[\w-]+\.\w+/g) ?? [])].slice(0, 400)
}

/** A program that no table has may run anything. */
export function isUnknown({ program, path, args }: Call, kind: string): boolean {
  if (program.includes('$') || path.includes('$')) return true
  return kind === 'runner' && !ofFamilies.has(program) && !isTestRun({ program, args })
}

/** Code that starts other programs. */
export const starting = /child_process|subprocess|os\.system|popen|\bspawn|\bexec(?:File)?(?:Sync)?\(/

/** Code that loads other code by a name that is known only at run time. */
export const loading =
  /\b(?:import|require)\s*\(\s*(?!["'][^"']*["']\s*\)|`[^`$]*`\s*\))|\bimportlib\b|\b__import__\b|\brunpy\b/

/** `find . -name '*.check'`: the names that it looks for. */
export function namesFound({ program, args }: Pick<Call, 'program' | 'args'>): string[] {
  if (program !== 'find') return []
  return args.filter((_, at) => /^-(?:i?name|i?wholename)$/.test(args[at - 1] ?? ''))
}

/** `PATH="$PWD/bin:$PATH"`: the directories that are not known only at run time. */
export function searchedPlaces(text: string): string[] {
  const values = Array.from(text.matchAll(/\bPATH=("[^"]*"|'[^']*'|[^\s;&|]+)/g), ([, value = '']) => value)
  return values
    .flatMap(value => value.replaceAll(/["']/g, '').replaceAll('$PWD', '.').split(':'))
    .filter(place => place !== '' && !place.startsWith('/') && !/^\$\{?PATH\b/.test(place))
}

const loadingVariables =
  /\b(?:BASH_ENV|ENV|MAKEFILES|\w*(?:OPTIONS|OPTS?|PRELOAD|STARTUP|ADDOPTS|PLUGINS))=("[^"]*"|'[^']*'|[^\s;&|]+)/g

/** The files in variables by which a program loads code that nobody names in its call: `BASH_ENV=./env.sh bash all.sh`. */
export function loadedByEnvironment(text: string): string[] {
  return Array.from(text.matchAll(loadingVariables), ([, value = '']) => value)
    .flatMap(value => value.replaceAll(/["']/g, '').split(/[\s=,:]+/))
    .filter(word => /\w/.test(word) && !word.startsWith('-'))
}

/** `node -e "$(cat judge.js)"`: the file that the code is, as a whole. */
export function readWhole(code: string): string | null {
  const [, word = null] = /^\s*(?:\$\(\s*(?:cat\s|<)|`\s*cat\s)\s*([^\s()|`]+)\s*[)`]\s*$/.exec(code) ?? []
  return word
}

/** What stands behind a program that nobody knows: `again 3 sh run.sh`, `again --run 'sh run.sh'`. */
export function nestedIn(call: Call): { calls: Call[]; texts: string[] } {
  const { args } = call
  const at = args.findIndex((word, n) => isStarter(word, args.slice(n + 1)))
  const [path = '', ...rest] = at < 0 ? [] : args.slice(at)
  const nested = { ...call, program: baseName(path), path, args: rest }
  return { calls: path === '' ? [] : [nested], texts: args.filter(word => /\w\s+\S/.test(word)) }
}

function isStarter(word: string, args: readonly string[]): boolean {
  return /^(?:shell|interpreter|package-runner|make)$/.test(
    kindOfCall({ program: baseName(word), args: [...args] }),
  )
}

/** The words that a command looks for in what others say: patterns of grep, what a result is to be equal to. */
export function searchedBy({ program, args }: Call): string[] {
  const plain = args.filter(word => !word.startsWith('-') || word.includes(' '))
  const found = /grep$|^rg$/.test(program)
    ? plain.slice(0, 1)
    : /^(?:test|\[|\[\[)$/.test(program)
      ? plain
      : []
  return found
    .map(word => word.replaceAll(/^\^|\$$|\\/g, ''))
    .filter(word => word.length > 1 && !/^[=!$]/.test(word))
}

/** The modules that a text of Python or JavaScript imports, as paths without an ending. */
export function modulesIn(text: string): string[] {
  const quoted = Array.from(
    text.matchAll(/(?:require\s*\(|\bfrom|\bimport\s*\(?)\s*\\?["']([\w./@-]+)/g),
    ([, name = '']) => name,
  )
  const dotted = Array.from(
    text.matchAll(/(?:^|[\s;'"(])(?:from\s+([\w.]+)\s+import\s+([\w, ]+)|import\s+([\w., ]+))/gm),
    ([, from = '', names = '', plain = '']) =>
      from === '' ? plain.split(/[,\s]+/) : [from, ...names.split(',').map(name => `${from}.${name.trim()}`)],
  ).flat()
  return [...quoted, ...dotted.map(name => name.replaceAll('.', '/'))].filter(name => name !== '')
}

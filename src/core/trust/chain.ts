/**
 * The chain of a promise: what its commands run, and what they only look at. Read from the texts of the promise, of the
 * scripts and recipes it calls and of what those call in turn, through `cd`, `-C`, `--prefix` and interpreters; nothing
 * is run, and tests are not read. It is plain data, because it is written down when the loop begins: what the agent
 * makes of those scripts later does not change it.
 *
 *   promise ─▶ calls ─▶ runs a file or a glob ─▶ script        (judges the work)
 *                   ├─▶ its output is compared, and it names nothing else of the tree ─▶ the work
 *                   ├─▶ looks at a file (grep, eslint, test -f) ─▶ inspected: the work
 *                   └─▶ holds a file against another (diff, cmp) ─▶ compared
 */
import { isTestFile } from '../change/test-file.ts'
import { below, type Call, callsIn, directoryOf, inTree } from './calls.ts'
import { baseName } from './commands.ts'
import { kindOfCall, operandsOf } from './program-kinds.ts'
import { type Reading, recipesOf, scriptsCalled, targetsOf } from './recipes.ts'

export type Chain = {
  /** Files that are run, of the tree or with an absolute path. */
  scripts: string[]
  /** Directories and globs whose files are run. */
  runs: string[]
  /** Files, directories and globs that are only looked at; '' is the whole tree. */
  inspected: string[]
  /** Files that are held against others. */
  compared: string[]
  /** The names of all programs, and the plain words of all commands. */
  programs: string[]
  words: string[]
  targets: string[]
  /** Something is run, and not only looked at. */
  isRunning: boolean
  /** The scripts of a package.json are called by their names. */
  callsScripts: boolean
  /** The promise asks for tests: `! runner`, a threshold of coverage, `loop check red`. */
  wantsTests: boolean
}

type Text = { text: string; cwd: string; by: string; depth: number }

const mostDepth = 5
const mostTexts = 60

export function chainOf(promise: readonly string[], tree: Reading): Chain {
  const chain = new Following(tree)
  const open: Text[] = promise.map(text => ({ text, cwd: '', by: '', depth: 0 }))
  for (let at = 0; at < Math.min(open.length, mostTexts); at += 1) {
    const next = open[at]
    if (next) open.push(...chain.follow(next).filter(({ depth }) => depth <= mostDepth))
  }
  return chain.found(promise.some(wantsTests))
}

const coverage =
  /--(?:coverage|check-coverage|cov-fail-under|experimental-test-coverage|test-coverage-\w+|fail-under)/

/** The red step of a plan, a test that must fail, or tests until enough of the code is covered. */
function wantsTests(command: string): boolean {
  const isNegated = /(?:^|[;&|(\n])\s*!\s*(?!(?:grep|rg|test|\[|git|cmp|diff)\b)\S/.test(command)
  return isNegated || coverage.test(command) || /\bcheck\s+(?:red|proof|pins)\b/.test(command)
}

/** For what the text of a promise itself says: no file is read. */
export const unread: Reading = { read: () => null, list: () => [] }

/** Collects what the texts of one promise come to. */
class Following {
  private readonly scripts = new Set<string>()
  private readonly runs = new Set<string>()
  private readonly inspected = new Set<string>()
  private readonly compared = new Set<string>()
  private readonly programs = new Set<string>()
  private readonly words = new Set<string>()
  private readonly targets = new Set<string>()
  private readonly seen = new Set<string>()
  private isRunning = false
  private callsScripts = false
  private readonly tree: Reading

  constructor(tree: Reading) {
    this.tree = tree
  }

  found(isForTests: boolean): Chain {
    return {
      scripts: [...this.scripts],
      runs: [...this.runs],
      inspected: [...this.inspected],
      compared: [...this.compared],
      programs: [...this.programs],
      words: [...this.words],
      targets: [...this.targets],
      isRunning: this.isRunning,
      callsScripts: this.callsScripts,
      wantsTests: isForTests,
    }
  }

  /** Takes down the calls of one text; returns the texts behind them. */
  follow(from: Text): Text[] {
    const key = `${from.cwd}\0${from.text}`
    if (this.seen.has(key)) return []
    this.seen.add(key)
    const { calls, looped } = callsIn(from.text)
    for (const { name, words, cwd } of looped) {
      const isRun = calls.some(call => runsVariable(call, name))
      const into = isRun ? this.runs : this.inspected
      for (const word of words) into.add(this.placed(word, { ...from, cwd: below(from.cwd, cwd) }))
    }
    const isListed = calls.some(({ program }) => program === 'read') || /\bxargs\b|-exec\b/.test(from.text)
    return calls.flatMap(call => {
      for (const word of [call.program, ...call.args]) if (/^[\w.+-]+$/.test(word)) this.words.add(word)
      const cwd = call.cwd.startsWith('$') ? from.cwd : inTree(below(from.cwd, call.cwd))
      return this.take(call, { ...from, cwd }, isListed)
    })
  }

  private take(call: Call, from: Text, isListed: boolean): Text[] {
    const kind = kindOfCall(call)
    this.programs.add(call.program)
    const module = call.args[call.args.indexOf('-m') + 1]
    if (call.args.includes('-m') && module !== undefined) this.programs.add(module)
    for (const target of targetsOf(call)) this.targets.add(target)
    if (kind === 'neutral') return []
    if (kind === 'inspector') {
      // `ls cases | while read t` and `find … -exec sh` run what they list.
      const into = isListed && /^(?:find|ls)$/.test(call.program) ? this.runs : this.inspected
      const operands = operandsOf(call).filter(word => !/^[$]/.test(word))
      for (const word of operands) into.add(this.placed(word, from))
      if (operands.length === 0 && isLinter(call.program)) into.add(from.cwd)
      return []
    }
    if (kind === 'comparer') {
      for (const word of operandsOf(call)) this.compared.add(this.placed(word, from))
      return []
    }
    const inline = codeOf(call, kind)
    if (inline !== null) return this.inlined(inline, from, kind)
    this.isRunning = true
    if (call.path.includes('/')) return this.ran(call.path, call, from)
    if (kind === 'package-runner') {
      this.callsScripts = true
      return scriptsCalled(call, from.cwd, this.tree).map(one => this.named(one, from))
    }
    if (kind === 'make') return recipesOf(call, from.cwd, this.tree).map(one => this.named(one, from))
    if (kind === 'runner' || isTestRun(call)) return this.given(call, from)
    const [file] = scriptOf(call, word => this.exists(this.placed(word, from)))
    return file === undefined ? [] : this.ran(file, call, from)
  }

  /** Commands of the promise under another name, so as near to it as the call itself. */
  private named({ text, cwd, from: by }: { text: string; cwd: string; from: string }, { depth }: Text): Text {
    return { text, cwd, by, depth: depth + 0.5 }
  }

  /** `sh -c 'make test'` runs commands; `node -e "…"` looks at the files that it names. */
  private inlined(code: string, from: Text, kind: string): Text[] {
    if (kind === 'shell') return [{ ...from, text: code, depth: from.depth + 0.5 }]
    for (const word of pathsIn(code)) {
      const path = this.placed(word, from)
      if (this.exists(path)) this.inspected.add(path)
    }
    return []
  }

  /** The tests that a runner is given: by file, directory or glob. */
  private given(call: Call, from: Text): Text[] {
    for (const word of operandsOf(call)) {
      const path = this.placed(word, from)
      if (/[*?[]/.test(path) || isTestFile(`${path}/x`) || /(?:^|\/)(?:t|cases?|checks?|specs?)$/.test(path))
        this.runs.add(path)
    }
    return []
  }

  private ran(file: string, call: Call, from: Text): Text[] {
    const path = this.placed(file, from)
    if (path.startsWith('$')) return []
    if (/[*?[]/.test(path)) {
      this.runs.add(path)
      return []
    }
    const text = this.tree.read(path)
    if (call.isRead && !this.isRunner(path, text)) return []
    if (from.depth >= 1 && isCode(path) && !callsItselfCheck(path) && !judges(text)) return []
    this.scripts.add(path)
    if (text === null || isTestFile(path)) return []
    const cwd = from.cwd
    const depth = from.depth + 1
    const isShell = !isCode(path)
    const others = this.namedIn(path, text, cwd)
    return isShell ? [{ text, cwd, by: path, depth }, ...others] : others
  }

  /** Does a program whose output is compared run others? Then it is a runner, not the work. */
  private isRunner(path: string, text: string | null): boolean {
    if (text === null || isTestFile(path)) return text !== null
    const named = pathsIn(text).filter(word => baseName(word) !== baseName(path))
    const there = named.filter(
      word => this.exists(inTree(word)) || this.exists(inTree(below(directoryOf(path), word))),
    )
    if (!isCode(path)) return there.length > 0 || /[\w-]+\/\*/.test(text)
    return there.some(word => isTestFile(word) || callsItselfCheck(word))
  }

  /** In a script of any language: the checks that it names, which it may run (`execFileSync('sh', ['checks/run.sh'])`). */
  private namedIn(path: string, text: string, cwd: string): Text[] {
    const beside = directoryOf(path)
    return pathsIn(text).flatMap((word): Text[] => {
      const places = [inTree(word), inTree(below(cwd, word)), inTree(below(beside, word))]
      const at = places.find(one => one !== path && !isTestFile(one) && this.tree.read(one) !== null)
      if (at === undefined || !runnable.test(at) || !callsItselfCheck(at)) return []
      this.scripts.add(at)
      const found = this.tree.read(at)
      return isCode(at) || found === null ? [] : [{ text: found, cwd, by: at, depth: 2 }]
    })
  }

  private exists(path: string): boolean {
    return this.tree.read(path) !== null || this.tree.list(path).length > 0
  }

  /** The path that a word means: from the directory of the call, else beside the script that it stands in. */
  private placed(word: string, { cwd, by }: Pick<Text, 'cwd' | 'by'>): string {
    // The known part of `"$here/checks/run.sh"` and `$(dirname "$0")/run.sh`.
    const plain = word.replace(/^(?:\$(?:\w+|\{[^}]*\}|\([^)]*\))\/)+/, '')
    if (plain.startsWith('/')) return inTree(plain)
    const here = inTree(below(cwd, plain))
    const places = [here, inTree(below(directoryOf(by), plain)), inTree(plain)]
    return places.find(one => this.exists(one)) ?? here
  }
}

function runsVariable({ path, program, args }: Call, name: string): boolean {
  const isIt = (word: string) => word.includes(`$${name}`) || word.includes(`\${${name}`)
  if (isIt(path)) return true
  const kind = kindOfCall({ program, args })
  return args.some(isIt) && kind !== 'inspector' && kind !== 'neutral' && kind !== 'comparer'
}

/** The code that stands in the call itself; null where there is none. */
function codeOf({ args }: Call, kind: string): string | null {
  if (kind !== 'shell' && kind !== 'interpreter') return null
  const at = args.findIndex(word =>
    kind === 'shell' ? /^-\w*c$/.test(word) : /^-(?:c|e|p|pe|r|E|ne)$|^--(?:eval|print)$/.test(word),
  )
  return at >= 0 ? (args[at + 1] ?? '') : null
}

function isTestRun({ program, args }: Call): boolean {
  const module = args[args.indexOf('-m') + 1] ?? ''
  const isModule = args.includes('-m') && /^(?:pytest|unittest|nose2?|doctest|coverage|tox|nox)$/.test(module)
  return isModule || args.includes('--test') || (/^(?:bun|deno)$/.test(program) && args.includes('test'))
}

/** The file that a shell or an interpreter is given; of `python3 -m tools.check` the module. */
function scriptOf({ args }: Call, exists: (path: string) => boolean): string[] {
  const at = args.indexOf('-m')
  if (at >= 0) {
    const path = (args[at + 1] ?? '').replaceAll('.', '/')
    return [`${path}.py`, `${path}/__main__.py`].filter(exists).slice(0, 1)
  }
  const rest = args.filter(word => !/^(?:run|-.*)$/.test(word))
  // The value of an option can stand before it: `node --import ./set-up.js run.js`.
  return [...rest.filter(word => exists(word) || /[*?[]/.test(word)), ...rest].slice(0, 1)
}

function isLinter(program: string): boolean {
  return !/^(?:grep|egrep|fgrep|test|\[|\[\[|jq|yq|cat|head|tail|wc|sed|g?awk|less|more|od|xxd|nl)$/.test(
    program,
  )
}

const runnable = /(?:^|\/)[^.]+$|\.(?:sh|bash|zsh|py|rb|pl|php|[cm]?[jt]s)$/

/** Code in a language of its own, not a shell script. */
function isCode(path: string): boolean {
  return /\.(?!(?:sh|bash|zsh|ksh|bats)$)\w+$/.test(baseName(path))
}

/** Something that can end with an error because of what it has seen. */
function judges(text: string | null): boolean {
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

/**
 * Follows the texts of a promise to everything that they come to: each text gives calls, a call gives files that are run,
 * looked at or compared, and the texts behind those. What cannot be read is said to be opaque. Pure: texts come in.
 */
import { isTestFile } from '../change.ts'
import {
  callsItselfCheck,
  comparing,
  execRuns,
  inlineCode,
  isCode,
  isLinter,
  isLinting,
  isLoaded,
  isTestRun,
  isUnknown,
  judges,
  loadedByEnvironment,
  loading,
  modulesIn,
  namesFound,
  nestedIn,
  pathsIn,
  readWhole,
  runnable,
  runsListed,
  scriptOf,
  searchedBy,
  searchedPlaces,
  starting,
} from './call-texts.ts'
import { below, type Call, callsIn, directoryOf, inTree } from './calls.ts'
import { mayCheck } from './checkers.ts'
import { baseName } from './commands.ts'
import { comparedBy, inputOf, isWritten } from './compared.ts'
import { productKind } from './product-kinds.ts'
import { kindOfCall, operandsOf } from './program-kinds.ts'
import { ownRecipesOf, type Reading, type Recipe, recipesOf, scriptsCalled, targetsOf } from './recipes.ts'

export type Reached = {
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
  /** Those that have settings of their own: linters, runners and other tools, not `grep` or a shell. */
  tools: string[]
  /** A linter or the like looks at the work, or its coverage is measured. */
  isLinted: boolean
  words: string[]
  targets: string[]
  /** The targets of all makefiles: a new file of such a name keeps its recipe from running. */
  made: string[]
  /** Something is run, and not only looked at. */
  isRunning: boolean
  /** Something of it is run by a way that is not read: a program that nobody knows, a name that is known only at run time. */
  isOpaque: boolean
  /** Files of which others are made that are then run or fed to a check: they may as well be the work. */
  feeding: string[]
  /** Directories of the tree that its PATH begins with. */
  searched: string[]
  /** The scripts of a package.json are called by their names. */
  callsScripts: boolean
  /** All that it does is to look at files. */
  isLooking: boolean
}

/** `searched`: the words that the commands around it look for. */
type Text = { text: string; cwd: string; by: string; depth: number; searched?: readonly string[] }

const mostDepth = 12
const mostTexts = 120
/** What they are given is built, and run only later. */
const compilers = /^(?:cc|gcc|g\+\+|c\+\+|clang(?:\+\+)?|ld|ar|javac|rustc|ghc|swiftc|kotlinc|nvcc|emcc)$/
const listing = /readdir|listdir|scandir|iterdir|\bglob\b/
/** What an import leaves out. */
const endings =
  '.js .cjs .mjs .ts .mts .cts .tsx .jsx .py .rb .sh /index.js /index.ts /index.mjs /__init__.py /__main__.py'.split(
    ' ',
  )

/** `isNarrow`: only what the targets of make come to; what judges is better seen too large. */
export function followed(texts: readonly string[], tree: Reading, isNarrow = false): Reached {
  const chain = new Following(tree, isNarrow)
  const open: Text[] = texts.map(text => ({ text, cwd: '', by: '', depth: 0 }))
  const isRead = ({ depth }: Text, at: number) => depth <= mostDepth && at < mostTexts
  for (const [at, next] of open.entries()) if (isRead(next, at)) open.push(...chain.follow(next))
  return chain.found(!open.every(isRead))
}

/** It is loaded into the shell of a script and has no functions that this could be about. */
function isPreparing(program: string | undefined, text: string): boolean {
  return (program === '.' || program === 'source') && !/^\s*(?:function\s|\w+\s*\(\))/m.test(text)
}

/** Collects what the texts of one promise come to. */
class Following {
  private readonly scripts = new Set<string>()
  private readonly runs = new Set<string>()
  private readonly inspected = new Set<string>()
  private readonly compared = new Set<string>()
  private readonly programs = new Set<string>()
  private readonly tools = new Set<string>()
  private readonly words = new Set<string>()
  private readonly targets = new Set<string>()
  /** What the commands write themselves: it is neither the work, nor to be believed. */
  private readonly written = new Set<string>()
  /** What a file is made of that a command writes. */
  private readonly sources = new Map<string, string[]>()
  private readonly feeding = new Set<string>()
  private readonly searched = new Set<string>()
  private readonly made = new Set<string>()
  private readonly seen = new Set<string>()
  private isRunning = false
  private isOpaque = false
  private runsCode = false
  private isLinted = false
  private callsScripts = false
  private readonly tree: Reading
  private readonly isNarrow: boolean

  constructor(tree: Reading, isNarrow: boolean) {
    this.tree = tree
    this.isNarrow = isNarrow
  }

  /** `isCut`: there was more to read. */
  found(isCut: boolean): Reached {
    for (const path of this.written) if (this.inspected.has(path)) this.compared.add(path)
    const run = [...this.sources].filter(([path]) => this.scripts.has(path) || this.runs.has(path))
    for (const one of run.flatMap(([, parts]) => parts)) if (this.isFeeding(one)) this.feeding.add(one)
    const judging = [this.runs, this.scripts, this.compared]
    return {
      scripts: [...this.scripts],
      runs: [...this.runs],
      inspected: [...this.inspected].filter(path => !judging.some(set => set.has(path))),
      compared: [...this.compared],
      programs: [...this.programs],
      tools: [...this.tools],
      isLinted: this.isLinted,
      words: [...this.words],
      targets: [...this.targets],
      made: [...this.made],
      isRunning: this.isRunning,
      isOpaque: this.isOpaque || isCut,
      feeding: [...this.feeding],
      searched: [...this.searched],
      callsScripts: this.callsScripts,
      isLooking: this.inspected.size > 0 && !this.runsCode,
    }
  }

  /** Takes down the calls of one text; returns the texts behind them. */
  follow(from: Text): Text[] {
    const key = `${from.cwd}\0${from.text}`
    if (this.seen.has(key)) return []
    this.seen.add(key)
    const { calls, looped } = callsIn(from.text)
    for (const { words, cwd, isRun } of looped) {
      const into = isRun ? this.runs : this.inspected
      for (const word of words) into.add(this.placed(word, { ...from, cwd: below(from.cwd, cwd) }))
    }
    const isListed = runsListed(calls)
    if (isListed || calls.some(execRuns)) this.isOpaque = true
    for (const [, list = ''] of from.text.matchAll(/\bxargs\b[^|;&\n]*?(?:-a\s*|--arg-file[= ])([\w./-]+)/g))
      this.judgesByList(this.placed(list, from), from)
    for (const place of searchedPlaces(from.text)) {
      const directory = this.placed(place, from)
      if (this.tree.list(directory).length > 0) this.searched.add(directory)
    }
    for (const word of loadedByEnvironment(from.text)) {
      const path = this.placed(word, from)
      if (this.tree.read(path) !== null) this.compared.add(path)
    }
    const searched = calls.flatMap(searchedBy)
    return calls.flatMap(call => {
      for (const word of [call.program, ...call.args]) if (/^[\w.+-]+$/.test(word)) this.words.add(word)
      const cwd = call.cwd.startsWith('$') ? from.cwd : inTree(below(from.cwd, call.cwd))
      return this.take(call, { ...from, cwd, searched }, isListed)
    })
  }

  private take(call: Call, from: Text, isListed: boolean): Text[] {
    const kind = kindOfCall(call)
    this.note(call, kind, from)
    if (kind === 'neutral') return this.neutral(call, from)
    if (kind === 'comparer') return []
    if (kind === 'inspector') return this.looks(call, from, isListed)
    if (isUnknown(call, kind)) this.isOpaque = true
    const inline = inlineCode(call, kind)
    if (inline !== null) return this.inlined(inline, from, kind)
    this.isRunning = true
    if (call.path.includes('/')) {
      this.runsCode = true
      return this.ran(call.path, call, from)
    }
    if (kind === 'package-runner') {
      this.callsScripts = true
      // `bun check.ts` and `yarn node check.js` run a file.
      const file = call.args.find(word => isCode(word) && this.tree.read(this.placed(word, from)) !== null)
      const ran = file === undefined ? [] : this.ran(file, call, from)
      const scripts = scriptsCalled(call, from.cwd, this.tree)
      if (file !== undefined || scripts.length === 0) this.runsCode = true
      return [...ran, ...scripts.map(one => this.named(one, from))]
    }
    const read = this.isNarrow ? ownRecipesOf : recipesOf
    const recipes = kind === 'make' ? read(call, from.cwd, this.tree) : []
    if (recipes.length === 0) this.runsCode = true
    if (kind === 'make') return this.recipes(recipes, from)
    if (kind === 'runner' || isTestRun(call)) {
      const { calls, texts } = isUnknown(call, kind) ? nestedIn(call) : { calls: [], texts: [] }
      return [
        ...this.given(call, from),
        ...texts.map(text => ({ ...from, text, depth: from.depth + 0.5 })),
        ...calls.flatMap(one => this.take(one, from, isListed)),
      ]
    }
    const [file] = scriptOf(call, word => this.exists(this.placed(word, from)))
    if (file !== undefined) this.fedBy(file, call, from)
    return file === undefined ? this.fed(call, from, kind) : this.ran(file, call, from)
  }

  /** What every call says of the chain, whatever it does. */
  private note(call: Call, kind: string, from: Text): void {
    this.programs.add(call.program)
    if (kind === 'runner' || (kind === 'inspector' && isLinter(call.program))) this.tools.add(call.program)
    if (isLinting(call, kind)) this.isLinted = true
    const module = call.args[call.args.indexOf('-m') + 1]
    if (call.args.includes('-m') && module !== undefined) this.programs.add(module)
    for (const target of targetsOf(call)) this.targets.add(target)
    for (const word of call.writes) {
      this.written.add(this.placed(word, from))
      this.sources.set(
        this.placed(word, from),
        operandsOf(call).map(one => this.placed(one, from)),
      )
    }
    for (const word of comparedBy(call)) {
      const path = this.placed(word, from)
      if (kind === 'comparer' || this.exists(path) || /[*?[]/.test(path)) this.holdAgainst(path, call)
    }
  }

  private looks(call: Call, from: Text, isListed: boolean): Text[] {
    // `ls cases | while read t` and `find … -exec sh` run what they list.
    const isRun = (isListed && /^(?:find|ls)$/.test(call.program)) || execRuns(call)
    const into = isRun ? this.runs : this.inspected
    const operands = operandsOf(call).filter(word => !/^[$]/.test(word))
    const names = isRun ? namesFound(call) : []
    for (const path of operands.map(word => this.placed(word, from))) {
      // What lies beside checks judges too, but not everything in a tree or among its sources.
      const isAll = names.length > 0 && /^(?:|src|lib|app|pkg|packages)$/.test(path)
      for (const one of isAll ? names.map(name => inTree(below(path, `**/${name}`))) : [path]) into.add(one)
    }
    if (call.program === 'git' && operands[0] === 'check-ignore') into.add(this.placed('.gitignore', from))
    if (operands.length === 0 && !call.isFed && isLinter(call.program)) into.add(from.cwd)
    return []
  }

  /** `python3 gen.py | python3 score.py`: what makes the cases for a check of other code judges too, or is the work. */
  private fedBy(file: string, call: Call, from: Text): void {
    const text = this.tree.read(this.placed(file, from))
    if (text === null || !this.loadsCode(text, from)) return
    const written = call.args.flatMap(word => this.sources.get(this.placed(word, from)) ?? [])
    const piped = call.input.calls.flatMap(one =>
      /^(?:shell|interpreter)$/.test(kindOfCall(one))
        ? operandsOf(one).map(word => this.placed(word, from))
        : [],
    )
    for (const path of [...written, ...piped]) {
      const found = this.tree.read(path)
      if (found !== null && path !== this.placed(file, from) && !this.loadsCode(found, from))
        this.feeding.add(path)
    }
  }

  /** A part of what is run: a check, or no code. */
  private isFeeding(path: string): boolean {
    const text = this.tree.read(path)
    return text !== null && (productKind(path) !== 'code' || mayCheck(path, text))
  }

  private holdAgainst(path: string, call: Call): void {
    const text = this.tree.read(path)
    // `tsc -p packages/a` means the settings there; the whole tree is no measure of itself.
    if (text === null && call.program === 'tsc') this.compared.add(inTree(below(path, 'tsconfig.json')))
    else if (path !== '' && !(isWritten(call) && !this.isRunner(path, text, []))) this.compared.add(path)
  }

  /** `eval "$(cat steps)"` runs what it is given, and `read` takes the names of what is run from its input. */
  private neutral(call: Call, from: Text): Text[] {
    if (call.program === 'eval') return this.inlined(call.args.join(' '), from, 'shell')
    if (call.program !== 'read' && call.program !== 'mapfile') return []
    for (const word of inputOf(call, true)) this.judgesByList(this.placed(word, from), from)
    return []
  }

  /** A shell or an interpreter without a file runs its standard input: a heredoc, a file, or what `cat` pipes into it. */
  private fed(call: Call, from: Text, kind: string): Text[] {
    return [
      ...call.input.texts.flatMap(text => this.inlined(text, from, kind)),
      ...inputOf(call, true).flatMap(file => this.ran(file, { ...call, isRead: false }, from)),
    ]
  }

  /** A file with the names of checks judges, and so do the checks. */
  private judgesByList(path: string, from: Text): void {
    const text = this.tree.read(path)
    if (text === null) return
    this.scripts.add(path)
    for (const word of text.split(/\s+/).slice(0, 400))
      if (/[\w]/.test(word) && this.exists(this.placed(word, from))) this.runs.add(this.placed(word, from))
  }

  /** Recipes; a file with the name of a target keeps them from running, and what they include is a part of them. */
  private recipes(recipes: Recipe[], from: Text): Text[] {
    for (const { targets = [], includes = [] } of recipes) {
      for (const target of targets) this.made.add(target)
      for (const path of includes)
        if (/[*?[]/.test(path)) this.runs.add(path)
        else if (this.tree.read(path) === null) this.compared.add(path)
        else if (!/akefile$|\.mk$/.test(path)) this.scripts.add(path)
    }
    return recipes.map(one => this.named(one, from))
  }

  /** Commands of the promise under another name, so as near to it as the call itself. */
  private named({ text, cwd, from: by }: { text: string; cwd: string; from: string }, { depth }: Text): Text {
    return { text, cwd, by, depth: depth + 0.5 }
  }

  /** `sh -c 'make test'` runs commands; `node -e "…"` looks at the files that it names, or runs them. */
  private inlined(code: string, from: Text, kind: string): Text[] {
    if (kind === 'shell') {
      const read = Array.from(code.matchAll(/(?:\$\(|`)\s*(?:cat\b|<)([^()|`]*)/g), ([, words = '']) =>
        words.trim(),
      )
      const texts = read.flatMap(word => this.ran(word, { isRead: false }, from))
      return [{ ...from, text: code, depth: from.depth + 0.5 }, ...texts]
    }
    const file = readWhole(code)
    if (file !== null) return this.ran(file, { isRead: false }, from)
    const isPlain = !comparing.test(code)
    const loadsCode = this.loadsCode(code, from)
    const modules = modulesIn(code)
    return [...new Set([...pathsIn(code), ...modules])].flatMap(word => {
      const path = this.fileAt(this.placed(word, from))
      if (path === null) return []
      const isData = !isPlain && productKind(path) !== 'code' && loadsCode
      if (isData) this.compared.add(path)
      const isJudge = isPlain && judges(this.tree.read(path))
      const isRun = isLoaded(code, word, modules) && (isJudge || callsItselfCheck(path))
      if (isRun) this.isRunning = this.runsCode = true
      else this.inspected.add(path)
      return isRun ? this.ran(path, { isRead: false }, { ...from, cwd: '', by: '' }) : []
    })
  }

  /** The tests that a runner is given: by file, directory or glob. */
  private given(call: Call, from: Text): Text[] {
    if (compilers.test(call.program)) return []
    for (const word of operandsOf(call)) {
      const path = this.placed(word, from)
      if (/[*?[]/.test(path) || isTestFile(`${path}/x`) || /(?:^|\/)(?:t|cases?|checks?|specs?)$/.test(path))
        this.runs.add(path)
    }
    return []
  }

  private ran(file: string, call: Pick<Call, 'isRead'> & Partial<Call>, from: Text): Text[] {
    const path = this.placed(file, from)
    if (path.startsWith('$')) {
      this.isOpaque = true
      return []
    }
    const glob = path.replaceAll(/\$(?:\w+|\{[^}]*\}|[*@<^])/g, '*')
    if (/[*?[]/.test(glob)) {
      this.runs.add(glob)
      return []
    }
    const text = this.tree.read(path)
    if (call.isRead && !this.isRunner(path, text, from.searched ?? [])) return []
    if (from.depth >= 1 && text !== null && this.isPlainStep(path, text)) {
      if (isPreparing(call.program, text)) this.feeding.add(path)
      return []
    }
    if (text === null || starting.test(text) || loading.test(text)) this.isOpaque = true
    if (from.depth >= 1 && isCode(path) && !callsItselfCheck(path) && !judges(text)) return []
    this.scripts.add(path)
    if (text === null || isTestFile(path)) return []
    const cwd = from.cwd
    const depth = from.depth + 1
    const isShell = !isCode(path)
    this.listedIn(text, from)
    const others = this.namedIn(path, text, cwd)
    return isShell ? [{ text, cwd, by: path, depth }, ...others] : others
  }

  /** Does a program whose output is compared run others? Then it is a runner, not the work. */
  private isRunner(path: string, text: string | null, searched: readonly string[]): boolean {
    if (text === null || isTestFile(path)) return text !== null
    const named = [...pathsIn(text), ...modulesIn(text)].filter(word => baseName(word) !== baseName(path))
    const there = named.filter(
      word =>
        this.fileAt(inTree(word)) !== null || this.fileAt(inTree(below(directoryOf(path), word))) !== null,
    )
    if (!isCode(path)) return there.length > 0 || /[\w-]+\/\*/.test(text)
    if (there.some(word => isTestFile(word) || callsItselfCheck(word))) return true
    // It contains the words that are looked for, and failed to say them: it decides whether to.
    return (there.length > 0 || listing.test(text)) && searched.some(words => text.includes(words))
  }

  /** A step that a script takes, and that looks at nothing: it can be what the script is about. */
  private isPlainStep(path: string, text: string): boolean {
    if (isCode(path) || callsItselfCheck(path) || mayCheck(path, text)) return false
    const started = callsIn(text).calls.flatMap(call =>
      kindOfCall(call) === 'shell' ? scriptOf(call, word => this.exists(inTree(word))) : [],
    )
    const named = [...pathsIn(text), ...started]
    return !named.some(word => baseName(word) !== baseName(path) && this.exists(inTree(word)))
  }

  /** The file that a word means: as it is, with an ending that an import leaves out, or as the index of a directory. */
  private fileAt(path: string): string | null {
    if (this.tree.read(path) !== null) return path
    const found = endings.map(end => `${path}${end}`).find(one => this.tree.read(one) !== null)
    return found ?? (this.tree.list(path).length > 0 ? path : null)
  }

  /** A directory that a script goes through, and whose files use what lies elsewhere: they are checks. */
  private listedIn(text: string, from: Text): void {
    if (!listing.test(text)) return
    const words = Array.from(text.matchAll(/["'`]\.?\/?([\w./-]+?)\/?["'`]/g), ([, word = '']) => word)
    for (const directory of new Set(words.map(word => this.placed(word, from)))) {
      const names = this.tree.list(directory).slice(0, 20)
      const isUsing = (name: string) => {
        const found = this.tree.read(`${directory}/${name}`) ?? ''
        return [...pathsIn(found), ...modulesIn(found)].some(word => {
          const path = this.fileAt(inTree(below(directory, word))) ?? this.fileAt(inTree(word))
          return path !== null && !path.startsWith(`${directory}/`) && productKind(path) === 'code'
        })
      }
      if (directory !== '' && names.some(isUsing)) this.runs.add(directory)
    }
  }

  /** In a script of any language: the checks that it names, which it may run (`execFileSync('sh', ['checks/run.sh'])`). */
  private namedIn(path: string, text: string, cwd: string): Text[] {
    const beside = directoryOf(path)
    return pathsIn(text).flatMap((word): Text[] => {
      const places = [inTree(word), inTree(below(cwd, word)), inTree(below(beside, word))]
      const at = places
        .flatMap(one => this.fileAt(one) ?? [])
        .find(one => one !== path && !isTestFile(one) && this.tree.read(one) !== null)
      if (at === undefined || !runnable.test(at) || !callsItselfCheck(at)) return []
      this.scripts.add(at)
      const found = this.tree.read(at)
      return isCode(at) || found === null ? [] : [{ text: found, cwd, by: at, depth: 2 }]
    })
  }

  /** Does code in the call itself load code of the tree? Then data that it names is what it is held against. */
  private loadsCode(code: string, from: Text): boolean {
    return [...pathsIn(code), ...modulesIn(code)].some(word => {
      const path = this.fileAt(this.placed(word, from))
      return path !== null && productKind(path) === 'code'
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
    return places.find(one => this.exists(one)) ?? places.find(one => this.fileAt(one) !== null) ?? here
  }
}

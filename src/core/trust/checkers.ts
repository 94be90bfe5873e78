/**
 * Programs of the tree that use the work and can fail by what they see, though nobody says that they are checks: a
 * promise may run them by a way that its text does not spell out (a wrapper, a list, a program that is built first). They
 * are no part of the work, since nothing of it names them. A module of plain data that only checks name is a table of
 * theirs. Pure: the texts are those of the tree that the loop found.
 */
import { isTestFile } from '../change.ts'
import { baseName } from './commands.ts'
import { namingOf } from './naming.ts'
import { productKind } from './product-kinds.ts'

type Found = {
  paths: readonly string[]
  before(path: string): string | null
  /** The files that the promise runs. */
  scripts: readonly string[]
}

export type Checkers = {
  isChecker(path: string): boolean
  isTable(path: string): boolean
}

export function checkersIn({ paths, before, scripts }: Found): Checkers {
  const naming = namingOf(paths)
  /** The promise itself runs a program that was not there: its sources decide how it ends. */
  const isBuilt = scripts.some(path => !paths.includes(path) && !/[$.]/.test(baseName(path)))
  const isCode = (path: string) => productKind(path) === 'code'
  const known = new Map<string, Set<string>>()
  const namedBy = (path: string) => {
    const found = known.get(path) ?? naming.namedIn(path, before(path) ?? '')
    known.set(path, found)
    return found
  }
  const namersOf = (path: string) =>
    paths
      .filter(one => one !== path && isCode(one) && !isBuilding(one, path) && namedBy(one).has(path))
      .slice(0, 100)
  const isJudge = (path: string) => isTestFile(path) || scripts.includes(path)
  const usesWork = (path: string) => [...namedBy(path)].some(one => isCode(one) && !isJudge(one))
  const isChecker = (path: string) =>
    (!linked.test(path) || isBuilt) &&
    mayCheck(path, before(path)) &&
    usesOther(path) &&
    namersOf(path).length === 0 &&
    !isEntry(path)
  /** Other code, or the tests that it starts. */
  const usesOther = (path: string) => usesWork(path) || [...namedBy(path)].some(isTestFile)
  /** A manifest says that the package begins here. */
  const isEntry = (path: string) =>
    paths
      .filter(one => baseName(one) === 'package.json')
      .some(one => entriesIn(before(one) ?? '').includes(baseName(path).replace(/\.\w+$/, '')))
  return {
    isChecker,
    isTable(path) {
      if (!isTable(path, before(path))) return false
      const namers = namersOf(path)
      const isOfChecks = (one: string) => (isJudge(one) || isChecker(one)) && uses(one, path)
      return namers.length > 0 && namers.every(isOfChecks)
    },
  }
  function uses(path: string, but: string): boolean {
    return [...namedBy(path)].some(one => one !== but && isCode(one) && !isJudge(one))
  }
}

/** A makefile names every source that it compiles. */
function isBuilding(namer: string, path: string): boolean {
  return linked.test(path) && /(?:^|\/)(?:[^./]+|\w*file)$/.test(namer)
}

const shells = /(?:^|\/)[^.]+$|\.(?:sh|bash|zsh|ksh|fish|bats)$/
const others = /\.(?:[cm]?[jt]sx?|py|rb|pl|php|lua)$/
const linked = /\.(?:c|cc|cpp|cxx)$/

/** By its text alone: it can end with an error because of what it has seen. */
export function mayCheck(path: string, text: string | null): boolean {
  if (text === null) return false
  if (shells.test(path)) return /(?:^|[\s;&|(!])(?:test|\[|\[\[|grep|diff|cmp|exit|false)\s|&&/m.test(text)
  if (linked.test(path))
    return (
      /\bmain\s*\(/.test(text) &&
      /\breturn\s*\(?\s*(?!0\s*\)?\s*;|EXIT_SUCCESS)[^;]|\bassert|\bexit\s*\(|\babort/.test(text)
    )
  if (!others.test(path)) return false
  const ends = /process\.exit|exitCode|sys\.exit|SystemExit|_exit\(|\bexit\b|\bassert|\bexpect\s*\(|\bdie\b/
  const starts = /child_process|subprocess|os\.system|\b(?:run|sh|exec\w*|spawn\w*|system|popen)\s*\(/
  return ends.test(text) || starts.test(text) || /^(?:if\b.*| {0,4})(?:throw|raise)\b/m.test(text)
}

/** Values, and no functions that could be the work. */
export function isTable(path: string, text: string | null): boolean {
  if (text === null || !/\.(?:[cm]?[jt]s|py|rb|h|hh|hpp|inc|php|lua)$/.test(path)) return false
  if (/\.h/.test(path) && isOfMacros(text)) return true
  text = text.replaceAll(returning, '')
  if (/\b(?:function|def|class|lambda|import|require)\b|=>|#\s*include|\w+\s*\([^)]*\)\s*[{;]/.test(text))
    return false
  return /=|module\.exports|export\b|return\b/.test(text)
}

/** A function without arguments that does nothing but return: what is left of it is the value. */
const returning =
  /\bdef \w+\(\)(?:\s*->[^:]*)?:|\b(?:async )?function \w+\(\) \{(?=\s*return\b)|(?:\(\)|_) =>/g

/** `CASE(2, 3, 5)` in lines of their own: the file that includes it says what they are. */
function isOfMacros(text: string): boolean {
  const lines = text.split('\n').filter(line => !/^\s*(?:$|\/[/*]|\*)/.test(line))
  return lines.length > 0 && lines.every(line => /^\s*[A-Z]\w*\s*\([^{}]*\)\s*[,;]?\s*$/.test(line))
}

function entriesIn(manifest: string): string[] {
  try {
    const { main, module, browser, bin, exports, scripts = {} } = JSON.parse(manifest)
    const started = Object.entries(scripts).filter(([name]) =>
      /^(?:pre)?(?:start|dev|serve|build|preview)/.test(name),
    )
    const text = JSON.stringify([main, module, browser, bin, exports, started.map(([, command]) => command)])
    return text.match(/[\w-]+(?=\.\w+\b)/g) ?? []
  } catch {
    return [] // nor could npm read it
  }
}

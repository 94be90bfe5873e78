/**
 * What the texts of a project say about files that lie with its tests: the data that tests read, helpers that contain
 * assertions, and new files that nothing of the work names. Pure: the texts are those of the tree that the loop found,
 * so that an agent cannot change what they say.
 *
 * Data that a test reads can be what it compares with, or what it is about. A test that also names code of the project
 * tests that code with the data; one that names none tests the data itself, which then is the work.
 */
import { isTestFile } from '../change.ts'
import { callsItselfCheck, loading, pathsIn, starting } from './call-texts.ts'
import { directoryOf } from './calls.ts'
import { type Checkers, checkersIn } from './checkers.ts'
import { baseName } from './commands.ts'
import { namingOf } from './naming.ts'
import { hasOwnTests, isOfTests } from './own-tests.ts'
import { productKind } from './product-kinds.ts'

export type TestFacts = Checkers & {
  /** The tests, or the scripts of the promise, read this file to compare with it. */
  isReadByTests(path: string): boolean
  /** It contained assertions when the loop began, and is there to check. */
  asserts(path: string): boolean
  /** The tests import it: it is what they are about, though the promise runs it too. */
  isSubject(path: string): boolean
  /** It has only got more lines: those that it had are all there. */
  isGrown(path: string): boolean
  /** A new file in a directory of tests that neither the work nor a test names. */
  isStranger(path: string): boolean
  /** It is read by a module that may as well be the work: nobody can tell. */
  isUnsure(path: string): boolean
  /** It imports other code of the project. */
  importsWork(path: string): boolean
  /** Neither the work nor a test of any version names it. */
  isUnnamed(path: string): boolean
  /** A new file with the name of a module or header that tests had from elsewhere when the loop began. */
  isHiding(path: string): boolean
  /** The file whose place a new one takes: `sums.js` is found before `sums.json`. */
  hiddenBy(path: string): string | null
}

type Texts = {
  /** All paths of the tree that the loop found. */
  paths: readonly string[]
  /** The text of a file of that tree; null if it is not there, or no text. */
  before(path: string): string | null
  /** The text of a changed file as it is now. */
  now(path: string): string | null
  changed: readonly string[]
  /** The files that the promise runs. */
  scripts: readonly string[]
  /** The commands of the promise. */
  promise: string
  /** What the promise printed before any agent came; null if that is not known. */
  failed: string | null
}

/** For a promise that runs nothing: no path has to be asked about. */
export const noFacts: TestFacts = {
  isChecker: () => false,
  isTable: () => false,
  isReadByTests: () => false,
  asserts: () => false,
  isSubject: () => false,
  isGrown: () => false,
  isStranger: () => false,
  isUnsure: () => false,
  importsWork: () => false,
  isUnnamed: () => false,
  isHiding: () => false,
  hiddenBy: () => null,
}

/** What the texts that the loop found say of one another, each read once. */
function relationsIn({ paths, before, scripts, promise }: Texts) {
  const judging = once(() =>
    paths.filter(path => isTestFile(path) || scripts.includes(path)).slice(0, mostRead),
  )
  const code = once(() =>
    paths.filter(path => productKind(path) === 'code' && !judging().includes(path)).slice(0, mostRead),
  )
  const stems = once(() => new Set(code().map(stemOf)))
  const importsOf = (path: string) => importsIn(before(path) ?? '')
  const byTests = once(() => new Set(judging().flatMap(importsOf)))
  const byWork = once(
    () => new Set(code().flatMap(path => importsOf(path).filter(stem => stem !== stemOf(path)))),
  )
  const importsWork = (path: string) =>
    importsOf(path).some(stem => stem !== stemOf(path) && stems().has(stem))
  /** A module that only tests import, and that reads files. */
  const isReading = (path: string) => {
    const stem = stemOf(path)
    return byTests().has(stem) && !byWork().has(stem) && reads.test(before(path) ?? '')
  }
  const isHelper = (path: string) => helping.test(stemOf(path)) && isReading(path)
  /** The same without a telling name, where the tests that import it are about other code. */
  const isSupport = (path: string) => {
    if (isHelper(path) || !isReading(path)) return false
    const stem = stemOf(path)
    const users = judging()
      .map(importsOf)
      .filter(names => names.includes(stem))
    return users.every(names => names.some(name => name !== stem && stems().has(name)))
  }
  const readers = once(() =>
    [...judging(), ...code().filter(path => isHelper(path) || isSupport(path))].flatMap(path => {
      const text = before(path)
      if (text === null) return []
      const namesCode =
        !judging().includes(path) ||
        starting.test(text) ||
        loading.test(text) ||
        importsIn(text).some(stem => stems().has(stem))
      return [{ path, text, words: wordsOf(text), places: placesIn(text), namesCode }]
    }),
  )
  const isCheck = (path: string) => before(path) !== null && importsWork(path)
  const given = once(() => givenBy(promise, scripts.some(isCheck)))
  /** The tests of other code, and their helpers, that name a file or a directory above it. */
  const readersOf = (path: string) =>
    [...readers(), given()].filter(one => one.namesCode && isReadBy(one, path))
  return {
    judging,
    code,
    stems,
    importsOf,
    byTests,
    byWork,
    importsWork,
    isHelper,
    isSupport,
    readersOf,
  }
}

type Reader = { words: Set<string>; places: Set<string>; text: string }

function isReadBy({ words, places, text }: Reader, path: string): boolean {
  const names = [baseName(path), baseName(directoryOf(path))].filter(name => name !== '')
  const above = directoryOf(path).split('/')
  if (names.some(name => words.has(name)) || above.some(name => places.has(name))) return true
  return requiresStem(text, stemOf(path))
}

/** What the commands themselves give to a script that checks the work. */
function givenBy(promise: string, namesCode: boolean) {
  const words = new Set(promise.split(/[\s"'=;|&()<>]+/).flatMap(word => word.split('/')))
  return { path: '', text: '', words, places: new Set<string>(), namesCode }
}

type Relations = ReturnType<typeof relationsIn>

export function testFacts(texts: Texts): TestFacts {
  const { before, now } = texts
  const found = relationsIn(texts)
  const naming = once(() => namingOf(texts.paths))
  const { code, byWork, importsWork, isHelper, isSupport, readersOf } = found
  return {
    ...namesIn(texts, found),
    ...checkersIn(texts),
    importsWork,
    isReadByTests(path) {
      if (readersOf(path).length === 0) return false
      const isWork = (one: string) => !isHelper(one) && !isSupport(one)
      // The work finds the texts of a language by their directory.
      const names = [baseName(path)]
      if (productKind(path) === 'translations') names.push(baseName(directoryOf(path)))
      const isNaming = (words: Set<string>) => names.some(name => words.has(name))
      return !code().some(one => isWork(one) && isNaming(wordsOf(before(one) ?? '')))
    },
    isUnsure(path) {
      const readers = readersOf(path)
      return readers.length > 0 && readers.every(one => isSupport(one.path))
    },
    asserts(path) {
      const text = before(path)
      if (text === null) return false
      // Tests by their names, about other code: not those that stand beside what they are about.
      const isOwn = isOfTests(path, text) && importsWork(path) && !byWork().has(stemOf(path))
      const isPassedOn = passesOn.test(text) && !byWork().has(stemOf(path))
      return isOwn || isPassedOn || (isAssertive(path, text) && !isMixed(path, text)) || isHelper(path)
    },
    isSubject(path) {
      if (productKind(path) !== 'code' || isTestFile(path)) return false
      return texts.paths.some(
        one =>
          isTestFile(one) &&
          naming()
            .namedIn(one, before(one) ?? '')
            .has(path),
      )
    },
    isGrown(path) {
      const old = before(path)
      return old !== null && containsLines(now(path) ?? '', old)
    },
  }
}

type NameFacts = Pick<TestFacts, 'isUnnamed' | 'isHiding' | 'hiddenBy' | 'isStranger'>

/** What new files are by their names alone. */
function namesIn({ paths, before, now, changed, failed }: Texts, found: Relations): NameFacts {
  const { judging, code, stems, importsOf, byTests, importsWork } = found
  const inTests = once(() => new Set(paths.filter(isTestFile).map(directoryOf)))
  return {
    isUnnamed(path) {
      const isNaming = (text: string | null) => {
        const words = wordsOf(text ?? '')
        return [baseName(path), stemOf(path)].some(name => words.has(name))
      }
      const isKnown = [...judging(), ...code()].some(one => isNaming(before(one)))
      return !isKnown && !changed.some(one => one !== path && isNaming(now(one)))
    },
    isHiding(path) {
      const index = paths.find(
        one => /(?:^|\/)(?:index|__init__)\.\w+$/.test(one) && placeOf(one) === placeOf(path),
      )
      if (index !== undefined && now(index) !== null) return true
      if (!/\.(?:py|pm|rb|h|hh|hpp)$/.test(path) || stems().has(stemOf(path))) return false
      const include = new RegExp(`#\\s*include\\s*<(?:[\\w./-]+/)?${escaped(baseName(path))}>`)
      if ([...judging(), ...code()].some(one => include.test(before(one) ?? ''))) return true
      const name = stemOf(path) === '__init__' ? baseName(directoryOf(path)) : stemOf(path)
      const isImported = judging().some(one => importsWork(one) && importsOf(one).includes(name))
      return isImported && failed !== null && !isMissing(failed, name)
    },
    hiddenBy(path) {
      if (productKind(path) !== 'code' || stemOf(path) === '') return null
      const isIt = (one: string) =>
        one !== path && placeOf(one) === placeOf(path) && /^(?:code|data)$/.test(productKind(one) ?? '')
      return paths.find(isIt) ?? null
    },
    isStranger(path) {
      if (!inTests().has(directoryOf(path)) || compiledTogether.test(path)) return false
      // What the tests and scripts of the promise import is what they are about.
      if (byTests().has(stemOf(path))) return false
      const others = changed.filter(one => one !== path && productKind(one) === 'code' && !isTestFile(one))
      return !others.some(one => importsIn(now(one) ?? '').includes(stemOf(path)))
    },
  }
}

/** `claims.js` is found before `claims/index.js`, and a package before the module of its name. */
function placeOf(path: string): string {
  return path.replace(/\.\w+$/, '').replace(/\/(?:index|__init__)$/, '')
}

/** Of `wanted`, the files that no test leads to by its imports; `code`: what tests can lead through. What none of them reads
 * can be wrong when the promise passes. */
export function unreached(
  wanted: readonly string[],
  { tests, code }: { tests: ReadonlyMap<string, string>; code: ReadonlyMap<string, string> },
): string[] {
  const byStem = Map.groupBy(code.keys(), stemOf)
  const seen = new Set<string>()
  const open = [...tests.values()]
  for (let text = open.pop(); text !== undefined; text = open.pop()) {
    for (const path of new Set(importsIn(text).flatMap(stem => byStem.get(stem) ?? []))) {
      if (seen.has(path)) continue
      seen.add(path)
      open.push(code.get(path) ?? '')
    }
  }
  return wanted.filter(path => !seen.has(path) && !tests.has(path))
}

const mostRead = 1_000

/** A module that only tests import, and that reads files for them. */
export const helping = /load|fixture|helper|case|data|sample|vector/i
const reads = /\bopen\s*\(|readFile|read_text|read_bytes|json\.load|\bloads?\(|ReadFile|fopen|File\.read/

/** In these languages the files of a directory are one unit: no file has to name another. */
const compiledTogether = /\.(?:go|java|kts?|cs|swift|scala|groovy|fs|vb|tf)$/

function containsLines(text: string, lines: string): boolean {
  const wanted = lines.split('\n').filter(line => line.trim() !== '')
  let at = 0
  for (const line of text.split('\n')) if (line === wanted[at]) at += 1
  return at === wanted.length
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** A source that is about itself: its tests are a part of it. */
function isMixed(path: string, text: string): boolean {
  return hasOwnTests(path, text) && !isOfTests(path, text)
}

/** A module that could not be found before is to be written, and hides none. */
function isMissing(said: string, name: string): boolean {
  const missing =
    /no module|not found|no such|cannot|can't|could not|unresolved|undefined|ImportError|NameError|missing/i
  return said.split('\n').some(line => missing.test(line) && new RegExp(`\\b${escaped(name)}\\b`).test(line))
}

/** `require('./sums')` finds sums.json. */
function requiresStem(text: string, stem: string): boolean {
  return new RegExp(`["'\`]\\.{1,2}/(?:[\\w.-]+/)*${escaped(stem)}["'\`]`).test(text)
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/** The directories that a text names by themselves, to look for files below them. */
function placesIn(text: string): Set<string> {
  const quoted = Array.from(text.matchAll(/["'`]([\w./@-]{2,80})["'`]/g), ([, word = '']) => baseName(word))
  const opened = Array.from(
    text.matchAll(/([\w.-]+)\/(?=[{$%<*"'`])|([\w.-]+)(?=\/[\w.-]+\/[{$%<*])/g),
    ([, a, b]) => a ?? b ?? '',
  )
  return new Set(
    [...quoted, ...opened].filter(word => /^[\w-]{2,}$/.test(word) && !/^(?:src|lib|utf-?8)$/.test(word)),
  )
}

function wordsOf(text: string): Set<string> {
  const paths = pathsIn(text).flatMap(path => path.split('/'))
  const quoted = Array.from(text.matchAll(/["'`]([\w./@-]{2,80})["'`]/g), ([, word = '']) =>
    word.split('/'),
  ).flat()
  // The directory of a path that is put together: `data/${name}.json`.
  const opened = Array.from(text.matchAll(/([\w.-]+)\/(?=[{$%<*])/g), ([, word = '']) => word)
  return new Set([...paths, ...quoted, ...opened])
}

const imported =
  /(?:\brequire\s*\(\s*|\bfrom\s+|\bimport\s*\(?\s*|\binclude\s*|\buse\s+|\bmod\s+|\bsource\s+)["'<]?([\w./@:-]+)/g

/** The stems of the files that a text imports, includes or names by a path. */
function importsIn(text: string): string[] {
  const named = Array.from(text.matchAll(imported), ([, name = '']) => name)
  const listed = Array.from(text.matchAll(/^\s*import\s+([\w., ]+)/gm), ([, names = '']) =>
    names.split(/[,\s]+/),
  ).flat()
  return [...named, ...listed, ...pathsIn(text)].flatMap(name => [stemOf(name), ...name.split(/[./:]+/)])
}

function stemOf(path: string): string {
  return baseName(path).replace(/\.\w+$/, '')
}

const assertion =
  /\bassert\w*[.(]|^\s*assert\b|\bexpect\s*\(|AssertionError|\bt\.(?:Error|Fatal|Fail)|#\[test\]|\bunittest\b|\bpytest\b|\bshould\b|\bverify\w*\(/

/** Assertions of a library under another name. */
const passesOn =
  /(?:\bmodule\.exports|\bexports\.\w+)\s*=\s*require\(["'](?:node:)?(?:assert|chai|expect|should|@jest)|\bexport\b.*\bfrom\s+["'](?:node:)?(?:assert|chai|expect|vitest|should|@jest)|^from (?:unittest|pytest|hamcrest|assertpy)\b.*\bimport\b.*\*/m

/** A helper of tests by its name, or a file of which a third of the lines are assertions. */
function isAssertive(path: string, text: string): boolean {
  const lines = text.split('\n').filter(line => !/^\s*(?:$|\/\/|#(?!\[)|\*|[{}\])]+[;,]?$)/.test(line))
  const found = lines.filter(line => assertion.test(line)).length
  if (found === 0 && !/\bthrow\b|\braise\b|\bexit\b/.test(text)) return false
  if (
    /(?:^|[/_.-])(?:assert\w*|expect\w*|matchers?|harness|test[-_]?(?:helpers?|utils?))(?:[/_.-]|$)/i.test(
      path,
    )
  )
    return true
  return found > 0 && (callsItselfCheck(path) || found * 3 >= lines.length)
}

/**
 * What the texts of a project say about files that lie with its tests: the data that tests read, helpers that contain
 * assertions, and new files that nothing of the work names. Pure: the texts are those of the tree that the loop found,
 * so that an agent cannot change what they say.
 *
 * Data that a test reads can be what it compares with, or what it is about. A test that also names code of the project
 * tests that code with the data; one that names none tests the data itself, which then is the work.
 */
import { isTestFile } from '../change/test-file.ts'
import { directoryOf } from './calls.ts'
import { callsItselfCheck, pathsIn } from './chain.ts'
import { baseName } from './commands.ts'
import { productKind } from './product-kinds.ts'

export type TestFacts = {
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
}

/** For a promise that runs nothing: no path has to be asked about. */
export const noFacts: TestFacts = {
  isReadByTests: () => false,
  asserts: () => false,
  isSubject: () => false,
  isGrown: () => false,
  isStranger: () => false,
}

export function testFacts(texts: Texts): TestFacts {
  const { paths, before, now, changed, scripts } = texts
  const judging = once(() =>
    paths.filter(path => isTestFile(path) || scripts.includes(path)).slice(0, mostRead),
  )
  const code = once(() =>
    paths.filter(path => productKind(path) === 'code' && !judging().includes(path)).slice(0, mostRead),
  )
  const stems = once(() => new Set(code().map(stemOf)))
  const readers = once(() =>
    [...judging(), ...code().filter(isHelper())].flatMap(path => {
      const text = before(path)
      if (text === null) return []
      const namesCode = isHelper()(path) || importsIn(text).some(stem => stems().has(stem))
      return [{ words: wordsOf(text), namesCode }]
    }),
  )
  const isHelper = once(() => {
    const named = new Set(judging().flatMap(path => importsIn(before(path) ?? '')))
    const byWork = new Set(
      code().flatMap(path => importsIn(before(path) ?? '').filter(stem => stem !== stemOf(path))),
    )
    return (path: string) => {
      const stem = stemOf(path)
      return helping.test(stem) && named.has(stem) && !byWork.has(stem) && reads.test(before(path) ?? '')
    }
  })
  const inTests = once(() => new Set(paths.filter(isTestFile).map(directoryOf)))
  /** What the tests and scripts of the promise import is what they are about. */
  const expected = once(() => new Set(judging().flatMap(path => importsIn(before(path) ?? ''))))
  return {
    isReadByTests(path) {
      const names = [baseName(path), baseName(directoryOf(path))].filter(name => name !== '')
      const found = readers().filter(({ words }) => names.some(name => words.has(name)))
      if (!found.some(({ namesCode }) => namesCode)) return false
      return !code().some(one => !isHelper()(one) && wordsOf(before(one) ?? '').has(baseName(path)))
    },
    asserts(path) {
      const text = before(path)
      return text !== null && (isAssertive(path, text) || isHelper()(path))
    },
    isSubject(path) {
      if (productKind(path) !== 'code' || isTestFile(path)) return false
      return paths.some(one => isTestFile(one) && importsIn(before(one) ?? '').includes(stemOf(path)))
    },
    isGrown(path) {
      const old = before(path)
      return old !== null && containsLines(now(path) ?? '', old)
    },
    isStranger(path) {
      if (!inTests().has(directoryOf(path)) || compiledTogether.test(path)) return false
      if (expected().has(stemOf(path))) return false
      const others = changed.filter(one => one !== path && productKind(one) === 'code' && !isTestFile(one))
      return !others.some(one => importsIn(now(one) ?? '').includes(stemOf(path)))
    },
  }
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

/**
 * Finds which failed tests are new, and whether the existing tests are unchanged. A test is new if its file is, or
 * if its name is in lines added to a test file: breaking an existing test does not count as writing one.
 */
import { isTestFile } from '../change/test-file.ts'
import type { FailedTest } from '../text/runner.ts'
import { codeIn, isSubstantial, newCode } from './substance.ts'

/** `before` null: the file is new. `after` null: the file is gone. */
export type ChangedText = { path: string; before: string | null; after: string | null }

/** Rust has tests in its sources. */
export function holdsTests({ path, after, before }: ChangedText): boolean {
  return isTestFile(path) || (path.endsWith('.rs') && /#\[(?:\w+::)?test\b/.test(after ?? before ?? ''))
}

export function isNewTest({ name, file }: FailedTest, changed: readonly ChangedText[]): boolean {
  const own = changed.filter(holdsTests)
  const isNewFile = own.some(
    one => one.before === null && file !== null && isSamePath(file.replace(/^\.\//, ''), one.path),
  )
  if (isNewFile) return true
  const last = name.split('/').at(-1) ?? name
  const names = [...new Set([name, last, last.replaceAll('_', ' ')])].filter(one => one.length > 1)
  return own.some(({ before, after }) =>
    addedLines(before ?? '', after ?? '').some(line => names.some(one => line.includes(one))),
  )
}

function isSamePath(one: string, other: string): boolean {
  return one === other || one.endsWith(`/${other}`) || other.endsWith(`/${one}`)
}

function addedLines(before: string, after: string): string[] {
  const there = new Set(before.split('\n'))
  return after.split('\n').filter(line => !there.has(line))
}

/** Test files that were changed or deleted; those with additions only are included if `mayGrow` is false. */
export function changedTests(changed: readonly ChangedText[], mayGrow: boolean): ChangedText[] {
  return changed.filter(one => {
    const { path, before, after } = one
    if (before === null || !holdsTests(one)) return false
    // A source file with tests in it is judged by running it.
    if (!isTestFile(path)) return false
    return !mayGrow || after === null || newCode(path, after, before).length > 0
  })
}

/** Tells whether test files have new code at all. */
export function addsTests(changed: readonly ChangedText[]): boolean {
  return changed
    .filter(holdsTests)
    .some(({ path, before, after }) => newCode(path, before ?? '', after ?? '').some(isSubstantial))
}

const steering =
  /^(?:(?:jest|vitest|vite|karma|ava|playwright|cypress|nyc|babel)\.config\.\w+|\.mocharc(?:\.\w+)?|\.babelrc(?:\.\w+)?|pytest\.ini|tox\.ini|setup\.cfg|noxfile\.py|[Mm]akefile|GNUmakefile|\.?justfile|Justfile|\.npmrc|\.cargo\/config\.toml)$/

/** Existing files that define how tests are run, and that have changed. */
export function changedSteering(changed: readonly ChangedText[]): string[] {
  return changed.filter(isSteered).map(({ path }) => path)
}

function isSteered({ path, before, after }: ChangedText): boolean {
  if (path === 'package.json') return runPart(before) !== runPart(after)
  if (path === 'pyproject.toml') return pytestPart(before) !== pytestPart(after)
  return (
    steering.test(path) &&
    codeIn(`${path}.py`, before ?? '').join('\n') !== codeIn(`${path}.py`, after ?? '').join('\n')
  )
}

function runPart(text: string | null): string {
  try {
    const { scripts, jest, mocha, ava, vitest, c8, nyc } = JSON.parse(text ?? '{}') ?? {}
    return JSON.stringify({ scripts, jest, mocha, ava, vitest, c8, nyc })
  } catch {
    return text ?? ''
  }
}

function pytestPart(text: string | null): string {
  return (text ?? '').match(/^\[tool\.(?:pytest|tox|coverage)[^\n]*\n(?:(?!\[).*\n?)*/gm)?.join('') ?? ''
}

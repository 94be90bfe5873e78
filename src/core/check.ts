/**
 * What `loop check` reads in the work of an agent, as pure functions: the sections, entries and code positions of its
 * Markdown reports, the real content of files, and new tests. The caller knows whether a position exists. Whether a
 * report is true is for a person to judge.
 */
import { isTestFile } from './change.ts'
import type { FailedTest } from './text/runner.ts'

type Section = { title: string; body: string }

/** One item of a section: below its own heading, or an item of a list, with all its lines. */
export type ReportEntry = { id: string; text: string }

type CodePosition = { path: string; line: number }

/** The lines of a file; null if there is no such file. */
type LinesOf = (path: string) => string[] | null

export function sectionNamed(markdown: string, title: string): string | null {
  const wanted = title.trim().toLowerCase()
  const found = sectionsIn(markdown).find(
    section => section.title.toLowerCase().replace(/[:.]$/, '') === wanted,
  )
  return found?.body ?? null
}

function sectionsIn(markdown: string): Section[] {
  const sections: Section[] = []
  for (const line of markdown.split('\n')) {
    const [, title] = /^##? +(.+?) *#*$/.exec(line) ?? []
    const last = sections.at(-1)
    if (title !== undefined) sections.push({ title, body: '' })
    else if (last) last.body += `${line}\n`
  }
  return sections
}

/** The number of meaningful words: without headings, list marks and placeholders. */
export function substanceOf(body: string): number {
  return body
    .replaceAll(/^#+ .*$/gm, '')
    .replaceAll(/\b(?:TODO|TBD|FIXME|N\/A|none|lorem ipsum)\b/gi, '')
    .replaceAll(/<[^>\n]*>|…|\.{3}/g, '')
    .replaceAll(/[\s*_`#>|-]+/g, '').length
}

export function entriesIn(body: string): ReportEntry[] {
  const entries: ReportEntry[] = []
  for (const line of body.split('\n')) {
    const [, item] = /^(?:#{3,} +|[-*+] +|\d+[.)] +)(\S.*)$/.exec(line) ?? []
    const last = entries.at(-1)
    if (item !== undefined && !(/^[-*+\d]/.test(line) && last?.text.startsWith('###'))) {
      entries.push({ id: /^\W*([A-Z]+-?\d+)\b/.exec(item)?.[1] ?? item.slice(0, 40), text: line })
    } else if (last) last.text += `\n${line}`
  }
  return entries
}

export function placesIn(text: string): CodePosition[] {
  const found = text.matchAll(/(?<![\w/])((?:[\w.@-]+\/)*[\w.@-]+\.[A-Za-z]\w*):(\d{1,6})\b/g)
  return Array.from(found, ([, path = '', line = '']) => ({
    path: path.replace(/^\.\//, ''),
    line: Number(line),
  }))
}

export function isThere({ path, line }: CodePosition, linesOf: LinesOf): boolean {
  const lines = linesOf(path)
  return lines !== null && line >= 1 && line <= lines.length
}

const around = 3

/** Tells whether text in backquotes of the entry occurs at or near one of its positions. */
export function quotesItsPlace(text: string, linesOf: LinesOf): boolean {
  const quotes = Array.from(text.matchAll(/`([^`\n]{4,})`/g), ([, quoted = '']) =>
    quoted.replaceAll(/\s+/g, ''),
  )
  const fenced = Array.from(text.matchAll(/^ *```\w*\n([\s\S]*?)^ *```/gm), ([, code = '']) => code)
  quotes.push(...fenced.flatMap(code => code.split('\n')).map(line => line.replaceAll(/\s+/g, '')))
  return placesIn(text).some(({ path, line }) => {
    const lines = linesOf(path)?.slice(Math.max(0, line - 1 - around), line + around) ?? []
    const there = lines.map(one => one.replaceAll(/\s+/g, '')).join('\n')
    return quotes.some(quoted => quoted.length >= 4 && !placesIn(quoted)[0] && there.includes(quoted))
  })
}

/** The amount of the entry's own words, without positions and quotes. */
export function ownWords(text: string): number {
  return substanceOf(text.replaceAll(/^ *```[\s\S]*?^ *```/gm, '').replaceAll(/`[^`\n]*`/g, ''))
}

/**
 * Finds which failed tests are new, and whether the existing tests are unchanged. A test is new if its file is, or
 * if its name is in lines added to a test file: breaking an existing test does not count as writing one.
 */

/** `before` null: the file is new. `after` null: the file is gone. */
export type ChangedText = { path: string; before: string | null; after: string | null }

/** Rust has tests in its sources. */
export function holdsTests({ path, after, before }: ChangedText): boolean {
  return isTestFile(path) || (path.endsWith('.rs') && /#\[(?:\w+::)?test\b/.test(after ?? before ?? ''))
}

export function isNewTest(
  { name, file }: Pick<FailedTest, 'name' | 'file'>,
  changed: readonly ChangedText[],
): boolean {
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

/**
 * The code of a file: its text without comments and spaces, to distinguish a change of code from a touched file. It
 * goes by the file's name and is not a parser: a string that looks like a comment is dropped before and after alike,
 * so the comparison stays valid.
 */

type Mutant = { path: string; line: number; text: string; says: string }

const turns: [RegExp, (found: string) => string][] = [
  [/===|!==/, found => (found === '===' ? '!==' : '===')],
  [/(?<![=!<>])(?:==|!=)(?!=)/, found => (found === '==' ? '!=' : '==')],
  [/(?<=\s)(?:<=|>=|<|>)(?=\s)/, found => ({ '<=': '>', '>=': '<', '<': '>=', '>': '<=' })[found] ?? found],
  [/(?<=\s)[+*/-](?=\s)/, found => ({ '+': '-', '-': '+', '*': '+', '/': '*' })[found] ?? found],
  [
    /(?<=\s)(?:&&|\|\||and|or)(?=\s)/,
    found => ({ '&&': '||', '||': '&&', and: 'or', or: 'and' })[found] ?? found,
  ],
  [
    /\b(?:true|false|True|False)\b/,
    found => ({ true: 'false', false: 'true', True: 'False', False: 'True' })[found] ?? found,
  ],
  [/(?<![\w.$#])\d+(?![\w.])/, found => String(Number(found) + 1)],
  [/(?<=['"])[A-Za-z][^'"\\]*(?=['"])/, found => `${found}!`],
]

const declares =
  /^\s*(?:import\b|from\b|export\s+\*|use\b|package\b|#include|require\b|@|"use |'use |.*\brequire\(|.*\bfrom\s+['"])/

/** At most `most` mutants, spread over the files. */
export function mutantsOf(files: readonly { path: string; text: string }[], most: number): Mutant[] {
  const found = files.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, i) => mutantOf(path, { line, at: i, text }) ?? []),
  )
  if (found.length <= most) return found
  return Array.from({ length: most }, (_, i) => found[Math.floor((i * found.length) / most)] as Mutant)
}

function mutantOf(
  path: string,
  { line, at, text }: { line: string; at: number; text: string },
): Mutant | null {
  if (declares.test(line) || codeIn(path, line).length === 0) return null
  for (const [form, turn] of turns) {
    const found = form.exec(line)
    if (!found) continue
    const turned = line.slice(0, found.index) + turn(found[0]) + line.slice(found.index + found[0].length)
    const lines = text.split('\n')
    lines[at] = turned
    return { path, line: at + 1, text: lines.join('\n'), says: `${line.trim()}  →  ${turned.trim()}` }
  }
  return null
}

const slashes =
  /\.(?:[cm]?[jt]sx?|vue|svelte|go|rs|java|kts?|groovy|scala|swift|cs|fs|c|h|cc|cpp|cxx|hpp|m|mm|php|dart|zig|css|scss|less|proto|graphql|gql|prisma)$/i
const hashes = /\.(?:py|pyi|rb|sh|bash|zsh|pl|pm|r|jl|exs?|nim|tf|ps1)$/i
const tags = /\.(?:html?|xhtml|xml|svg|ejs|hbs|mustache|erb|jinja2?|j2|tmpl|liquid)$/i
const dashes = /\.(?:sql|lua|hs|elm)$/i

/** A hand-written file for a machine to run; documents, data and lock files are not sources. */
export function isSource(path: string): boolean {
  return [slashes, hashes, dashes, tags].some(form => form.test(path))
}

/** The code in a text, one entry per line that has code. */
export function codeIn(path: string, text: string): string[] {
  return withoutComments(path, text)
    .split('\n')
    .map(line => line.replaceAll(/\s+/g, ''))
    .filter(line => line !== '')
}

function withoutComments(path: string, text: string): string {
  if (slashes.test(path))
    return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|[^:"'`\w])\/\/.*$/gm, '$1')
  if (hashes.test(path))
    return text.replaceAll(/^\s*(?:"""[\s\S]*?"""|'''[\s\S]*?''')\s*$/gm, '').replaceAll(/(^|\s)#.*$/gm, '$1')
  if (tags.test(path)) return text.replaceAll(/<!--[\s\S]*?-->/g, '')
  return text.replaceAll(/(^|\s)--.*$/gm, '$1')
}

/** Lines of code in one text but not in the other; moving a line adds none. */
export function newCode(path: string, before: string, after: string): string[] {
  const there = new Map<string, number>()
  for (const line of codeIn(path, before)) there.set(line, (there.get(line) ?? 0) + 1)
  return codeIn(path, after).filter(line => {
    const left = there.get(line) ?? 0
    there.set(line, left - 1)
    return left <= 0
  })
}

/** Punctuation alone, such as `}` or `);`, does not count as code. */
export function isSubstantial(line: string): boolean {
  return /\w/.test(line)
}

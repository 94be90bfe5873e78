/**
 * The files of `src` as scripts see them: their code lines, the files that import them, and the words that they print.
 * It reads text by the form that the formatter gives it, without a parser: comments stand on lines of their own,
 * imports begin a line. So counts are comparable between commits, not exact.
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'

export type SourceFile = {
  path: string
  text: string
  lines: number
  /** Lines without blanks and comments. */
  code: number
  /** The files of `src` and of the page that import it, also for types alone. */
  importers: string[]
  /** Stands alone for a reason: loaded by `import()`, bundled by itself, imported by the page, a row of a registry. */
  isApart: boolean
}

/** Each imports one file for each thing of its kind, so a row with one importer stands alone for a reason. */
const registries = [
  'src/adapters/agents/agent.ts',
  'src/cli/command-table.ts',
  'src/cli/commands/check.ts',
  'src/cli/commands/doctor.ts',
  'src/core/programs/all.ts',
  'src/failures/words.ts',
  'src/options/detect/project.ts',
  'src/platform/linux/linux.ts',
  'src/server/api/answers.ts',
  'src/server/api/contract.ts',
  'src/documents/documents.ts',
]
export function sourceFiles(): SourceFile[] {
  const paths = globSync('src/**/*.ts').toSorted()
  const page = globSync('web/**/*.{ts,tsx}')
  const texts = new Map([...paths, ...page].map(path => [path, readFileSync(path, 'utf8')]))
  const importers = Map.groupBy(
    importsIn(texts, /^(?:import|export (?:type )?\{)[^']*?from '(\.[^']+)'/gm),
    one => one.to,
  )
  const lazily = new Set(importsIn(texts, /\bimport\(\s*'(\.[^']+)'/g).map(({ to }) => to))
  const built = new Set(
    Array.from(readFileSync('scripts/build.ts', 'utf8').matchAll(/in: '([^']+)'/g), at => at[1]),
  )
  return paths.map(path => {
    const text = texts.get(path) ?? ''
    const by = [...new Set((importers.get(path) ?? []).map(({ from }) => from))]
    const isApart =
      lazily.has(path) ||
      built.has(path) ||
      by.some(one => one.startsWith('web/') || registries.includes(one))
    return {
      path,
      text,
      lines: text.trimEnd().split('\n').length,
      code: codeIn(text).length,
      importers: by,
      isApart,
    }
  })
}

function importsIn(texts: Map<string, string>, form: RegExp): { from: string; to: string }[] {
  return Array.from(texts).flatMap(([from, text]) =>
    Array.from(text.matchAll(form), ([, target = '']) => ({
      from,
      to: relative('.', resolve(dirname(from), target)),
    })),
  )
}

/** The lines of a text that are neither blank nor a comment, with their numbers. */
export function codeIn(text: string): { number: number; line: string }[] {
  let isComment = false
  return text.split('\n').flatMap((line, at) => {
    const trimmed = line.trim()
    if (!isComment && trimmed.startsWith('/*')) isComment = true
    const isCode = !isComment && trimmed !== '' && !trimmed.startsWith('//')
    if (isComment && trimmed.endsWith('*/')) isComment = false
    return isCode ? [{ number: at + 1, line }] : []
  })
}

/** Failures, views, definitions of commands and options, and descriptions for MCP: there, words are at home. */
const homesOfWords =
  /^src\/(?:failures|views|options\/table|cli\/(?:table\/|(?:loopd\/)?command-table|help-tasks)|mcp\/contract)/
const printingCall =
  /\b(?:out(?:For<[^>]*>)?|err|write|say|add|ask|complain|note|print|lineDialog|choiceDialog|madeOf)\(|\blabel: (?=['"`])/g
const literal = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g

/** Literals of at least two words, outside of the homes of words, that are an argument of a call that prints or asks. */
export function printedLiterals(files: SourceFile[]): string[] {
  const elsewhere = files.filter(({ path }) => !homesOfWords.test(path))
  return elsewhere.flatMap(({ path, text }) => {
    const code = codeIn(text)
      .map(({ line }) => line)
      .join('\n')
    const found = Array.from(code.matchAll(printingCall), call =>
      wordsAfter(code, call.index + call[0].length),
    )
    // A call inside another has its literals once.
    return [...new Map(found.flat())].map(([, words]) => `${path}: ${words}`)
  })
}

/** The literals up to the bracket that ends the call, or to the end of the value, by their place. */
function wordsAfter(code: string, start: number): [number, string][] {
  let depth = 1
  let end = start
  for (; depth > 0 && end < code.length; end++) {
    if (/[([{]/.test(code[end] ?? '')) depth++
    if (/[)\]}]/.test(code[end] ?? '') || (depth === 1 && code[start - 1] === ' ' && code[end] === ','))
      depth--
  }
  return Array.from(code.slice(start, end).matchAll(literal), ({ 0: words, index }): [number, string] => [
    start + index,
    words,
  ]).filter(([, words]) => /[A-Za-z]{2,}[,:;.]? [a-z]{2,}/.test(words.replaceAll(/\$\{[^}]*\}/g, '…')))
}

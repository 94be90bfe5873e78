/**
 * Small changes of code that any test of its behaviour should detect: an inverted comparison, a number plus one.
 * They are made from the text alone, for any language, so some may not even run; callers count only tests that fail
 * by their assertions.
 */
import { codeIn } from './substance.ts'

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

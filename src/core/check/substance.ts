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

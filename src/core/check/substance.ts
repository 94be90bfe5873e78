/**
 * The code of a file: its text without comments and spaces, to distinguish a change of code from a touched file. It
 * goes by the file's name and is not a parser: a string that looks like a comment is dropped before and after alike,
 * so the comparison stays valid.
 */

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

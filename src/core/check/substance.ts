/**
 * What of a file is code: its text without comments and spaces, so that a change of code can be told from a touched
 * file. By the name of the file; not a parser: where a text holds what looks like a comment, the same is left out
 * before and after, and what is compared stays comparable.
 */

const slashes =
  /\.(?:[cm]?[jt]sx?|vue|svelte|go|rs|java|kts?|groovy|scala|swift|cs|fs|c|h|cc|cpp|cxx|hpp|m|mm|php|dart|zig|css|scss|less|proto|graphql|gql|prisma)$/i
const hashes = /\.(?:py|pyi|rb|sh|bash|zsh|pl|pm|r|jl|exs?|nim|tf|ps1)$/i
const tags = /\.(?:html?|xhtml|xml|svg|ejs|hbs|mustache|erb|jinja2?|j2|tmpl|liquid)$/i
const dashes = /\.(?:sql|lua|hs|elm)$/i

/** A file that somebody wrote for a machine to run; a document, data or a lock file is none. */
export function isSource(path: string): boolean {
  return [slashes, hashes, dashes, tags].some(form => form.test(path))
}

/** The code in a text, one line for each line that has some. */
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

/** Lines of code that one text has and the other has not; whoever moves a line has not added one. */
export function newCode(path: string, before: string, after: string): string[] {
  const there = new Map<string, number>()
  for (const line of codeIn(path, before)) there.set(line, (there.get(line) ?? 0) + 1)
  return codeIn(path, after).filter(line => {
    const left = there.get(line) ?? 0
    there.set(line, left - 1)
    return left <= 0
  })
}

/** Punctuation alone is no code: a `}` or `);`. */
export function isSubstantial(line: string): boolean {
  return /\w/.test(line)
}

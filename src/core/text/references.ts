/**
 * Finds references to values in a text: `{{feature}}`, `{{outputs.build.version}}`, which are names joined by
 * dots with optional spaces around them. An odd number of backslashes before one keeps it as text and one
 * backslash is dropped. `${{…}}`, the syntax of other tools, is not a reference. Whether a name exists is not
 * decided here.
 */

export type FoundReference = {
  /** The position of the braces, after any backslashes. */
  start: number
  end: number
  path: string
  /** `escaped`: literal text whose backslash is dropped; `foreign`: `${{…}}`. */
  kind: 'reference' | 'escaped' | 'foreign'
}

const form = /\{\{[ \t]*([A-Za-z][A-Za-z0-9_-]*(?:\.[A-Za-z0-9][A-Za-z0-9_-]*)*)[ \t]*\}\}/g

export function findReferences(text: string): FoundReference[] {
  return Array.from(text.matchAll(form), match => {
    const [whole, path = ''] = match
    const start = match.index
    const hasDollar = text.charAt(start - 1) === '$'
    // In \${{price}} the backslash escapes the dollar.
    const isEscaped = backslashesBefore(text, hasDollar ? start - 1 : start) % 2 === 1
    const kind = isEscaped === hasDollar ? 'reference' : hasDollar ? 'foreign' : 'escaped'
    return { start, end: start + whole.length, path, kind }
  })
}

function backslashesBefore(text: string, at: number): number {
  let many = 0
  while (text.charAt(at - many - 1) === '\\') many += 1
  return many
}

/**
 * The environment variable that carries a value to a shell. It is unique: names contain no `__`, and
 * options/workflow refuses two names that differ only in - and _.
 */
export function environmentName(path: string): string {
  return `LOOP_VAR_${path.replaceAll('.', '__').replaceAll('-', '_')}`
}

/** The text in pieces: literal strings and the paths of references. */
export function textPieces(text: string): (string | { path: string; start: number; end: number })[] {
  const pieces: (string | { path: string; start: number; end: number })[] = []
  let at = 0
  let kept = ''
  for (const { start, end, path, kind } of findReferences(text)) {
    kept += text.slice(at, kind === 'escaped' ? start - 1 : start)
    at = end
    if (kind !== 'reference') {
      kept += text.slice(start, end)
      continue
    }
    if (kept !== '') pieces.push(kept)
    kept = ''
    pieces.push({ path, start, end })
  }
  kept += text.slice(at)
  return kept === '' ? pieces : [...pieces, kept]
}

/**
 * Finds the references to values in a text: `{{feature}}`, `{{outputs.build.version}}`. Only this form is one:
 * names joined by dots, spaces around them allowed. A backslash before it (an odd number of them) keeps it as text
 * and is dropped; `${{…}}`, which is the form of other tools, is none. Says nothing about which names there are.
 */

export type FoundReference = {
  /** Of the braces, without the backslashes before them. */
  start: number
  end: number
  path: string
  /** `escaped`: text, and the backslash before it goes; `foreign`: `${{…}}`. */
  kind: 'reference' | 'escaped' | 'foreign'
}

const form = /\{\{[ \t]*([A-Za-z][A-Za-z0-9_-]*(?:\.[A-Za-z0-9][A-Za-z0-9_-]*)*)[ \t]*\}\}/g

export function findReferences(text: string): FoundReference[] {
  return Array.from(text.matchAll(form), match => {
    const [whole, path = ''] = match
    const start = match.index
    const hasDollar = text.charAt(start - 1) === '$'
    // Escaped is the dollar in \${{price}}, and then it is just one.
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
 * The variable that carries a value to a shell. No two references have the same: a name has no `__`, and two that
 * differ in - and _ only are refused by options/workflow.
 */
export function environmentName(path: string): string {
  return `LOOP_VAR_${path.replaceAll('.', '__').replaceAll('-', '_')}`
}

/** The text in pieces: what stays as it is, and the paths of references. */
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

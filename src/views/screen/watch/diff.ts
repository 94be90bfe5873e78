/** The colours of a patch. */
import { ink, type Look } from '../look.ts'

/** Without the prefixes `--- a/`, a removed line that begins with `-- ` would look like a head. */
const isHead =
  /^(?:diff |index |new file|deleted file|old mode|new mode|rename |(?:--- (?:"?a\/|\/dev\/null$)|\+\+\+ (?:"?b\/|\/dev\/null$)))/

export function diffInk(look: Look, row: string): string {
  if (isHead.test(row)) return ink(look, 'bold', row)
  if (row.startsWith('@@')) return ink(look, 'cyan', row)
  if (row.startsWith('+')) return ink(look, 'green', row)
  return row.startsWith('-') ? ink(look, 'red', row) : row
}

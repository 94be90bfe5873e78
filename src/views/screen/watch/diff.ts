/** The colours of a patch. */
import { ink, type Look } from '../look.ts'

export function diffInk(look: Look, row: string): string {
  if (/^(?:diff |index |new file|deleted file|old mode|new mode|rename )/.test(row))
    return ink(look, 'bold', row)
  if (row.startsWith('@@')) return ink(look, 'cyan', row)
  if (row.startsWith('+')) return ink(look, 'green', row)
  return row.startsWith('-') ? ink(look, 'red', row) : row
}

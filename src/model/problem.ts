/**
 * A mistake in a file that a person wrote: where it stands, what is wrong and what was probably meant. Data; the
 * picture with a caret is views/workflow/problems. Lines and columns count from 1; the end is the first place after it.
 */

export type Problem = {
  file: string
  line: number
  column: number
  endLine: number
  endColumn: number
  message: string
  /** What to write instead, where that is known. */
  hint: string | null
  /** The line of the file, as it is. */
  source: string
}

/**
 * A mistake in a file that a person wrote: its place, what is wrong, and the probable correction. It is data;
 * views/workflow/problems draws it with a caret. Lines and columns count from 1; the end is exclusive.
 */

export type Problem = {
  file: string
  line: number
  column: number
  endLine: number
  endColumn: number
  message: string
  /** The text to write instead, if known. */
  hint: string | null
  /** The line of the file, unchanged. */
  source: string
}

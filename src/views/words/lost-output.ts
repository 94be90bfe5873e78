/** The message for a result that could not be printed. It is in its own file because every command loads it. */
export function lostOutputWords(why: string): string {
  return `Standard output cannot be written (${why}): what was printed is lost. Nothing recorded is.`
}

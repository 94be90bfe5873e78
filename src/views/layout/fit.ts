/** Makes text fit a width: broken between words, or cut at its beginning. */

/** Lines of at most this many characters; a longer word gets its own line. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  // A separator between two facts stays on the line of the first.
  for (const word of text.split(/ (?!·)/)) {
    const line = lines.at(-1)
    if (line !== undefined && line.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines
}

/** The end of a path is its most useful part. */
export function clipStart(text: string, width: number): string {
  return text.length > width ? `…${text.slice(1 - width)}` : text
}

/** Text that has to fit a width: broken between words, or cut at its beginning. */

/** Lines of at most so many characters; a word that is longer has a line of its own. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  // What stands between two facts stays with the first.
  for (const word of text.split(/ (?!·)/)) {
    const line = lines.at(-1)
    if (line !== undefined && line.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines
}

/** The end of a path says most. */
export function clipStart(text: string, width: number): string {
  return text.length > width ? `…${text.slice(1 - width)}` : text
}

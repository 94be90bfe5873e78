/** Lines out of a text that comes in pieces, in bounded memory, whatever a program prints. */

/** A longer line is no message of any agent: it is passed over. */
export const longestLine = 8 << 20

/** Whole lines out of pieces of text; one that is longer than `most` is left out, and said to be. */
export function lineSplitter(most: number): { add(text: string): string[]; rest(): string[] } {
  let parts: string[] = []
  let length = 0
  let tooLong = false
  const close = (): string[] => {
    const line = parts.join('')
    const lost = tooLong
    parts = []
    length = 0
    tooLong = false
    return lost || line === '' ? [] : [line]
  }
  const put = (text: string) => {
    length += text.length
    tooLong ||= length > most
    if (tooLong) parts = []
    else if (text !== '') parts.push(text)
  }
  return {
    add(text) {
      const [first = '', ...others] = text.split('\n')
      put(first)
      return others.flatMap(other => {
        const line = close()
        put(other)
        return line
      })
    },
    rest: close,
  }
}

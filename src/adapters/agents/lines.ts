/** Splits text that arrives in pieces into lines, in bounded memory. */

/** No agent's message is longer than this: such a line is skipped. */
export const longestLine = 8 << 20

/** Returns whole lines; one that is longer than `most` is dropped and reported. */
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

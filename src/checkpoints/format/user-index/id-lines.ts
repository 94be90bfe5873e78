/** Ids as input for git: in hex, one on each line. */

/** `places`, moved by `shift`: where each id begins in `bytes`. A negative place stands for no id, and gives zeros. */
type IdsAt = { bytes: Buffer; places: ArrayLike<number>; shift: number; idSize: number }

/** Two characters at a time, which is three times as fast as strings; therefore a space stands before each line end. */
export function idLines({ bytes, places, shift, idSize }: IdsAt): Buffer {
  const lines = new Uint16Array(places.length * (idSize + 1))
  let to = 0
  for (let n = 0; n < places.length; n += 1) {
    const first = (places[n] as number) + shift
    for (let at = first; at < first + idSize; at += 1, to += 1) lines[to] = hex[bytes[at] ?? 0] as number
    lines[to] = lineEnd
    to += 1
  }
  return Buffer.from(lines.buffer)
}

/** For each byte its two hex digits as one number. */
const hex = pairsOf(Buffer.from(Uint8Array.from({ length: 256 }, (_, n) => n)).toString('hex'))
const [lineEnd = 0] = pairsOf(' \n')

function pairsOf(text: string): Uint16Array {
  return new Uint16Array(Uint8Array.from(Buffer.from(text)).buffer)
}

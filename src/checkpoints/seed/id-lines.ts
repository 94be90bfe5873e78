/** Ids as git reads them from its input: hex, a line for each. */

/** Where each id is in the bytes; one that begins before them is none, and as zeros no object has it. */
type IdsAt = { bytes: Buffer; places: ArrayLike<number>; shift: number; idSize: number }

/** A space is before each line end, so that two characters can be written at a time: as texts it takes three times as long. */
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

/** By byte. */
const hex = pairsOf(Buffer.from(Uint8Array.from({ length: 256 }, (_, n) => n)).toString('hex'))
const [lineEnd = 0] = pairsOf(' \n')

function pairsOf(text: string): Uint16Array {
  return new Uint16Array(Uint8Array.from(Buffer.from(text)).buffer)
}

/**
 * Deltas: a pack may store an object as a list of instructions that build it from another object, its base.
 * A delta holds the size of the base, the size of the result, then instructions: copy a range of the base, or insert
 * the bytes that follow. Packs of loop have no deltas; packs of the user's repository do.
 */
import { largeBytes } from './limits.ts'

/** Null for a delta that is damaged, does not belong to this base, or builds more than `largeBytes`. */
export function applyDelta(base: Buffer, delta: Buffer): Buffer | null {
  let at = 0
  const next = () => {
    at += 1
    return delta[at - 1] ?? 0
  }
  const number = () => {
    let value = 0
    for (let factor = 1, byte = 128; byte & 128; factor *= 128) {
      byte = next()
      value += (byte & 127) * factor
    }
    return value
  }
  const bitsOf = (flags: number, bytes: number) => {
    let value = 0
    for (let n = 0; n < bytes; n += 1) if (flags & (1 << n)) value += next() * 256 ** n
    return value
  }
  if (number() !== base.length) return null
  const size = number()
  if (size > largeBytes) return null
  const made = Buffer.allocUnsafe(size)
  let done = 0
  while (at < delta.length) {
    const op = next()
    // The highest bit: copy from the base. Else the instruction is the number of bytes to insert.
    if (op & 128) {
      const from = bitsOf(op, 4)
      const count = bitsOf(op >> 4, 3) || 0x10000
      done += base.copy(made, done, from, from + count)
    } else {
      done += delta.copy(made, done, at, at + op)
      at += op
    }
  }
  return done === size ? made : null
}

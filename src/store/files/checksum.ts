/**
 * The checksum of a stored row: 64 bits, to detect damage. It does not protect against forgery: whoever can write the
 * store can write checksums too. Without node:crypto, because loading it takes a fifth of the time of `loop status`.
 */

/** Two 32-bit hashes by multiply and xor, each with a final mix; 16 hex digits. */
export function sumOf(text: string): string {
  let a = 0x9e3779b9
  let b = 0x7f4a7c15
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i)
    a = Math.imul(a ^ unit, 0x85ebca6b)
    a = (a << 13) | (a >>> 19)
    b = Math.imul(b ^ unit, 0xc2b2ae35)
    b = (b << 15) | (b >>> 17)
  }
  return hex(mix(a ^ text.length)) + hex(mix(b ^ a))
}

function mix(word: number): number {
  let h = word
  h = Math.imul(h ^ (h >>> 16), 0x7feb352d)
  h = Math.imul(h ^ (h >>> 15), 0x846ca68b)
  return (h ^ (h >>> 16)) >>> 0
}

function hex(word: number): string {
  return word.toString(16).padStart(8, '0')
}

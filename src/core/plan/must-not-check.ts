/** The checks at the gate of a plan whether something forbidden is so: their command fails where all is well. */

export function mustNotCheckId(round: number, index: number): string {
  return `gate/${round}/m${index + 1}`
}

export function isMustNotCheck(node: string): boolean {
  return /^gate\/\d+\/m\d+$/.test(node)
}

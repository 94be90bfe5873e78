/** "Did you mean …?": the name that was probably meant by what was typed. */

/** The name with the smallest edit distance, if it is near enough to be what was meant. */
export function nearest(typed: string, names: readonly string[]): string | null {
  const ranked = names.map(name => ({ name, away: distance(typed, name) })).sort((a, b) => a.away - b.away)
  const best = ranked[0]
  return best && best.away <= Math.min(typed.length - 1, Math.max(2, Math.floor(typed.length / 3)))
    ? best.name
    : null
}

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}

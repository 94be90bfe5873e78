/** "Did you mean …?": the name that was probably meant by what was typed. */

/** Longer than any name: whatever was typed, it was not one of them. */
const longest = 200

/** The name with the smallest edit distance, if it is near enough to be what was meant. */
export function nearest(typed: string, names: readonly string[]): string | null {
  if (typed.length > longest) return null
  const ranked = names.map(name => ({ name, away: distance(typed, name) })).sort((a, b) => a.away - b.away)
  const best = ranked[0]
  return best && best.away <= Math.min(typed.length - 1, Math.max(2, Math.floor(typed.length / 3)))
    ? best.name
    : null
}

/** Letters to add, drop or change; two neighbours that are swapped are one mistake, the most usual of all. */
function distance(a: string, b: string): number {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const changed = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = isSwap ? (before[j - 2] ?? 0) + 1 : changed
      next.push(Math.min(changed, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    before = row
    row = next
  }
  return row[b.length] ?? 0
}

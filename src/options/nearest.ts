/** "Did you mean …?": finds the name that was probably meant. */

/** Longer than any name: such a text cannot be a mistyped one. */
const longest = 200

/** The name with the smallest edit distance, if it is close enough. */
export function nearest(typed: string, names: readonly string[]): string | null {
  if (typed.length > longest) return null
  const ranked = names.map(name => ({ name, away: distance(typed, name) })).sort((a, b) => a.away - b.away)
  const best = ranked[0]
  // Of three letters, two others make another word.
  const most = typed.length < 4 ? 1 : Math.max(2, Math.floor(typed.length / 3))
  return best && best.away <= Math.min(typed.length - 1, most) ? best.name : null
}

/** The number of letters to add, remove or change; swapping two neighbours, the most common mistake, counts as one. */
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

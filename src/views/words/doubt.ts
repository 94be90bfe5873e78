/**
 * Why one should look before one ships, though the promise passed: in the box at the end of a loop, and for whoever
 * comes back to it later.
 */
import type { Doubt } from '../../core/loop/parts/doubts.ts'

/** `the repository /a/.git is gone; fewer tests (3 → 1)` */
export function doubtWords(doubts: readonly Doubt[]): string {
  return doubts.map(wordsOf).join('; ')
}

function wordsOf(doubt: Doubt): string {
  switch (doubt.kind) {
    case 'repository-gone':
      return `the repository ${doubt.dir} is gone`
    case 'head-moved': {
      const { from, to } = doubt
      if (from.branch !== to.branch) return `HEAD moved from ${placeOf(from)} to ${placeOf(to)}`
      return `HEAD moved (${from.commit?.slice(0, 7) ?? '–'} → ${to.commit?.slice(0, 7) ?? '–'})`
    }
    case 'fewer-tests':
      return `fewer tests (${doubt.baseline} → ${doubt.last})`
    default:
      return doubt satisfies never
  }
}

function placeOf({ branch, commit }: { branch: string | null; commit: string | null }): string {
  return branch ?? commit?.slice(0, 7) ?? 'nowhere'
}

/**
 * The reasons to look at a result before shipping it although its promise passed: in the final box, and for a later
 * reader.
 */
import type { Doubt } from '../../core/loop/assess/doubts.ts'
import { spelledOut } from '../text/plain-text.ts'

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
    case 'skipped-tests':
      return `more tests are left out (${doubt.baseline} → ${doubt.last})`
    case 'uncounted-tests':
      return `the runner no longer prints how many tests it ran (${doubt.baseline} before)`
    case 'steered':
      return `${steered[doubt.how]}: ${doubt.files.map(spelledOut).join(', ')}`
    default:
      return doubt satisfies never
  }
}

const steered = {
  mixed: 'the promise passes only together with changes to what judges the work',
  'not-checkable': 'what judges the work was changed, and a clean copy cannot tell what that does',
  accepted: 'you accepted changes to what judges the work',
  unlooked: 'what judges the work was changed, and nobody has looked at that again',
}

function placeOf({ branch, commit }: { branch: string | null; commit: string | null }): string {
  return branch ?? commit?.slice(0, 7) ?? 'nowhere'
}

/**
 * Tells whether learnings help: each time one is shown, the loop is remembered, and the outcome of that loop tells
 * whether it helped. After five useless showings in a row its removal is proposed.
 */

/** `said`: a person's reaction when it was shown; `used`: nobody was asked. */
export type Showing = { id: string; loop: string; said: 'confirmed' | 'dismissed' | 'used' }

export type Usefulness = { shown: number; helped: number; unhelpful: number; isToGo: boolean }

const mostUnhelpful = 5

/** `statusOf` a loop is null if it is unknown or not over. The showings are in order. */
export function usefulnessOf(
  showings: readonly Showing[],
  statusOf: (loop: string) => string | null,
): Usefulness {
  let helped = 0
  let unhelpful = 0
  let inRow = 0
  for (const { loop, said } of showings) {
    const outcome = outcomeOf(said, statusOf(loop))
    if (outcome === 'helped') {
      helped += 1
      inRow = 0
    }
    if (outcome === 'unhelpful') {
      unhelpful += 1
      inRow += 1
    }
  }
  return { shown: showings.length, helped, unhelpful, isToGo: inRow >= mostUnhelpful }
}

/** Open while its loop runs. A dismissed learning did not help, whatever the loop's outcome. */
function outcomeOf(said: Showing['said'], status: string | null): 'helped' | 'unhelpful' | 'open' {
  if (said === 'dismissed') return 'unhelpful'
  if (status === 'completed') return 'helped'
  return status === 'failed' || status === 'crashed' || status === 'cancelled' ? 'unhelpful' : 'open'
}

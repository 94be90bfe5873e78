/**
 * The two cut tests of work that is done by a group: the host dies at chosen appends, and another one takes over. What
 * is told in the end is what would have been told without a death. Each counts its deaths.
 */
import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { type GroupPlan, isDecided } from './group-plan.ts'
import { type Cut, cutName } from './mortal-store.ts'
import { bothSides, play } from './played-group.ts'

type Runs = { numRuns: number; seed: number }

/** `chosen`: the cuts of one piece of work; `turn` counts the pieces, so that others are chosen in each. */
export async function cutAnywhere(
  work: fc.Arbitrary<GroupPlan>,
  chosen: (appends: Omit<Cut, 'when'>[], turn: number) => Cut[],
  runs: Runs,
): Promise<number> {
  let cuts = 0
  let turn = 0
  await fc.assert(
    fc.asyncProperty(work, async plan => {
      const whole = await play(plan, [])
      for (const cut of chosen(whole.appends, (turn += 1))) {
        cuts += 1
        const again = await play(plan, [cut])
        if (isDecided(plan)) assert.deepEqual(again.told, whole.told, `cut ${cutName(cut)}`)
      }
    }),
    runs,
  )
  return cuts
}

/** Up to five deaths of one piece of work. `ends`: how often each outcome was reached. */
export async function cutAgainAndAgain(work: fc.Arbitrary<GroupPlan>, runs: Runs) {
  let cuts = 0
  const ends = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(
      work,
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 5 }),
      async (plan, places) => {
        const whole = await play(plan, [])
        const all = bothSides(whole.appends)
        const deaths = places.toSorted().flatMap(place => all[Math.floor(place * (all.length - 1))] ?? [])
        cuts += deaths.length
        const again = await play(plan, deaths)
        const end = JSON.stringify(whole.told.outcome)
        ends.set(end, (ends.get(end) ?? 0) + 1)
        if (isDecided(plan)) assert.deepEqual(again.told, whole.told, `cut ${deaths.map(cutName).join(', ')}`)
      },
    ),
    runs,
  )
  return `${cuts} deaths; ${[...ends].map(([end, times]) => `${times} × ${end}`).join(', ')}`
}

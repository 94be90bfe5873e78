/**
 * The cut test of plans: as that of groups (cut-group), with plans from their first question to their last. The same
 * finished graph, the same answers, the same tree; no attempt runs twice and nothing is applied twice. The same with
 * real processes: test/faults/kill-plan.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { isDecided, plannedWork } from '../../rig/group-plan.ts'
import { type Cut, cutName } from '../../rig/mortal-store.ts'
import { bothSides, play } from '../../rig/played-group.ts'

const long = process.env['LOOP_LONG'] !== undefined

test('a plan cut at any event of its own or of a member reaches the one end it would have reached', async t => {
  let cuts = 0
  let turn = 0
  await fc.assert(
    fc.asyncProperty(plannedWork, async plan => {
      const whole = await play(plan, [])
      for (const cut of chosen(whole.appends, (turn += 1))) {
        cuts += 1
        const again = await play(plan, [cut])
        if (isDecided(plan)) assert.deepEqual(again.told, whole.told, `cut ${cutName(cut)}`)
      }
    }),
    { numRuns: long ? 40 : 2, seed: 20_261_119 },
  )
  t.diagnostic(`${cuts} deaths`)
})

test('a plan whose hosts die one after the other reaches the end it would have reached', async t => {
  let cuts = 0
  const ends = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(
      plannedWork,
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
    { numRuns: long ? 150 : 4, seed: 20_261_120 },
  )
  t.diagnostic(`${cuts} deaths; ${[...ends].map(([end, times]) => `${times} × ${end}`).join(', ')}`)
})

/**
 * Some, spread over the plan's own appends and over those of its many members, others in each plan. A plan has about
 * a thousand, and is played in a third of a second: all of them, of forty plans, would take three hours.
 */
function chosen(appends: Omit<Cut, 'when'>[], turn: number): Cut[] {
  const cuts = bothSides(appends)
  const own = cuts.filter(({ who }) => who === 'group')
  return [own, cuts.filter(cut => !own.includes(cut))].flatMap(all => {
    const stride = Math.ceil(all.length / (long ? 30 : 3))
    return all.filter((_, i) => i % stride === (turn * 7) % stride)
  })
}

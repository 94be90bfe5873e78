/**
 * The cut test of groups: the host of a random group dies before and after every append to its journal and to those
 * of its members, and another one takes over. The same winner, the same finished graph, the same tree; no agent and no
 * hook runs twice, nothing of a person's edits is lost, and there is one end. Real store, rules, queue and steps; the
 * tree, agents and commands are simulated (test/rig/simulated-group). The same with real processes:
 * test/faults/kill-group.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { groupPlan, isDecided } from '../../rig/group-plan.ts'
import { type Cut, cutName } from '../../rig/mortal-store.ts'
import { bothSides, play } from '../../rig/played-group.ts'

const long = process.env['LOOP_LONG'] !== undefined

test('a group cut at any event of its own or of a member reaches the one end it would have reached', async t => {
  let cuts = 0
  let turn = 0
  await fc.assert(
    fc.asyncProperty(groupPlan, async plan => {
      const whole = await play(plan, [])
      for (const cut of chosen(whole.appends, (turn += 1))) {
        cuts += 1
        const again = await play(plan, [cut])
        if (isDecided(plan)) assert.deepEqual(again.told, whole.told, `cut ${cutName(cut)}`)
      }
    }),
    { numRuns: long ? 60 : 4, seed: 20_261_117 },
  )
  t.diagnostic(`${cuts} deaths`)
})

test('a group whose hosts die one after the other reaches the end it would have reached', async t => {
  let cuts = 0
  await fc.assert(
    fc.asyncProperty(
      groupPlan,
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 5 }),
      async (plan, places) => {
        const whole = await play(plan, [])
        const all = bothSides(whole.appends)
        const deaths = places.toSorted().flatMap(place => all[Math.floor(place * (all.length - 1))] ?? [])
        cuts += deaths.length
        const again = await play(plan, deaths)
        if (isDecided(plan)) assert.deepEqual(again.told, whole.told, `cut ${deaths.map(cutName).join(', ')}`)
      },
    ),
    { numRuns: long ? 1_500 : 20, seed: 20_261_118 },
  )
  t.diagnostic(`${cuts} deaths`)
})

/** Every append in the long form; else some, others in each turn: more of the group's than of its many members'. */
function chosen(appends: Omit<Cut, 'when'>[], turn: number): Cut[] {
  const cuts = bothSides(appends)
  const isOne = ({ who }: Cut, i: number) => (i + turn) % (who === 'group' ? 5 : 29) === 0
  return long ? cuts : cuts.filter(isOne)
}

/**
 * The cut test of plans: like that of groups (cut-group), with plans from their first question to their last. The same
 * finished graph, the same answers, the same tree; no attempt runs twice and nothing is applied twice. The same with
 * real processes: test/faults/kill-plan.
 */
import { test } from 'node:test'
import { cutAgainAndAgain, cutAnywhere } from '../rig/cut-work.ts'
import { plannedWork } from '../rig/group-plan.ts'
import type { Cut } from '../rig/mortal-store.ts'
import { bothSides } from '../rig/played-group.ts'

const long = process.env['LOOP_LONG'] !== undefined

test('a plan cut at any event of its own or of a member reaches the one end it would have reached', async t => {
  const runs = { numRuns: long ? 40 : 2, seed: 20_261_119 }
  t.diagnostic(`${await cutAnywhere(plannedWork, chosen, runs)} deaths`)
})

test('a plan whose hosts die one after the other reaches the end it would have reached', async t => {
  const runs = { numRuns: long ? 150 : 2, seed: 20_261_120 }
  t.diagnostic(await cutAgainAndAgain(plannedWork, runs))
})

/**
 * A sample, spread over the plan's own appends and over those of its many members, another one for each plan. A plan
 * has about a thousand appends and is played in a third of a second: all appends of forty plans would take three hours.
 */
function chosen(appends: Omit<Cut, 'when'>[], turn: number): Cut[] {
  const cuts = bothSides(appends)
  const own = cuts.filter(({ who }) => who === 'group')
  return [own, cuts.filter(cut => !own.includes(cut))].flatMap(all => {
    const stride = Math.ceil(all.length / (long ? 30 : 3))
    return all.filter((_, i) => i % stride === (turn * 7) % stride)
  })
}

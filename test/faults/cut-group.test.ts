/**
 * The cut test of groups: the host of a random group dies before and after every append to its journal and to those of
 * its members, and another host takes over. The same winner, the same finished graph, the same tree; no agent and no
 * hook runs twice, no edit of a person is lost, and there is one end. Real store, rules, queue and steps; the tree,
 * agents and commands are simulated (test/rig/simulated-group). The same with real processes: test/faults/kill-group.
 */
import { test } from 'node:test'
import { cutAgainAndAgain, cutAnywhere } from '../rig/cut-work.ts'
import { groupPlan } from '../rig/group-plan.ts'
import type { Cut } from '../rig/mortal-store.ts'
import { bothSides } from '../rig/played-group.ts'

const long = process.env['LOOP_LONG'] !== undefined

test('a group cut at any event of its own or of a member reaches the one end it would have reached', async t => {
  const runs = { numRuns: long ? 60 : 3, seed: 20_261_117 }
  t.diagnostic(`${await cutAnywhere(groupPlan, chosen, runs)} deaths`)
})

test('a group whose hosts die one after the other reaches the end it would have reached', async t => {
  const runs = { numRuns: long ? 1_500 : 10, seed: 20_261_118 }
  t.diagnostic(await cutAgainAndAgain(groupPlan, runs))
})

/**
 * In the long form every append. Otherwise a sample, another one in each turn, with more appends of the group than of
 * its many members.
 */
function chosen(appends: Omit<Cut, 'when'>[], turn: number): Cut[] {
  const cuts = bothSides(appends)
  const isOne = ({ who }: Cut, i: number) => (i + turn) % (who === 'group' ? 5 : 29) === 0
  return long ? cuts : cuts.filter(isOne)
}

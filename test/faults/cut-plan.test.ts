/**
 * The cut test of plans: like that of groups (cut-group), with plans from their first question to their last. The same
 * finished graph, the same answers, the same tree; no attempt runs twice and nothing is applied twice. The same with
 * real processes: test/faults/kill-plan.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cutAgainAndAgain, cutAnywhere } from '../rig/cut-work.ts'
import { quiet } from '../rig/driven-plan.ts'
import { type GroupPlan, plannedWork } from '../rig/group-plan.ts'
import { type Cut, cutName } from '../rig/mortal-store.ts'
import { bothSides, play } from '../rig/played-group.ts'
import type { Turn } from '../rig/simulated-world.ts'

const long = process.env['LOOP_LONG'] !== undefined

test('a plan cut at any event of its own or of a member reaches the one end it would have reached', async t => {
  const runs = { numRuns: long ? 40 : 2, seed: 20_261_119 }
  t.diagnostic(`${await cutAnywhere(plannedWork, chosen, runs)} deaths`)
})

test('a plan whose hosts die one after the other reaches the end it would have reached', async t => {
  const runs = { numRuns: long ? 150 : 2, seed: 20_261_120 }
  t.diagnostic(await cutAgainAndAgain(plannedWork, runs))
})

const passes: Turn = {
  end: 'exited',
  refused: null,
  costUsd: 1,
  exit: 0,
  failing: null,
  forbidden: false,
  rewrites: false,
  steered: null,
}

/** One task, one criterion, and G3 at the end. */
const asksG3: GroupPlan = {
  asked: { ...quiet, shape: 'tool-review', tasks: quiet.tasks.slice(0, 1), findings: [], lessons: 1 },
  members: [{ turns: [passes], touches: false }],
  maxIterations: 1,
  baseline: false,
  parallel: 1,
  budgetUsd: null,
  values: [1],
  red: 0,
  asks: [],
  answer: 0,
}

test('a person edits the tree after a host has died behind the gate: the plan completes on no earlier verdict', async () => {
  const { appends } = await play(asksG3, [])
  const own = appends.filter(({ who }) => who === 'group')
  const cuts = bothSides(own.slice(-30)).slice(0, -1)
  const asks = [{ what: 'edit own' as const, kind: 'host' as const, nth: 2 }]
  for (const cut of cuts.filter((_, i) => long || i % 7 === 4 || i === cuts.length - 1)) {
    const broken = await play({ ...asksG3, asks, fragile: true }, [cut])
    const { kind } = broken.told.outcome as { kind: string }
    assert.equal(kind, 'failed', `cut ${cutName(cut)}`)
    const harmless = await play({ ...asksG3, asks }, [cut])
    assert.deepEqual(harmless.told.outcome, { kind: 'completed' }, `cut ${cutName(cut)}`)
  }
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

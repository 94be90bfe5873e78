/**
 * Fixed groups: a person acts at each stage of an apply, pauses at each event, the budget runs out, an attempt rests
 * while another one wins. Random groups: test/faults/cut-group.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type GroupPlan, isDecided } from '../rig/group-plan.ts'
import { cutName } from '../rig/mortal-store.ts'
import { bothSides, play } from '../rig/played-group.ts'
import type { Turn } from '../rig/simulated-world.ts'

const long = process.env['LOOP_LONG'] !== undefined

const passes: Turn = {
  end: 'exited',
  refused: null,
  costUsd: 2,
  exit: 0,
  failing: null,
  forbidden: false,
  rewrites: false,
  steered: null,
}
const fails: Turn = { ...passes, exit: 1 }

/** Two attempts pass, and both change the shared files; the second one wins by the metric. */
const quiet: GroupPlan = {
  asked: {
    program: 'best-of',
    attempts: 2,
    waves: 1,
    firstWins: false,
    isManual: false,
    hasMetric: true,
    judge: false,
  },
  members: [
    {
      turns: [passes],
      touches: true,
    },
    {
      turns: [fails, passes],
      touches: true,
    },
  ],
  maxIterations: 2,
  baseline: false,
  parallel: 2,
  budgetUsd: null,
  values: [1, 2],
  red: 0,
  asks: [],
  answer: 0,
}

const deeds = ['pause', 'cancel', 'edit shared', 'edit own'] as const
const stages = ['tree.saved', 'tree.merged', 'tree.applied', 'tree.checked', 'tree.unapplied'] as const

for (const what of deeds) {
  test(`${what} at each stage of an apply, which is cut at each of its events`, async () => {
    for (const [i, kind] of stages.entries())
      for (const red of redOf(kind, i + deeds.indexOf(what))) {
        // The first saved tree is the one at the beginning.
        const nth = kind === 'tree.saved' ? 2 : 1
        await cutLate({ ...quiet, red, asks: [{ what, kind, nth }] })
      }
  })
}

/**
 * How often the promise fails in the tree. An apply is undone only after a failure; for every other stage the long form
 * plays both cases, the short form one of them.
 */
function redOf(kind: (typeof stages)[number], turn: number): number[] {
  if (kind === 'tree.unapplied') return [1]
  return long ? [0, 1] : [turn % 2]
}

async function cutLate(plan: GroupPlan): Promise<void> {
  const whole = await play(plan, [])
  const late = bothSides(whole.appends.filter(({ who }) => who === 'group').slice(-8))
  for (const cut of long ? late : late.filter((_, i) => i % 6 === plan.red * 3)) {
    const again = await play(plan, [cut])
    if (isDecided(plan)) assert.deepEqual(again.told, whole.told, `cut ${cutName(cut)}`)
  }
}

test('a person edits the tree after a host has died in the middle of writing it', async () => {
  const edits = ['edit shared', 'edit own'] as const
  const cases = edits.flatMap(what =>
    [0, 1].flatMap(red => [true, false].map(touches => ({ what, red, touches }))),
  )
  for (const { what, red, touches } of cases) {
    const members = quiet.members.map(member => ({ ...member, touches }))
    const plan = { ...quiet, red, members, asks: [{ what, kind: 'host' as const, nth: 2 }] }
    const { told } = await play(plan, [{ who: 'write', seq: 1, when: 'after' }])
    const isInTheWay = what === 'edit shared' && touches
    const reason = isInTheWay ? 'apply-conflict' : red === 1 ? 'apply-failed' : undefined
    const { kind, reason: found } = told.outcome as { kind: string; reason?: string }
    assert.deepEqual([kind, found], [reason ? 'failed' : 'completed', reason], `${what}, ${red}, ${touches}`)
  }
})

test('a person breaks the promise after a host has died, wherever it did: the group does not complete', async () => {
  const asks = [{ what: 'edit own' as const, kind: 'host' as const, nth: 2 }]
  const fragile = { ...quiet, asks, fragile: true as const }
  const { appends } = await play(quiet, [])
  const own = bothSides(appends.filter(({ who }) => who === 'group').slice(-4))
  for (const cut of own.slice(0, -1)) {
    const { told } = await play(fragile, [cut])
    const why = 'the promise fails in the work tree'
    assert.deepEqual(told.outcome, { kind: 'failed', reason: 'apply-failed', why }, `cut ${cutName(cut)}`)
  }
})

test('a pause at each event of attempts of different length', async () => {
  const members = [passes, fails].map(turn => ({ turns: [turn, passes], touches: false }))
  const four = {
    ...quiet,
    asked: { ...quiet.asked, attempts: 5 } as GroupPlan['asked'],
    parallel: 3,
    members,
  }
  const whole = await play(four, [])
  for (const kind of ['node.started', 'copy.made', 'node.ended'] as const) {
    for (const nth of [1, 2, 3, 4, 5]) {
      const { told } = await play({ ...four, asks: [{ what: 'pause', kind, nth }] }, [])
      assert.deepEqual(told, whole.told, `paused after ${kind} ${nth}`)
    }
  }
})

test('with first-wins, an attempt that rests does not keep the group from its end', async () => {
  const stuck: Turn = { ...passes, refused: 'auth' }
  const members = [
    { turns: [stuck], touches: false },
    { turns: [fails, passes], touches: false },
  ]
  const asked = { ...quiet.asked, firstWins: true } as GroupPlan['asked']
  for (const order of [members, members.toReversed()]) {
    const { told, resumes } = await play({ ...quiet, asked, members: order }, [])
    assert.deepEqual([told.outcome, resumes], [{ kind: 'completed' }, 0])
  }
})

test('a budget that is used up does not keep an attempt that has passed from the tree', async () => {
  const members = [
    { turns: [passes], touches: false },
    { turns: [fails], touches: false },
  ]
  const asked = { ...quiet.asked, attempts: 4 } as GroupPlan['asked']
  for (const parallel of [1, 2, 4]) {
    const { told, resumes } = await play({ ...quiet, asked, members, parallel, budgetUsd: 2 }, [])
    assert.deepEqual([told.outcome, resumes], [{ kind: 'completed' }, 0], `${parallel} at once`)
  }
})

test('a budget that is used up lets the group rest; it is exceeded by runs in flight at most', async () => {
  const members = [{ turns: [fails], touches: false }]
  const asked = { ...quiet.asked, attempts: 5 } as GroupPlan['asked']
  for (const parallel of [1, 2, 3]) {
    for (const budgetUsd of [1, 2, 5]) {
      const { spent } = await play({ ...quiet, asked, members, parallel, budgetUsd }, [])
      assert.ok(spent !== null && spent >= budgetUsd, `${spent} of ${budgetUsd}`)
      assert.ok(spent < budgetUsd + parallel * 2, `${spent} of ${budgetUsd} with ${parallel} at once`)
    }
  }
})

/** The second look at attempts of a best-of: which attempt, when, and what follows from it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bestOf } from '../../../../src/core/programs/best-of.ts'
import type { GroupEvent, NodeEnd } from '../../../../src/model/group/event.ts'
import type { GroupNode } from '../../../../src/model/group/node.ts'
import type { BestOf } from '../../../../src/model/group/spec.ts'
import {
  aChoice,
  afterEvents,
  aGate,
  aGroup,
  anAttempt,
  attempted,
  atWork,
  newGroup,
  over,
  planned,
  rests,
} from '../../../rig/given-group.ts'

const steered = { steered: ['test/a'] }

function look(of: string): GroupNode {
  return {
    kind: 'command',
    id: `look/${of}`,
    needs: [of],
    command: '(\nnpm test\n)',
    purpose: 'look',
    of,
    timeoutMs: 60_000,
  }
}

const loop = {
  criteria: [{ name: 'tests', command: 'npm test' }],
  verifyTimeoutMs: 60_000,
} satisfies Partial<BestOf['loop']>

const found = (of: string, is: NonNullable<NodeEnd['looked']>['is']): GroupEvent[] => [
  planned(look(of)),
  over(`look/${of}`, { how: is === 'suspect' ? 'failed' : 'completed', looked: { is, files: ['test/a'] } }),
]

/** The nodes that the program wants next, after two attempts that passed, the first with the smaller change. */
function grown(ends: [Partial<NodeEnd>, Partial<NodeEnd>], ...events: GroupEvent[]) {
  const { bestOf: wanted } = newGroup().spec
  const given = { loop: { ...(wanted?.loop as BestOf['loop']), ...loop } }
  const nodes = [anAttempt('1-a'), anAttempt('2-b')]
  const [first, second] = ends
  const tried = [...attempted('1-a', { size: 1, ...first }), ...attempted('2-b', { size: 5, ...second })]
  return bestOf.grow(afterEvents(aGroup(nodes, {}, given), ...tried, ...events))
}

const choose = aChoice(['1-a', '2-b'])
type Row = [what: string, growth: ReturnType<typeof grown>, next: object]

const rows: Row[] = [
  ['nobody changed what steers: the choice', grown([{}, {}]), { plan: [choose] }],
  ['the one that leads did not: the choice', grown([{}, steered]), { plan: [choose] }],
  ['the one that leads did: a look at it alone', grown([steered, steered]), { plan: [look('1-a')] }],
  ['while it is under way, nothing else', grown([steered, steered], planned(look('1-a'))), { wait: true }],
  ['it is sound: the choice', grown([steered, steered], ...found('1-a', 'sound')), { plan: [choose] }],
  [
    'it is suspect: the next one is looked at',
    grown([steered, steered], ...found('1-a', 'suspect')),
    { plan: [look('2-b')] },
  ],
  [
    'it is suspect, and the next one changed nothing of the kind',
    grown([steered, {}], ...found('1-a', 'suspect')),
    { plan: [choose] },
  ],
  [
    'it stays in doubt, so that the next one leads, and is looked at too',
    grown([steered, steered], ...found('1-a', 'mixed')),
    { plan: [look('2-b')] },
  ],
  [
    'all are suspect: a person is asked',
    grown([steered, steered], ...found('1-a', 'suspect'), ...found('2-b', 'suspect')),
    {
      plan: [
        aGate('pick', {
          needs: ['1-a', '2-b'],
          question:
            'Each attempt that passes may do so by its changes to what judges the work (1-a: test/a; 2-b: test/a). Which one is brought into the tree all the same?',
          choices: ['1-a', '2-b', 'none'],
        }),
        { ...choose, needs: ['pick'], by: 'pick' },
      ],
    },
  ],
]

for (const [what, growth, next] of rows) test(what, () => assert.deepEqual(growth, next))

test('attempts leave the second look to the group, if their results are ranked', () => {
  const leaves = (given: Partial<BestOf>) => {
    const growth = bestOf.grow(afterEvents(newGroup({}, given)))
    assert.ok('plan' in growth)
    return growth.plan.map(node => node.kind === 'loop' && node.spec.secondLook)
  }
  assert.deepEqual(leaves({ attempts: 2 }), ['by-group', 'by-group'])
  assert.deepEqual(leaves({ attempts: 2, firstWins: true }), [undefined, undefined])
  assert.deepEqual(leaves({ attempts: 2, isManual: true }), [undefined, undefined])
  assert.deepEqual(leaves({ attempts: 1 }), [undefined])
})

test('an attempt that rests as suspect is left behind once another has passed, and not before', () => {
  const nodes = [anAttempt('1-a'), anAttempt('2-b')]
  const resting = [...atWork('1-a'), rests('1-a', 'suspect')]
  const alone = afterEvents(aGroup(nodes), ...resting, ...atWork('2-b'))
  assert.deepEqual(bestOf.grow(alone), { wait: true })
  const passed = afterEvents(aGroup(nodes), ...resting, ...attempted('2-b'))
  assert.deepEqual(bestOf.grow(passed), {
    drop: '1-a',
    because: { kind: 'suspect-rests' },
  })
})

/** The judge among equals: when it is asked, that it sees no names, both orders, ties, and the recorded answers. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decideGroup } from '../../../../src/core/group/decide.ts'
import type { GroupState } from '../../../../src/core/group/state.ts'
import type { GroupEvent } from '../../../../src/model/group/event.ts'
import { type GroupNode, node as nodeSchema } from '../../../../src/model/group/node.ts'
import { afterEvents, aGroup, anAttempt, attempted, begun, over, rests } from '../../../rig/given-group.ts'

const why = 'it is shorter and says the same'
type Better = 'A' | 'B' | 'tie'

/** Attempts that have all passed, with these sizes of change. */
function passed(sizes: Record<string, number>, judge = true): GroupState {
  const ids = Object.keys(sizes)
  const nodes = ids.map(id => anAttempt(id))
  const ended = ids.flatMap(id => attempted(id, { size: sizes[id] ?? 0 }))
  return afterEvents(aGroup(nodes, {}, { attempts: ids.length, judge }), ...ended)
}

/** The state after all events that need no step, and the nodes planned last. */
function settled(state: GroupState): { state: GroupState; nodes: GroupNode[] } {
  let now = state
  let nodes: GroupNode[] = []
  for (;;) {
    const next = decideGroup(now)
    if (next.do !== 'record') return { state: now, nodes }
    if (next.event.kind === 'nodes.planned') nodes = next.event.data.nodes
    now = afterEvents(now, next.event)
  }
}

function answered(id: string, better: Better): GroupEvent[] {
  const answer = JSON.stringify({ better, why, confidence: 80 })
  return [begun(id, `m-${id}`), over(id, { answer })]
}

function choiceIn({ nodes }: GroupState) {
  return nodes.find(({ node }) => node.id === 'choose')?.end?.choice
}

test('equal attempts are shown in both orders, without their names; unequal ones are not', () => {
  const { nodes } = settled(passed({ '1-direct': 5, '2-tests-first': 5, '3-simple': 9 }))
  assert.deepEqual(
    nodes.map(({ id }) => id),
    ['judge/1-direct/2-tests-first', 'judge/2-tests-first/1-direct'],
  )
  for (const node of nodes) {
    assert.deepEqual(nodeSchema.parse(node), node)
    assert.ok(node.kind === 'loop' && node.reads)
    assert.doesNotMatch(node.spec.prompt, /1-direct|tests-first|attempt/)
  }
  const [one, other] = nodes
  assert.ok(one?.kind === 'loop' && other?.kind === 'loop')
  assert.deepEqual(one.context, { results: ['1-direct', '2-tests-first'] })
  assert.deepEqual(other.context, { results: ['2-tests-first', '1-direct'] })
  assert.equal(one.spec.prompt, other.spec.prompt)
})

test('the judge is asked only if configured, and only for a tie', () => {
  for (const state of [passed({ a: 5, b: 5 }, false), passed({ a: 5, b: 6 }), passed({ a: 5 })]) {
    const { state: after } = settled(state)
    assert.equal(choiceIn(after)?.winner, 'a')
    assert.ok(after.nodes.every(({ node }) => !node.id.startsWith('judge/')))
  }
})

const rows: [what: string, ab: Better, ba: Better, winner: string, by: string | null, values: number[]][] = [
  ['both prefer the second', 'B', 'A', 'b', 'judge', [2, 0]],
  ['both prefer the first', 'A', 'B', 'a', 'judge', [2, 0]],
  ['each prefers what comes first', 'A', 'A', 'a', null, [1, 1]],
  ['one of them says tie', 'tie', 'A', 'a', null, [0, 1]],
  ['both say tie', 'tie', 'tie', 'a', null, [0, 0]],
]

test('two answers that agree decide, all else is a tie, and each answer is recorded', () => {
  for (const [what, ab, ba, winner, by, values] of rows) {
    const asked = settled(passed({ a: 5, b: 5 })).state
    const { state } = settled(afterEvents(asked, ...answered('judge/a/b', ab), ...answered('judge/b/a', ba)))
    const choice = choiceIn(state)
    assert.deepEqual([choice?.winner, choice?.by], [winner, by], what)
    assert.deepEqual(
      choice?.order.map(row => row.values['judge']),
      values,
      what,
    )
    assert.equal(choice?.order[0]?.node, winner, what)
  }
})

test('a question that was not answered says nothing, and one that rests is not waited for', () => {
  const asked = settled(passed({ a: 5, b: 5 })).state
  const failed = [
    begun('judge/a/b', 'm'),
    over('judge/a/b', { how: 'failed' }),
    ...answered('judge/b/a', 'A'),
  ]
  assert.deepEqual(choiceIn(settled(afterEvents(asked, ...failed)).state)?.by, null)
  const resting = afterEvents(asked, begun('judge/a/b', 'm'), rests('judge/a/b', 'agent-auth'))
  assert.deepEqual(decideGroup(resting), {
    do: 'record',
    event: { kind: 'node.dropped', data: { node: 'judge/a/b', facts: { kind: 'judge-rests' } } },
    steps: [{ kind: 'follow', member: 'm', node: 'judge/a/b', attempt: 1 }],
  })
})

test('of three the better of two meets the third', () => {
  const asked = settled(passed({ a: 5, b: 5, c: 5 })).state
  const second = settled(afterEvents(asked, ...answered('judge/a/b', 'B'), ...answered('judge/b/a', 'A')))
  assert.deepEqual(
    second.nodes.map(({ id }) => id),
    ['judge/b/c', 'judge/c/b'],
  )
  const { state } = settled(
    afterEvents(second.state, ...answered('judge/b/c', 'tie'), ...answered('judge/c/b', 'tie')),
  )
  assert.deepEqual([choiceIn(state)?.winner, choiceIn(state)?.by], ['b', 'judge'])
})

/** The ranking of results: the order of the criteria, ties, and missing values. Every value is recorded. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { rank } from '../../../../src/core/group/rank.ts'
import type { GroupEvent, NodeEnd } from '../../../../src/model/group/event.ts'
import type { NodeOf } from '../../../../src/model/group/node.ts'
import {
  aChoice,
  afterEvents,
  aGate,
  aGroup,
  aHook,
  aMeasure,
  anAttempt,
  attempted,
  over,
} from '../../../rig/given-group.ts'

type Values = Partial<Record<'metric' | 'lint' | 'types' | 'coverage' | 'votes', number | null>>
type Result = { id: string; end?: Partial<NodeEnd>; values?: Values }
type Better = Partial<Record<keyof Values, 'less' | 'more'>>

function chosen(results: Result[], better: Better = {}) {
  const measures = results.flatMap(({ id, values = {} }) =>
    Object.entries(values).map(([name, value]) => {
      const way = better[name as keyof Values] ?? (name === 'coverage' || name === 'votes' ? 'more' : 'less')
      const measure = { name: name as keyof Values, better: way } as const
      return { node: aMeasure(`${name}/${id}`, id, { measure }), value }
    }),
  )
  const ends = measures.map(({ node, value }): GroupEvent => over(node.id, { value }))
  const choice = aChoice(results.map(({ id }) => id))
  const nodes = [...results.map(({ id }) => anAttempt(id)), ...measures.map(({ node }) => node), choice]
  const tried = results.flatMap(({ id, end }) => attempted(id, { size: 10, ...end }))
  return rank(afterEvents(aGroup(nodes), ...tried, ...ends), choice)
}

const a = { id: 'a' }
const b = { id: 'b' }

/** In each row `a` is better than `b`, and `by` is the value that decides. */
const rows: [what: string, one: Omit<Result, 'id'>, other: Omit<Result, 'id'>, by: string][] = [
  [
    'the promise before all',
    { values: { metric: 9 } },
    { end: { how: 'failed' }, values: { metric: 1 } },
    'promise',
  ],
  [
    'no doubt before the metric',
    { values: { metric: 9 } },
    { end: { doubts: 1 }, values: { metric: 1 } },
    'doubts',
  ],
  [
    'the metric before lint',
    { values: { metric: 1, lint: 9 } },
    { values: { metric: 2, lint: 0 } },
    'metric',
  ],
  ['lint before types', { values: { lint: 1, types: 9 } }, { values: { lint: 2, types: 0 } }, 'lint'],
  [
    'types before coverage',
    { values: { types: 1, coverage: 0 } },
    { values: { types: 2, coverage: 9 } },
    'types',
  ],
  [
    'coverage before votes',
    { values: { coverage: 9, votes: 0 } },
    { values: { coverage: 8, votes: 1 } },
    'coverage',
  ],
  [
    'votes before lines',
    { values: { votes: 1 }, end: { size: 99 } },
    { values: { votes: 0 }, end: { size: 1 } },
    'votes',
  ],
  ['fewer lines', { end: { size: 1 } }, { end: { size: 2 } }, 'lines'],
  ['a value before none', { values: { metric: 99 } }, { values: { metric: null } }, 'metric'],
  ['a value before one that was never measured', { values: { lint: 99 } }, {}, 'lint'],
  ['zero is a value', { values: { lint: 0 } }, { values: { lint: null } }, 'lint'],
]

for (const [what, one, other, by] of rows) {
  test(what, () => {
    for (const pair of [
      [
        { ...a, ...one },
        { ...b, ...other },
      ],
      [
        { ...b, ...other },
        { ...a, ...one },
      ],
    ]) {
      const { winner, by: told, order } = chosen(pair)
      assert.deepEqual([winner, told, order.map(({ node }) => node)], ['a', by, ['a', 'b']])
    }
  })
}

test('a metric says itself which way is better', () => {
  const pair = [
    { ...a, values: { metric: 2 } },
    { ...b, values: { metric: 1 } },
  ]
  assert.equal(chosen(pair, { metric: 'more' }).winner, 'a')
  assert.equal(chosen(pair, { metric: 'less' }).winner, 'b')
})

test('of equals the one that was planned first wins, and no value is named as the reason', () => {
  const { winner, by } = chosen([a, b, { id: 'c' }])
  assert.deepEqual([winner, by], ['a', null])
})

test('a single result needs no value to decide', () => {
  assert.deepEqual([chosen([a]).winner, chosen([a]).by], ['a', null])
})

test('nobody wins where nobody passed', () => {
  const { winner, by, order } = chosen([
    { ...a, end: { how: 'failed' } },
    { ...b, end: { how: 'crashed' } },
  ])
  assert.deepEqual([winner, by, order.length], [null, null, 2])
})

test('every value that was looked at is recorded, also of those that lost', () => {
  const { order } = chosen([
    { ...a, values: { metric: 3, coverage: null } },
    { ...b, end: { how: 'failed', doubts: 2, size: 7 }, values: { votes: 1 } },
  ])
  assert.deepEqual(order, [
    { node: 'a', passed: true, values: { doubts: 0, metric: 3, coverage: null, lines: 10 } },
    { node: 'b', passed: false, values: { doubts: 2, votes: 1, lines: 7 } },
  ])
})

test('votes of several writers are added', () => {
  const vote = (of: string, writer: string): NodeOf<'command'> =>
    aMeasure(`votes/${of}/${writer}`, of, { measure: { name: 'votes', better: 'more' } })
  const choice = aChoice(['a', 'b', 'c'])
  const votes: [NodeOf<'command'>, number | null][] = [
    [vote('a', 'b'), 1],
    [vote('a', 'c'), 0],
    [vote('b', 'a'), 1],
    [vote('b', 'c'), 1],
    [vote('c', 'a'), null],
  ]
  const nodes = [anAttempt('a'), anAttempt('b'), anAttempt('c'), ...votes.map(([node]) => node), choice]
  const tried = ['a', 'b', 'c'].flatMap(id => attempted(id))
  const state = afterEvents(aGroup(nodes), ...tried, ...votes.map(([{ id }, value]) => over(id, { value })))
  const { winner, order } = rank(state, choice)
  assert.equal(winner, 'b')
  assert.deepEqual(
    order.map(({ node, values }) => [node, values['votes']]),
    [
      ['b', 2],
      ['a', 1],
      ['c', 0],
    ],
  )
})

test('a person chooses what they like', () => {
  const choice = aChoice(['a', 'b'], { by: 'pick' })
  const tried = [...attempted('a'), ...attempted('b', { size: 99 })]
  const answered = (answer: string) =>
    rank(
      afterEvents(
        aGroup([anAttempt('a'), anAttempt('b'), aGate('pick'), choice]),
        ...tried,
        over('pick', { answer }),
      ),
      choice,
    )
  assert.deepEqual([answered('b').winner, answered('b').by], ['b', 'a person'])
  assert.deepEqual([answered('none').winner, answered('none').by], [null, null])
})

test('the order is the same in whichever order the attempts are given', () => {
  const value = fc.constantFrom(null, 0, 1, 2)
  const result = fc.record({
    how: fc.constantFrom('completed', 'completed', 'failed'),
    doubts: fc.nat(1),
    size: fc.nat(3),
    metric: value,
    lint: value,
    coverage: value,
  })
  fc.assert(
    fc.property(fc.array(result, { minLength: 2, maxLength: 6 }), fc.nat(), (all, turn) => {
      const named = all.map(({ metric, lint, coverage, ...end }, i): Result => {
        return { id: `n${i}`, end: end as Partial<NodeEnd>, values: { metric, lint, coverage } }
      })
      const at = turn % named.length
      const [one, other] = [named, [...named.slice(at), ...named.slice(0, at)]].map(some => chosen(some))
      const key = (row: { passed: boolean; values: object }) => JSON.stringify([row.passed, row.values])
      assert.deepEqual(one?.order.map(key), other?.order.map(key))
    }),
  )
})

const looked = (of: string, is: 'sound' | 'mixed' | 'not-checkable' | 'suspect') => ({
  node: aHook(`look/${of}`, { purpose: 'look', of, needs: [of] }),
  end: over(`look/${of}`, { how: is === 'suspect' ? 'failed' : 'completed', looked: { is, files: ['t'] } }),
})

test('a second look: a suspect result has not passed, and a doubtful one is worse than a clear one', () => {
  const among = ['a', 'b']
  const rankedAfter = (look: ReturnType<typeof looked>) => {
    const nodes = [...among.map(id => anAttempt(id)), look.node, aChoice(among)]
    const tried = [...attempted('a', { size: 1 }), ...attempted('b', { size: 9 })]
    return rank(afterEvents(aGroup(nodes), ...tried, look.end), aChoice(among))
  }
  const { winner, by, order } = rankedAfter(looked('a', 'suspect'))
  assert.deepEqual([winner, by], ['b', 'promise'])
  assert.deepEqual(order[1], { node: 'a', passed: false, values: { doubts: 1, suspect: 1, lines: 1 } })
  assert.deepEqual(rankedAfter(looked('a', 'mixed')).winner, 'b')
  assert.deepEqual(rankedAfter(looked('a', 'not-checkable')).winner, 'b')
  assert.deepEqual(rankedAfter(looked('a', 'sound')).winner, 'a')
})

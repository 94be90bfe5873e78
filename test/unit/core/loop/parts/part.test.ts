/**
 * The parts of a state, each by itself: total, changed only by the kinds of events it declares, and sharing nothing.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { evolve } from '../../../../../src/core/loop/evolve.ts'
import { costPart } from '../../../../../src/core/loop/parts/cost.ts'
import { humanPart } from '../../../../../src/core/loop/parts/human.ts'
import { judgedPart } from '../../../../../src/core/loop/parts/judged.ts'
import { limitsPart } from '../../../../../src/core/loop/parts/limits.ts'
import { specPart } from '../../../../../src/core/loop/parts/spec.ts'
import { treePart } from '../../../../../src/core/loop/parts/tree.ts'
import { turnPart } from '../../../../../src/core/loop/parts/turn.ts'
import { workPart } from '../../../../../src/core/loop/parts/work.ts'
import type { State } from '../../../../../src/core/loop/state.ts'
import type { Event, Recorded } from '../../../../../src/model/loop/event.ts'
import { samples } from '../../../../rig/event-samples.ts'
import {
  after,
  aSpec,
  at,
  cleared,
  created,
  ended,
  held,
  recorded,
  stages,
  taken,
  verified,
  wholeIteration,
} from '../../../../rig/given.ts'

const parts = {
  spec: specPart,
  work: workPart,
  tree: treePart,
  judged: judgedPart,
  human: humanPart,
  limits: limitsPart,
  turn: turnPart,
  cost: costPart,
}
const names = Object.keys(parts) as (keyof typeof parts)[]

const pool = samples.map(sample => recorded(sample))
const journal = fc.array(fc.constantFrom(...pool), { maxLength: 30, size: 'max' })

/** Random events in any order, each with the state before it. */
function walk(events: Recorded[], look: (before: State, event: Recorded, now: State) => void): void {
  let state = created()
  for (const picked of events) {
    const event = { ...picked, seq: state.seq + 1 }
    const now = evolve(state, event)
    look(state, event, now)
    state = now
  }
}

test('by a kind of event that a part does not declare it stays the same object', () => {
  fc.assert(
    fc.property(journal, events =>
      walk(events, (before, event, now) => {
        for (const name of names.filter(one => !Object.hasOwn(parts[one].on, event.kind)))
          assert.equal(now[name], before[name], `${name} after ${event.kind}`)
      }),
    ),
    { numRuns: 1_000 },
  )
})

test('a part declares no kind of event that never changes it', () => {
  const accepted = recorded(taken('iter-000-accepted'))
  const late = after(at('running'), ended(1, { how: 'timeout' }), cleared(1))
  const states = [late, ...stages.flatMap(stage => [at(stage), after(at(stage), held())])]
  for (const name of names) {
    const changing = [...pool, accepted, recorded(held('advice-wanted'))].filter(event =>
      states.some(state => evolve(state, event)[name] !== state[name]),
    )
    assert.deepEqual(new Set(changing.map(({ kind }) => kind)), new Set(Object.keys(parts[name].on)), name)
  }
})

test('a part is total, and looks only at the state before: whatever the others make of the event', () => {
  fc.assert(
    fc.property(journal, events =>
      walk(events, (before, event, now) => {
        const frozen = deepFreeze(structuredClone(before))
        const alone = {
          spec: specPart.evolve(frozen.spec, event, frozen),
          work: workPart.evolve(frozen.work, event, frozen),
          tree: treePart.evolve(frozen.tree, event, frozen),
          judged: judgedPart.evolve(frozen.judged, event, frozen),
          human: humanPart.evolve(frozen.human, event, frozen),
          limits: limitsPart.evolve(frozen.limits, event, frozen),
          turn: turnPart.evolve(frozen.turn, event, frozen),
          cost: costPart.evolve(frozen.cost, event, frozen),
        }
        for (const name of names) assert.deepEqual(alone[name], now[name], `${name} after ${event.kind}`)
      }),
    ),
    { numRuns: 200 },
  )
})

test('a field belongs to one part, and an event never adds one', () => {
  const fields = names.flatMap(name => (name === 'spec' ? [] : Object.keys(parts[name].begin(aSpec()))))
  assert.equal(new Set(fields).size, fields.length)
  fc.assert(
    fc.property(journal, events =>
      walk(events, (_, event, now) => {
        for (const name of names.filter(one => one !== 'spec'))
          assert.deepEqual(Object.keys(now[name]), Object.keys(parts[name].begin(aSpec())), event.kind)
      }),
    ),
  )
})

test('a kind that no version has known changes nothing, whatever it is called', () => {
  for (const kind of ['constructor', 'toString', '__proto__', 'loop.danced']) {
    const event = { ...pool[0], kind } as unknown as Recorded
    const before = created()
    const now = evolve(before, event)
    assert.equal(now.unknown, kind)
    for (const name of names) assert.equal(now[name], before[name])
  }
})

function deepFreeze<T>(value: T): T {
  if (value !== null && typeof value === 'object') Object.values(Object.freeze(value)).forEach(deepFreeze)
  return value
}

test('resumed with advice: no person has looked at it, so no count starts again and no change is accepted', () => {
  const error = { output: { path: 'x', bytes: 9, tail: 'Error: no' } }
  const twice = after(
    created({ counsel: true, protect: ['*.test.js'] }),
    verified(0, error),
    taken('initial'),
    ...wholeIteration(1, error),
    ...wholeIteration(2, error),
  )
  const rests = { ...twice, tree: { ...twice.tree, touched: ['cart.test.js'], reference: 'initial' } }
  const resumed: Event = { kind: 'loop.resumed', data: {} }
  const advised = after(rests, held('advice-wanted'), resumed)
  const byPerson = after(rests, held('protected-changed'), resumed)
  const facts = ({ judged, tree, turn, trust }: State) => [
    judged.unmetInRow,
    judged.sameErrorInRow,
    tree.touched,
    tree.reference,
    tree.left,
    trust,
    turn.hold,
  ]
  assert.deepEqual(facts(advised), facts(rests))
  assert.deepEqual(facts(byPerson).slice(0, 4), [0, 0, [], null])
})

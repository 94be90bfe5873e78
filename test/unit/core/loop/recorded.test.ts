/**
 * Journals that version 0.1.0 folded (scripts/record-folds): random events in any order, with its summary after each.
 * This version folds them to the same summaries, so that a journal keeps its meaning.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { begin, evolve } from '../../../../src/core/loop/evolve.ts'
import type { State } from '../../../../src/core/loop/state.ts'
import { type Summary, summarize } from '../../../../src/core/loop/summary.ts'
import { event } from '../../../../src/model/loop/event.ts'
import { recordedFolds } from '../../../rig/recorded-folds.ts'

const journals = recordedFolds()

/** Fields with other rules or words since then (docs/decisions/0020); every other field is unchanged. */
const recounted = ['stuck', 'agentErrors']
const reworded = ['agent-errors', 'iteration-limit', 'stuck', 'no-change']

function asBefore(summary: Summary): Summary {
  const breakers = summary.breakers.map(breaker =>
    recounted.includes(breaker.name) ? { ...breaker, count: null } : breaker,
  )
  const isReworded = reworded.includes(summary.reason ?? '') || summary.waitFor === 'agent-back-off'
  return { ...summary, breakers, ...(isReworded && { detail: '' }) }
}

const stuckIn = ({ breakers }: Summary) => breakers.find(({ name }) => name === 'stuck')?.count ?? 0

/** Kinds of events that are newer than the recordings. */
const since: string[] = [
  'hook.started',
  'hook.cancelled',
  'hook.ended',
  'look.taken',
  'suspicion.raised',
  'holdout.judged',
  'tree.compared',
]

test('the recorded journals hold every kind of event that there was', () => {
  const kinds = event.options.map(option => option.shape.kind.value).filter(kind => !since.includes(kind))
  const recorded = new Set(journals.flatMap(({ events }) => events.map(({ kind }) => kind)))
  assert.deepEqual(new Set<string>(kinds), recorded)
})

test('after every event of a recorded journal the summary is the recorded one', () => {
  for (const [n, { events, summaries }] of journals.entries()) {
    assert.equal(events.length, summaries.length)
    let state: State | null = null
    for (const [i, next] of events.entries()) {
      state = state ? evolve(state, next) : begin(next)
      const then = summaries[i]
      assert.ok(then)
      const now = JSON.parse(JSON.stringify(asBefore(summarize(state))))
      // Other fields of a summary are newer than the recordings.
      const known = Object.fromEntries(Object.keys(then).map(name => [name, now[name]]))
      const where = `journal ${n}, event ${i + 1}: ${next.kind}`
      assert.deepEqual(known, asBefore(then), where)
      assert.ok(stuckIn(summarize(state)) <= stuckIn(then), `${where}: nothing is stuck sooner than it was`)
    }
  }
})

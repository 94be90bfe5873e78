/**
 * Journals that version 0.1.0 has folded (scripts/record-folds): any events in any order, with its summary after
 * every one. This version folds them to the same summaries, so that a journal means today what it meant then.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { begin, evolve } from '../../../../src/core/loop/evolve.ts'
import type { State } from '../../../../src/core/loop/state.ts'
import { summarize } from '../../../../src/core/loop/summary.ts'
import { event } from '../../../../src/model/loop/event.ts'
import { recordedFolds } from '../../../rig/recorded-folds.ts'

const journals = recordedFolds()

test('the recorded journals hold every kind of event', () => {
  const kinds = event.options.map(option => option.shape.kind.value)
  const recorded = new Set(journals.flatMap(({ events }) => events.map(({ kind }) => kind)))
  assert.deepEqual(new Set(kinds), recorded)
})

test('after every event of a recorded journal the summary is the recorded one', () => {
  for (const [n, { events, summaries }] of journals.entries()) {
    assert.equal(events.length, summaries.length)
    let state: State | null = null
    for (const [i, next] of events.entries()) {
      state = state ? evolve(state, next) : begin(next)
      const then = summaries[i]
      assert.ok(then)
      const now = JSON.parse(JSON.stringify(summarize(state)))
      // What a summary says besides is new since then.
      const known = Object.fromEntries(Object.keys(then).map(name => [name, now[name]]))
      assert.deepEqual(known, then, `journal ${n}, event ${i + 1}: ${next.kind}`)
    }
  }
})

/**
 * Loops that need a person, as a table: each row is a summary that differs in one field from a loop that needs nobody.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attentionOf, newsMs, sectionOf } from '../../../src/core/attention.ts'
import type { LoopSummary as Summary } from '../../../src/core/loop/summary.ts'
import { summarize } from '../../../src/core/loop/summary.ts'
import { at } from '../../rig/given.ts'

const now = 10_000_000_000
const quiet: Summary = { ...summarize(at('running')), budgetUsd: 10, costUsd: 7.9 }
const fresh = { endedAt: now - newsMs + 1 }
const old = { endedAt: now - newsMs }
const doubts = [{ kind: 'tests-changed' }] as unknown as NonNullable<Summary['doubts']>

test('a loop that needs a person has a reason, and the section of that reason', () => {
  const rows: [Partial<Summary>, string | null, string][] = [
    [{}, null, 'running'],
    [{ status: 'queued' }, null, 'queued'],
    [{ status: 'waiting', question: 'is it nice?' }, 'question', 'attention'],
    [{ status: 'waiting', question: null }, null, 'running'],
    [{ status: 'paused', reason: 'paused-by-user' }, null, 'paused'],
    [{ status: 'paused', reason: 'paused-by-group' }, null, 'paused'],
    [{ status: 'paused', reason: 'must-not' }, 'paused', 'attention'],
    [{ status: 'failed', ...fresh }, 'failed', 'attention'],
    [{ status: 'failed', ...old }, null, 'done'],
    [{ status: 'crashed', ...fresh }, 'crashed', 'attention'],
    [{ status: 'cancelled', ...fresh }, null, 'done'],
    [{ status: 'completed', ...fresh }, null, 'done'],
    [{ status: 'completed', ...fresh, doubts }, 'suspect', 'attention'],
    [{ status: 'completed', ...old, doubts }, null, 'done'],
    [{ costUsd: 8 }, 'budget', 'attention'],
    [{ costUsd: 8, budgetUsd: null }, null, 'running'],
    [{ status: 'completed', costUsd: 10, ...fresh }, null, 'done'],
  ]
  for (const [given, attention, section] of rows) {
    const summary = { ...quiet, ...given }
    const found = attentionOf(summary, false, now)
    assert.deepEqual([found, sectionOf(summary.status, found)], [attention, section], JSON.stringify(given))
  }
  assert.equal(attentionOf(quiet, true, now), 'orphaned')
})

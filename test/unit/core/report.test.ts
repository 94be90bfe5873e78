/** The report over all loops: which wait, which failed, the cost; from journals made by the real fold. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { creation } from '../../../src/core/loop/assess/assess.ts'
import { begin, evolve } from '../../../src/core/loop/evolve.ts'
import { summarize } from '../../../src/core/loop/summary.ts'
import { type ReportedLoop, recentIn, reportOf } from '../../../src/core/report.ts'
import type { Event, Recorded } from '../../../src/model/loop/event.ts'
import type { Spec } from '../../../src/model/loop/spec.ts'
import {
  aSpec,
  completed,
  ended,
  failed,
  held,
  lost,
  pass,
  recorded,
  started,
  taken,
  verified,
  wholeIteration,
} from '../../rig/given.ts'

const hour = 3_600_000
/** A time of day at which half an hour before is the same day, in every time zone. */
const until = new Date(2026, 10, 17, 9).getTime()
const since = until - 12 * hour

/** A loop; each event has the number of hours before the report. */
function loop(id: string, events: [hoursAgo: number, Event][], spec: Partial<Spec> = {}) {
  const first: Event = creation(aSpec(spec))
  const all: [number, Event][] = [[events[0]?.[0] ?? 1, first], ...events]
  const journal = all.map(([ago, event], i) =>
    recorded(event, { seq: i + 1, at: until - ago * hour, loop: id } as Partial<Recorded>),
  )
  const [created, ...rest] = journal
  assert.ok(created)
  const summary = summarize(rest.reduce(evolve, begin(created)))
  return { summary, orphaned: false, recent: recentIn(journal, since) }
}

const at = (ago: number, ...events: Event[]) => events.map((event): [number, Event] => [ago, event])
const ids = (loops: ReportedLoop[]) => loops.map(({ summary }) => summary.id)

test('each loop is where a person would look for it, and what ended before that is not there', () => {
  const question: Event = { kind: 'question.asked', data: { criterion: 'is it nice?' } }
  const report = reportOf(
    [
      loop('asking', at(2, verified(0, pass), question)),
      loop('paused', at(3, verified(0), taken('initial'), held())),
      loop('longer', [...at(30, verified(0), taken('initial')), ...at(20, held())]),
      { ...loop('orphan', at(4, verified(0))), orphaned: true },
      loop('failed', at(2, verified(0), failed)),
      loop('runs11', at(1, verified(0))),
      loop('done11', [...at(40, verified(0)), ...at(1, ...wholeIteration(1, pass), completed)]),
      loop('before', at(13, verified(0, pass), completed)),
    ],
    { since, until },
  )
  assert.deepEqual(ids(report.waiting), ['asking', 'paused', 'orphan'])
  assert.deepEqual(report.waitingLonger, ['longer'])
  assert.deepEqual(ids(report.failed), ['failed'])
  assert.deepEqual(ids(report.running), ['runs11'])
  assert.deepEqual(ids(report.done), ['done11'])
  assert.deepEqual(ids(report.cancelled), [])
  assert.deepEqual(report.cost.total, { costUsd: null, costEstimated: false, costIncomplete: true, runs: 1 })
})

test('what was spent since then is summed by day, by the agent that ran, and by project', () => {
  const run = (n: number, costUsd: number, estimated = false) => [
    started(n),
    ended(n, { costUsd, estimated }),
  ]
  const codex: Event = {
    kind: 'run.started',
    data: { ...(started(3) as { data: object }).data, agent: 'codex' } as never,
  }
  const loops = [
    loop(
      'first1',
      [
        ...at(13, ...run(1, 100)),
        ...at(11, ...run(2, 1)),
        ...at(1, codex, ended(3, { costUsd: 0.25, estimated: true })),
      ],
      {
        agent: 'claude',
        cwd: '/shop',
      },
    ),
    loop('second', [...at(10, ...run(1, 4)), ...at(2, ...run(2, 8))], { agent: 'claude', cwd: '/api' }),
  ]
  const { cost, running } = reportOf(loops, { since, until })
  const plain = { costEstimated: false, costIncomplete: false }
  const rough = { costEstimated: true, costIncomplete: false }
  assert.deepEqual(cost.total, { costUsd: 13.25, runs: 4, ...rough })
  assert.deepEqual(cost.byDay, [
    { of: '2026-11-16', spent: { costUsd: 5, runs: 2, ...plain } },
    { of: '2026-11-17', spent: { costUsd: 8.25, runs: 2, ...rough } },
  ])
  assert.deepEqual(cost.byAgent, [
    { of: 'claude', spent: { costUsd: 13, runs: 3, ...plain } },
    { of: 'codex', spent: { costUsd: 0.25, runs: 1, ...rough } },
  ])
  assert.deepEqual(cost.byProject, [
    { of: '/api', spent: { costUsd: 12, runs: 2, ...plain } },
    { of: '/shop', spent: { costUsd: 1.25, runs: 2, ...rough } },
  ])
  assert.deepEqual(
    running.map(({ spent }) => spent.costUsd),
    [1.25, 12],
    'not what it cost before that',
  )
})

test('a run that did not say its cost makes every sum it is in incomplete, and no other', () => {
  const rows: [Event, incomplete: boolean][] = [
    [ended(2, { costUsd: null }), true],
    [ended(2, { costUsd: null, how: 'timeout' }), true],
    [lost(2), true],
    [ended(2, { costUsd: null, how: 'unstartable' }), false],
    [ended(2, { costUsd: 0 }), false],
  ]
  for (const [end, incomplete] of rows) {
    const doubtful = loop('doubts', at(1, started(1), ended(1, { costUsd: 2 }), started(2), end), {
      cwd: '/a',
    })
    const sure = loop('sure11', at(1, started(1), ended(1, { costUsd: 3 })), { cwd: '/b' })
    const { total, byProject } = reportOf([doubtful, sure], { since, until }).cost
    assert.deepEqual(
      total,
      { costUsd: 5, costEstimated: false, costIncomplete: incomplete, runs: 3 },
      JSON.stringify(end),
    )
    assert.deepEqual(
      byProject.map(({ of, spent }) => [of, spent.costUsd, spent.costIncomplete]),
      [
        ['/b', 3, false],
        ['/a', 2, incomplete],
      ],
    )
  }
})

test('what an agent changed counts each file once, and says where there may be more', () => {
  const change = (n: number, files: number, paths: string[]) =>
    taken(`iter-00${n}-after`, { changes: { added: 3, removed: 1, files }, paths })
  const worked = (...events: Event[]) => loop('works1', at(1, ...events)).recent.worked
  assert.deepEqual(worked(change(1, 2, ['a', 'b']), change(2, 2, ['b', 'c'])), {
    added: 6,
    removed: 2,
    files: 3,
    atLeast: false,
  })
  assert.deepEqual(worked(change(1, 50, ['a', 'b']), change(2, 1, ['c'])), {
    added: 6,
    removed: 2,
    files: 50,
    atLeast: true,
  })
  assert.equal(
    worked(taken('iter-001', { changes: { added: 9, removed: 9, files: 9 } })),
    null,
    'not the agent',
  )
  assert.equal(loop('old111', at(13, change(1, 1, ['a']))).recent.worked, null, 'before that')
})

/**
 * `node scripts/record-folds.ts <recorded store> <file>`: what the rules of this version make of random journals,
 * for later versions to compare themselves with (test/unit/core/loop/recorded.test.ts). `evolve` is total, so a
 * journal may be any events in any order: they are drawn from those of the recorded store and from the rarer ones
 * below. Of each journal the summary after every event is kept. Run once for each release, before its tag.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync, gzipSync } from 'node:zlib'
import { begin, evolve } from '../src/core/loop/evolve.ts'
import { summarize } from '../src/core/loop/summary.ts'
import { type Event, event as eventSchema, type Recorded } from '../src/model/loop/event.ts'
import { eventVersion } from '../src/model/version.ts'
import { seeded } from '../test/rig/seeded.ts'

const journals = 150
const mostEvents = 30

const none = { path: 'x', bytes: 0, tail: '' }
const ended = {
  run: 1,
  how: 'exited',
  exitCode: 1,
  durationMs: 7,
  out: none,
  err: none,
  costUsd: 0.5,
} as const
const result = { name: 'c', command: 'c', why: 'exit 1', exitCode: 1, durationMs: 3, output: none } as const

const rare: Event[] = [
  { kind: 'run.ended', data: { ...ended, limit: { until: 5_000, why: 'full' } } },
  { kind: 'run.ended', data: { ...ended, limit: { until: null, why: 'full' }, costUsd: null } },
  { kind: 'run.ended', data: { ...ended, auth: 'no key' } },
  { kind: 'run.ended', data: { ...ended, question: 'which?' } },
  { kind: 'run.ended', data: { ...ended, failed: 'it says so', estimated: true } },
  { kind: 'run.ended', data: { ...ended, how: 'timeout', exitCode: null } },
  { kind: 'run.ended', data: { ...ended, edited: { path: 'a', times: 7 }, usageProblem: 'not JSON' } },
  { kind: 'run.ended', data: { ...ended, session: { id: 's', tokens: null, costUsd: 1 } } },
  { kind: 'run.lost', data: { run: 1, why: 'reboot', out: none, err: none } },
  { kind: 'run.survived', data: { run: 1, alive: [{ pid: 7, command: 'sleep' }] } },
  { kind: 'agent.switched', data: { to: 'claude', why: 'usage limit' } },
  { kind: 'session.claimed', data: { session: 's' } },
  { kind: 'step.failed', data: { step: 'checkpoint', why: 'disk full' } },
  { kind: 'wait.started', data: { for: 'usage-limit', until: 9_000 } },
  { kind: 'wait.ended', data: {} },
  { kind: 'loop.held', data: { reason: 'must-not' } },
  { kind: 'loop.held', data: { reason: 'protected-changed' } },
  { kind: 'loop.held', data: { reason: 'thrashing' } },
  { kind: 'loop.held', data: { reason: 'agent-auth' } },
  { kind: 'loop.held', data: { reason: 'survivors' } },
  { kind: 'loop.queued', data: { priority: 'high' } },
  { kind: 'loop.queued', data: { priority: 'low', restart: true } },
  { kind: 'loop.dequeued', data: {} },
  { kind: 'loop.resumed', data: { maxIterations: 7, attended: true } },
  { kind: 'loop.resumed', data: { budgetUsd: null, stays: true } },
  { kind: 'question.asked', data: { criterion: 'looks right' } },
  { kind: 'question.asked', data: { criterion: 'which?', agent: true } },
  { kind: 'question.answered', data: { criterion: 'looks right', met: true, by: 'me', text: '' } },
  { kind: 'question.answered', data: { criterion: 'looks right', met: false, by: 'me', text: 'no' } },
  { kind: 'question.answered', data: { criterion: 'which?', met: false, by: 'me', text: 'b', agent: true } },
  { kind: 'checkpoint.requested', data: { name: 'mine' } },
  { kind: 'checkpoint.failed', data: { name: 'mine', why: 'disk full' } },
  { kind: 'context.injected', data: { text: 'mind the gap' } },
  { kind: 'criterion.reported', data: { criterion: 'c', met: true, evidence: 'I looked' } },
  { kind: 'rollback.requested', data: { to: 'initial', tree: 't', keepAs: 'before-rollback-1' } },
  { kind: 'rollback.failed', data: { to: 'initial', why: 'disk full' } },
  { kind: 'cancel.requested', data: {} },
  { kind: 'command.refused', data: { command: 'pause', why: 'it has ended' } },
  { kind: 'loop.completed', data: {} },
  { kind: 'loop.cancelled', data: {} },
  { kind: 'loop.failed', data: { reason: 'promise-unrunnable' } },
  { kind: 'promise.verified', data: { iteration: 1, results: [{ ...result, verdict: 'FAIL', failing: 3 }] } },
  { kind: 'promise.verified', data: { iteration: 1, results: [{ ...result, verdict: 'FAIL', failing: 1 }] } },
  {
    kind: 'promise.verified',
    data: { iteration: 2, results: [{ ...result, verdict: 'ERROR', failing: null }] },
  },
  {
    kind: 'promise.verified',
    data: {
      iteration: 2,
      results: [{ ...result, verdict: 'PASS', failing: null, exitCode: 0 }],
      mustNot: [{ ...result, verdict: 'PASS', failing: null }],
    },
  },
]

const [recorded, out] = process.argv.slice(2)
if (!recorded || !out)
  throw new Error('Say which store and where to: record-folds.ts <loop.db.gz> <file.json.gz>')
const { created, others } = poolOf(recorded)
const told = Array.from({ length: journals }, (_, i) => journal(seeded(i)))
writeFileSync(out, gzipSync(JSON.stringify(told), { level: 9 }))

/** Each event once, whatever its numbers are; the beginnings apart. */
function poolOf(file: string): { created: Event[]; others: Event[] } {
  const copy = join(tmpdir(), `loop-folds-${process.pid}.db`)
  writeFileSync(copy, gunzipSync(readFileSync(file)))
  const rows = new DatabaseSync(copy, { readOnly: true })
    .prepare('select distinct kind, data from events group by kind, length(data)')
    .all()
  const all = rows.map(row => eventSchema.parse({ kind: row['kind'], data: JSON.parse(String(row['data'])) }))
  const isFirst = ({ kind }: Event) => kind === 'loop.created'
  return { created: all.filter(isFirst), others: [...all.filter(event => !isFirst(event)), ...rare] }
}

function journal(random: () => number) {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T
  let at = 1_000
  let epoch = 1
  const record = (body: Event, seq: number): Recorded => {
    at += Math.floor(random() * 2_000) - 100
    if (random() < 0.1) epoch += 1
    return { ...body, v: eventVersion, seq, at, loop: 'abcdef', epoch, cause: null }
  }
  const first = record(pick(created), 1)
  let state = begin(first)
  const events = [first]
  const summaries = [summarize(state)]
  for (let seq = 2; seq <= mostEvents; seq += 1) {
    const event = record(pick(others), seq)
    state = evolve(state, event)
    events.push(event)
    summaries.push(summarize(state))
  }
  return { events, summaries }
}

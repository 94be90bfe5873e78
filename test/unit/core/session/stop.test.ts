/** The rules by which a session may stop, as a table: each row changes one thing about a loop under way. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseStateFile, type StateFile } from '../../../../src/core/session/state-file.ts'
import {
  type Because,
  counted,
  decideStop,
  noBlocks,
  type SessionLoop,
  type Situation,
  unmetOf,
} from '../../../../src/core/session/stop.ts'
import {
  currentTask,
  parseTask,
  parseWorkflow,
  type SessionTask,
} from '../../../../src/core/session/tasks.ts'

const loop: SessionLoop = {
  tree: '/tree',
  session: 's1',
  id: 'abc123',
  spec: 'mend it',
  criteria: [
    { name: 'unit', command: 'npm test' },
    { name: 'lint', command: 'npm run lint' },
  ],
  status: 'in_progress',
  maxIterations: 10,
  budgetUsd: 25,
  run: null,
  told: [],
}

function file(document: Record<string, unknown>): StateFile {
  const open = { criteriaStatus: { unit: false, lint: false }, exit_signal: false, status: 'in_progress' }
  const parsed = parseStateFile(JSON.stringify({ ...open, ...document }))
  assert.ok(parsed)
  return parsed
}

const all = { criteriaStatus: { unit: true, lint: true }, exit_signal: true }

function situation(changes: Partial<Situation>): Situation {
  return {
    session: 's1',
    again: false,
    subagents: false,
    loop,
    counter: noBlocks,
    file: file({}),
    workflow: null,
    tasks: [],
    costUsd: null,
    cap: 8,
    ...changes,
  }
}

const task = (id: string, status: SessionTask['status'], blockedBy: string[] = []): SessionTask => {
  const parsed = parseTask({ id, subject: `task ${id}`, description: 'do it', status, blocks: [], blockedBy })
  assert.ok(parsed)
  return parsed
}

/** After this many blocks without any change in between. */
function idle(blocks: number, changes: Partial<Situation> = {}): Situation {
  let now = situation({ again: true, ...changes })
  for (let i = 0; i < blocks; i += 1) now = { ...now, counter: counted(now) }
  return { ...now, loop: { ...loop, maxIterations: null } }
}

type Row = [name: string, changes: Situation | Partial<Situation>, expected: string]

const stage = (name: string) => parseWorkflow(JSON.stringify({ stage: name, task: 'build it' }))

const rows: Row[] = [
  // 1. no state
  ['nothing here', { loop: null, file: null }, 'allow 1 no-loop'],
  ['the state of a loop that loop drives', { loop: null, file: file({ driver: 'loop' }) }, 'allow 1 no-loop'],
  ['a file that cannot be read, of nobody', { loop: null, file: 'broken' }, 'allow 1 unreadable'],
  ['a workflow that is complete', { loop: null, file: null, workflow: stage('complete') }, 'allow 1 no-loop'],
  ['tasks without a loop', { loop: null, file: null, tasks: [task('1', 'pending')] }, 'allow 1 no-loop'],
  // 2. another session
  ['another session', { session: 's2' }, 'allow 2 other-session'],
  ['another session, with all claimed', { session: 's2', file: file(all) }, 'allow 2 other-session'],
  ['nobody yet', { loop: { ...loop, session: null } }, 'block 7 unmet'],
  ['subagents at work', { subagents: true }, 'allow 2 subagents'],
  // 3. over
  ['paused by the journal', { loop: { ...loop, status: 'paused' } }, 'allow 3 over'],
  ['failed by the journal', { loop: { ...loop, status: 'failed' }, file: file(all) }, 'allow 3 over'],
  ['cancelled by a word', { file: file({ status: 'cancelled' }) }, 'end 3 session-ended said-over'],
  ['paused by a word', { file: file({ status: 'paused' }) }, 'end 3 session-ended said-over'],
  [
    'completed by a word, open claims',
    { file: file({ status: 'completed' }) },
    'end 3 session-ended said-over',
  ],
  [
    'completed by a word, all claimed',
    { file: file({ ...all, status: 'completed' }) },
    'verify 3 session-ended',
  ],
  ['a hand-written file that is over', { loop: null, file: file({ status: 'completed' }) }, 'allow 3 over'],
  // 4. limits
  [
    'stuck by its own count',
    { file: file({ circuitBreaker: { stuckCount: 5 } }) },
    'end 4 session-says-stuck stuck-count',
  ],
  ['nearly stuck', { file: file({ circuitBreaker: { stuckCount: 4 } }) }, 'block 7 unmet'],
  ['seven blocks in a row, nothing changed', idle(7), 'block 7 unmet'],
  ['eight blocks in a row, nothing changed', idle(8), 'end 4 session-stuck cap'],
  ['eight, then a word of its user', { ...idle(8), again: false }, 'block 7 unmet'],
  ['eight, then progress', { ...idle(8), file: file({ iteration: 1 }) }, 'block 7 unmet'],
  ['ten blocks', { counter: { ...noBlocks, blocks: 10 } }, 'end 4 session-limit iterations'],
  [
    'ten blocks, and all claimed',
    { counter: { ...noBlocks, blocks: 10 }, file: file(all) },
    'verify 4 session-limit',
  ],
  ['its own count above the limit', { file: file({ iteration: 11 }) }, 'end 4 session-limit iterations'],
  ['the budget spent', { costUsd: 25 }, 'end 4 budget-reached budget'],
  [
    'a limit before open tasks',
    { costUsd: 25, tasks: [task('1', 'pending')] },
    'end 4 budget-reached budget',
  ],
  // 5. tasks
  ['a task pending', { tasks: [task('1', 'completed'), task('2', 'pending')] }, 'block 5 tasks'],
  ['a task begun, all claimed', { file: file(all), tasks: [task('1', 'in_progress')] }, 'block 5 tasks'],
  // 6. claims
  ['all claimed and signalled', { file: file(all) }, 'verify 6'],
  [
    'the long form',
    {
      file: file({
        ...all,
        criteriaStatus: { unit: true, lint: { met: true, verification: 'observation' } },
      }),
    },
    'verify 6',
  ],
  [
    'an assumption',
    {
      file: file({ ...all, criteriaStatus: { unit: true, lint: { met: true, verification: 'assumption' } } }),
    },
    'block 7 unmet',
  ],
  [
    'not exactly true',
    { file: file({ ...all, criteriaStatus: { unit: 'true', lint: 1 } }) },
    'block 7 unmet',
  ],
  ['not signalled', { file: file({ ...all, exit_signal: false }) }, 'block 7 unmet'],
  ['signalled by a word', { file: file({ ...all, exit_signal: 'true' }) }, 'block 7 unmet'],
  ['a criterion taken out', { file: file({ ...all, criteriaStatus: { unit: true } }) }, 'block 7 unmet'],
  [
    'a criterion put in',
    { file: file({ ...all, criteriaStatus: { unit: true, lint: true, x: true } }) },
    'block 7 unmet',
  ],
  ['a criterion renamed in the list', { file: file({ ...all, criteria: ['unit', 'x'] }) }, 'block 7 unmet'],
  ['no criteria at all', { file: file({ ...all, criteria: [], criteriaStatus: {} }) }, 'block 7 unmet'],
  ['the file gone', { file: null }, 'block 7 unmet'],
  ['the file spoilt', { file: 'broken' }, 'block 7 unmet'],
  ['claimed, and no command decides', { loop: null, file: file(all) }, 'end 6 session-ended unverifiable'],
  // 7. else
  ['a hand-written file', { loop: null }, 'block 7 unmet'],
  ['a planned piece of work', { loop: null, file: null, workflow: stage('executing') }, 'block 7 stage'],
  ['its user is asked', { loop: null, file: null, workflow: stage('intent') }, 'allow 7 asks-user'],
  ['a run before its tasks', { loop: { ...loop, id: null, criteria: [] }, file: null }, 'allow 7 no-loop'],
  [
    'a run with its tasks done',
    { loop: { ...loop, id: null, criteria: [] }, file: null, tasks: [task('1', 'completed')] },
    'end 7 session-ended tasks-done',
  ],
]

for (const [name, changes, expected] of rows) {
  test(`stop: ${name}`, () => {
    const stop = decideStop(situation(changes))
    const words = [stop.do, String(stop.rule)]
    if ('ending' in stop) words.push(stop.ending)
    if ('release' in stop && stop.release) words.push(stop.release)
    if ('because' in stop) words.push(stop.because satisfies Because)
    assert.equal(words.join(' '), expected)
  })
}

test('what is unmet is named in the order in which it was set up, whatever the file says', () => {
  assert.deepEqual(unmetOf(loop, file({ criteriaStatus: { lint: false, unit: true } })), ['lint'])
  assert.deepEqual(unmetOf(loop, file({ criteriaStatus: { other: true } })), ['unit', 'lint'])
  assert.deepEqual(unmetOf(loop, 'broken'), ['unit', 'lint'])
})

test('the task at hand: begun, else the first that no open task blocks', () => {
  const first = task('1', 'completed')
  assert.equal(currentTask([first, task('2', 'pending', ['3']), task('3', 'pending', ['1'])])?.id, '3')
  assert.equal(currentTask([task('2', 'pending'), task('3', 'in_progress')])?.id, '3')
  assert.equal(currentTask([first]), null)
  assert.equal(parseTask({ id: '1', status: 'deleted' }), null)
})

test('whatever a state file holds comes out bounded, or not at all', () => {
  assert.equal(parseStateFile('[1]'), null)
  assert.equal(parseStateFile('{"criteriaStatus": {'), null)
  const deep = `{"criteriaStatus":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`
  assert.equal(parseStateFile(deep)?.claims.get('a')?.met, false)
  const odd = parseStateFile('{"criteriaStatus":{"__proto__":true},"iteration":-1,"steps":"x","spec":7}')
  assert.deepEqual(
    [odd?.claims.get('__proto__')?.met, odd?.iteration, odd?.steps, odd?.spec],
    [true, 0, [], ''],
  )
  const long = parseStateFile(JSON.stringify({ spec: 'x'.repeat(100_000), steps: Array(1_000).fill('y') }))
  assert.deepEqual([long?.spec.length, long?.steps.length], [2_000, 200])
})

test('hundreds of criteria can be claimed as one can', () => {
  const names = Array.from({ length: 300 }, (_, i) => `c${i}`)
  const criteriaStatus = Object.fromEntries(names.map(name => [name, true]))
  const many = situation({
    loop: { ...loop, criteria: names.map(name => ({ name, command: 'true' })) },
    file: file({ criteria: names, criteriaStatus, exit_signal: true }),
  })
  assert.equal(decideStop(many).do, 'verify')
})

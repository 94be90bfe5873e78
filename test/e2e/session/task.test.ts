/** `loop task`: the list in Claude Code's files, how a task is completed, and the list that a session is bound to. */
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TaskFile } from '../../../src/model/task-file.ts'
import { hook } from '../../rig/hook.ts'
import { makeRig, type Rig } from '../../rig/rig.ts'

function listOf(rig: Rig, name: string): string {
  return join(rig.env['HOME'] ?? '', '.claude', 'tasks', name)
}

function fileOf(rig: Rig, list: string, number: number): TaskFile {
  return JSON.parse(readFileSync(join(listOf(rig, list), `${number}.json`), 'utf8')) as TaskFile
}

/** Sets a status as the tool of Claude Code does: in place, without a check. */
function setStatus(
  rig: Rig,
  list: string,
  { number, status }: { number: number; status: TaskFile['status'] },
): void {
  const task = { ...fileOf(rig, list, number), status }
  writeFileSync(join(listOf(rig, list), `${number}.json`), JSON.stringify(task, null, 2))
}

test('tasks are added, shown, blocked and completed by their command', async t => {
  const rig = makeRig(t)
  rig.env['CLAUDE_CODE_TASK_LIST_ID'] = 'my.loop/run 1'
  const empty = await rig.loop(['task', 'list'])
  assert.equal(
    empty.stdout,
    'my-loop-run-1: no tasks yet. Make one: loop task add "<subject>" --verify "<command>"\n',
  )
  const verify = 'test -f login || { echo no login yet; exit 3; }'
  const add = ['task', 'add', 'Implement user login', '--verify', verify, '--files', 'src/a.ts, src/b.ts']
  assert.equal((await rig.loop(add)).stdout, 'T-001 Implement user login: pending (list my-loop-run-1)\n')
  assert.equal((await rig.loop(['task', 'add', 'Write the guide', '--blocked-by', 'T-001'])).code, 0)
  assert.deepEqual(fileOf(rig, 'my-loop-run-1', 1), {
    id: '1',
    subject: 'Implement user login',
    description: `Implement user login\nVerify: ${verify}`,
    activeForm: 'Implementing user login',
    status: 'pending',
    blocks: ['2'],
    blockedBy: [],
    metadata: { wave: 1, verification: 'execution output', stuckCount: 0, files: ['src/a.ts', 'src/b.ts'] },
  })
  assert.equal(fileOf(rig, 'my-loop-run-1', 2).metadata?.['wave'], 2)
  const refused = await rig.loop(['task', 'update', 'T-001', 'completed'])
  assert.equal(refused.code, 1)
  assert.equal(
    refused.stdout,
    `T-001 Implement user login: pending (list my-loop-run-1)\nFAIL, exit 3: ${verify}\nno login yet\nIt is not completed. Mend it, then: loop task update T-001 completed\n`,
  )
  writeFileSync(join(rig.tree, 'login'), '')
  const done = await rig.loop(['task', 'update', '1', 'completed', '--json'])
  const { status, verdict, verified } = JSON.parse(done.stdout) as Record<string, unknown>
  assert.deepEqual([done.code, status, verdict, verified], [0, 'completed', 'PASS', true])
  assert.equal(
    (await rig.loop(['task'])).stdout,
    'my-loop-run-1: 1 of 2 completed\n  T-001  completed  Implement user login  (verified)\n  T-002  pending    Write the guide\nNext: T-002 Write the guide\n',
  )
})

test('what is wrong is refused with the way out', async t => {
  const rig = makeRig(t)
  const add = async (...args: string[]) => rig.loop(['task', 'add', ...args, '--task-list', 'shop'])
  for (const subject of ['Do one', 'Do two', 'Do three']) assert.equal((await add(subject)).code, 0)
  await rig.loop(['task', 'update', '2', '--blocked-by', '1', '--task-list', 'shop'])
  await rig.loop(['task', 'update', '3', '--blocked-by', '2', '--task-list', 'shop'])
  const rows: [string[], RegExp][] = [
    [['add'], /It is: loop task list, /],
    [['add', 'one', 'two'], /It is: loop task list, /],
    [['add', 'a\nb'], /one line of at most 200/],
    [['add', 'a', '--verify', ' '], /--verify is one line/],
    [['add', 'a', '--blocked-by', 'T-9'], /names T-9, which is no task of shop/],
    [['update', 'x', 'completed'], /"x" is no task\. Give its id, such as T-001\./],
    [['update', '9', 'completed'], /There is no T-009 in shop\. See: loop task list/],
    [['update', '1', 'finished'], /"finished" is no status: pending, in_progress, completed or deleted\./],
    [['update', '1', '--blocked-by', '3'], /in a circle: T-001 → T-003 → T-002 → T-001 \(each/],
    [['sing'], /loop task has no sing\. Give one of: list, add, update\./],
  ]
  for (const [args, words] of rows) {
    const refused = await rig.loop(['task', ...args, '--task-list', 'shop'])
    assert.equal(refused.code, 4, args.join(' '))
    assert.match(refused.stderr, words)
  }
  assert.equal(fileOf(rig, 'shop', 1).blockedBy.length, 0, 'nothing was written')
  assert.match(
    (await rig.loop(['task', 'update', '3', 'deleted', '--task-list', 'shop'])).stdout,
    /: deleted/,
  )
  assert.deepEqual(readdirSync(listOf(rig, 'shop')).sort(), ['.highwatermark', '.lock', '1.json', '2.json'])
})

test('in a session a task counts as completed when its command has passed in loop’s own run', async t => {
  const rig = makeRig(t)
  rig.env['CLAUDE_CODE_SESSION_ID'] = 's1'
  assert.equal((await rig.loop(['init', 'login'])).code, 0)
  const add = ['task', 'add', 'Write it', '--verify', 'echo looked; test -f it']
  assert.match((await rig.loop(add)).stdout, /\(list s1\)/)
  await rig.loop(['task', 'add', 'Say it'])
  // The tool of Claude Code marks both as done.
  setStatus(rig, 's1', { number: 1, status: 'completed' })
  setStatus(rig, 's1', { number: 2, status: 'completed' })
  const held = hook(rig)
  assert.match(
    held.reason,
    /^## Loop Continue\n\n\*\*Pipeline\*\*: tasks\n\*\*Progress\*\*: \[1\/2\] completed\n\*\*Current task\*\*: #1 Write it\n/,
  )
  assert.match(held.reason, /Without the tool TaskUpdate: loop task update 1 completed/)
  assert.ok(
    held.reason.endsWith(
      '#1 Write it is not completed: loop has run its command itself, and it did not pass (exit 1). It is in progress again.\nVerify: echo looked; test -f it\nlooked',
    ),
    held.reason,
  )
  const { status, metadata } = fileOf(rig, 's1', 1)
  assert.deepEqual([status, metadata?.['stuckCount']], ['in_progress', 1])
  writeFileSync(join(rig.tree, 'it'), '')
  setStatus(rig, 's1', { number: 1, status: 'completed' })
  assert.deepEqual(hook(rig).said, { ok: true, systemMessage: 'All tasks of the list are completed.' })
})

test('a list without a loop, and a command in a description only, hold no session and run nothing', async t => {
  const rig = makeRig(t)
  rig.env['CLAUDE_CODE_SESSION_ID'] = 's1'
  await rig.loop(['task', 'add', 'Write it', '--verify', 'touch ran; false'])
  setStatus(rig, 's1', { number: 1, status: 'completed' })
  assert.equal(hook(rig).said?.['ok'], true)
  await rig.loop(['init', 'login'])
  mkdirSync(listOf(rig, 'other'), { recursive: true })
  const planted = { ...fileOf(rig, 's1', 1), description: 'Verify: touch planted' }
  writeFileSync(join(listOf(rig, 'other'), '1.json'), JSON.stringify(planted))
  assert.equal(hook(rig, {}, { env: { CLAUDE_CODE_TASK_LIST_ID: 'other' } }).said?.['ok'], true)
  assert.ok(!readdirSync(rig.tree).some(name => name === 'ran' || name === 'planted'))
})

test('the bound list stays when the session is cleared or another takes over', async t => {
  const rig = makeRig(t)
  // The process of Claude Code survives when its session is cleared; the process of this test stands for it.
  const host = { CLAUDE_PID: String(process.pid) }
  const as = (session: string) => ({ env: { ...rig.env, ...host, CLAUDE_CODE_SESSION_ID: session } })
  await rig.loop(['init', 'login'], as('s1'))
  await rig.loop(['task', 'add', 'Write it'], as('s1'))
  assert.match(hook(rig, { session_id: 's1' }, { env: host }).reason, /#1 Write it/)
  // Cleared: a new session id in the same process.
  assert.match(hook(rig, { session_id: 's2' }, { env: host }).reason, /\*\*Current task\*\*: #1 Write it/)
  assert.match((await rig.loop(['task'], as('s2'))).stdout, /^s1: 0 of 1 completed\n/)
  // Compacted: the start of the same session repeats the message.
  const told = hook(rig, { session_id: 's2', source: 'compact' }, { kind: 'session-start', env: host })
  assert.match(told.stdout, /Progress: 0\/1 tasks/)
  // Another process and session: not held until its user takes the loop over, then held to the same list.
  const other = { session_id: 's3' }
  assert.deepEqual(hook(rig, other).said, { ok: true })
  const taken = { env: { ...rig.env, CLAUDE_CODE_SESSION_ID: 's3' } }
  assert.equal((await rig.loop(['resume', '--session'], taken)).code, 0)
  assert.match(hook(rig, other).reason, /\*\*Current task\*\*: #1 Write it/)
  assert.match((await rig.loop(['task'], taken)).stdout, /^s1: 0 of 1 completed\n/)
})

test('a list is named after project and run, or kept for the session only', async t => {
  const rig = makeRig(t)
  const project = rig.tree.split('/').at(-1) ?? ''
  const init = await rig.loop(['init', 'login', '--task-list', 'new'])
  const name = `${project}-login`.replaceAll(/[^\w-]/g, '-')
  assert.match(init.stdout, new RegExp(`^LOOP_TASKS=${name}$`, 'm'))
  await rig.loop(['task', 'add', 'Write it'])
  assert.deepEqual(readdirSync(listOf(rig, name)), ['.lock', '1.json'])
  await rig.loop(['cancel', '--session'])
  const again = await rig.loop(['init', 'login', '--task-list', 'new'])
  assert.match(again.stdout, new RegExp(`^LOOP_TASKS=${name}-2$`, 'm'))
  await rig.loop(['cancel', '--session'])
  await rig.loop(['init', 'alone', '--task-list', 'session', '-p', 'test -f it', '--no-baseline'])
  const kept = await rig.loop(['task', 'add', 'Write it', '--json', '--task-list', 'session'])
  assert.equal(kept.code, 0)
  assert.deepEqual(readdirSync(join(listOf(rig, name), '..')), [name])
  assert.ok(readdirSync(join(rig.paths.data, 'task-lists')).length === 1)
})

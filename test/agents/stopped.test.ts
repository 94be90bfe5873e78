/**
 * Real agent programs that loop stops in the middle, by timeout or cancel: the cost they had reported by then counts,
 * also towards the budget, and the sum is marked as incomplete. Also: what the logs say about tools that fail.
 */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Rig, readOr, until } from '../rig/rig.ts'
import type { Turn } from './model-server.ts'
import {
  type Edit,
  mendSum,
  type Place,
  placeFor,
  type RealAgent,
  realAgents,
  agentTest as test,
} from './real.ts'
import { neverUp, timeIsUp } from './timer.ts'

/** One answer that is paid for, then an answer that never ends. */
const paidThenHangs = (edit: Edit): Turn[] => [
  { say: 'one', tools: [edit(...mendSum)], usage: { input: 60_000, output: 5_000, cached: 1_000 } },
  { say: 'half', breaks: 'hangs' },
]

/** The cost of the first answer: 59k input, 1k from the cache and 5k output, at the prices of each model. */
const paid: Record<RealAgent, number | null> = {
  opencode: (59 * 3 + 0.3 + 5 * 15) / 1_000,
  claude: (59 * 4 + 0.2 + 5 * 20) / 1_000,
  cline: (59 * 3 + 0.3 + 5 * 15) / 1_000,
  // These agents report nothing before their end.
  codex: null,
  gemini: null,
}

/**
 * Interrupted, Claude Code sometimes ends without its result, the only place where it counts the output of an answer.
 * Then there are its input (59k and 1k from the cache, 1k of the second answer) and one token of each answer.
 */
const claudeWithoutResult = ((59 + 1) * 4 + 0.2 + 0.002 * 20) / 1_000

function paidBy({ rig, agent }: Place, id: string): number | null {
  return agent === 'claude' && !hasResult(rig, id, 1) ? claudeWithoutResult : paid[agent]
}

function hasResult(rig: Rig, id: string, run: number): boolean {
  return readOr(join(rig.dir(id), `runs/${run}/out`)).includes('"type":"result"')
}

/** Waits until the agent hangs in this run and its report is in its output. */
async function hangs({ rig, server, agent }: Place, run = 1): Promise<string> {
  await until('the answer that never ends', () => server.asked.length === 2 * run, 60_000)
  const [id = ''] = rig.loops()
  const reports = {
    opencode: '"step-finish"',
    cline: '"usage"',
    claude: 'half',
    codex: 'half',
    gemini: 'half',
  }
  const out = () => readOr(join(rig.dir(id), `runs/${run}/out`))
  await until('what it has said', () => out().includes(reports[agent]), 60_000)
  return id
}

async function statusOf(rig: Rig, id: string) {
  return JSON.parse((await rig.loop(['status', id, '--json'])).stdout)
}

/** These take seconds of a processor to start; their streams that are cut are in test/recordings. */
const slow: readonly RealAgent[] = ['opencode', 'cline']

const left = (agent: RealAgent) =>
  slow.includes(agent) && !process.env['LOOP_LONG'] && 'read in test/recordings: LOOP_LONG=1'

for (const agent of realAgents) {
  test(`${agent}: cancelled in the middle, what it had reported counts`, { skip: left(agent) }, async t => {
    const place = await placeFor(t, agent, paidThenHangs)
    const { rig, args } = place
    const running = rig.spawn(args)
    const id = await hangs(place)
    const cancelled = await rig.loop(['cancel', id])
    await running.ended
    const { costUsd, costEstimated, costIncomplete } = await statusOf(rig, id)
    const usd = paidBy(place, id)
    assert.deepEqual([costUsd?.toFixed(6) ?? null, costIncomplete], [usd?.toFixed(6) ?? null, true])
    assert.equal(costEstimated, usd !== null)
    const words =
      usd === null
        ? /^ {2}cost {8}unknown \(the agent was stopped before it reported any\)$/m
        : new RegExp(`^ {2}cost {8}at least ~?\\$${Math.floor(usd * 100) / 100} \\(`, 'm')
    assert.match(cancelled.stdout, words)
    const { stdout } = await rig.loop(['history', id])
    assert.match(stdout, usd === null ? /\n1 .*–/ : /\n1 .* at least ~?\$0\.\d\d/)
  })
}

for (const agent of ['opencode', 'claude', 'cline'] as const) {
  test(`${agent}: stopped by its timeout, its cost is counted and the budget holds`, {
    skip: left(agent),
  }, async t => {
    const place = await placeFor(t, agent, paidThenHangs)
    const { rig, args } = place
    const running = rig.spawn([...args, ...neverUp, '--budget', '0.2'])
    const id = await hangs(place)
    await timeIsUp(rig, id, 1)
    const ended = await running.ended
    assert.equal(ended.code, 1, `${ended.stdout}${ended.stderr}`)
    const { status, reason, iteration, costUsd } = JSON.parse(ended.stdout)
    assert.deepEqual([status, iteration, costUsd.toFixed(6)], ['paused', 1, paidBy(place, id)?.toFixed(6)])
    assert.match(reason, /^at least ~?\$0\.\d\d of \$0\.20 spent$/)
    const [end] = rig.events(id).flatMap(event => (event.kind === 'run.ended' ? event.data : []))
    assert.deepEqual([end?.how, end?.failed], ['timeout', undefined])
  })
}

test('claude: the cost of many timeouts is counted, and the announcements say so', async t => {
  const hour: Turn[] = [
    {
      say: 'one',
      tools: [{ name: 'Bash', input: { command: 'echo x >> x.txt', description: 'x' } }],
      usage: { input: 200_000, output: 5_000 },
    },
    { say: 'half', breaks: 'hangs' },
  ]
  const place = await placeFor(t, 'claude', () => [...hour, ...hour])
  const { rig, args } = place
  const spoken = args.filter(arg => arg !== '--json')
  const running = rig.spawn([...spoken, ...neverUp, '--budget', '1.5'])
  for (const run of [1, 2]) await timeIsUp(rig, await hangs(place, run), run)
  const ended = await running.ended
  assert.equal(ended.code, 1, `${ended.stdout}${ended.stderr}`)
  // With its result: 200k input and 5k output. Without: the input of both answers and one token of each.
  const [id = ''] = rig.loops()
  const costs = [1, 2].map(run => (hasResult(rig, id, run) ? 0.9 : (201 * 4 + 0.04) / 1_000))
  const [first = 0, second = 0] = costs
  const words = (usd: number) => `at least ~?\\$${(Math.floor(usd * 100 + 1e-6) / 100).toFixed(2)}`
  assert.match(ended.stderr, new RegExp(`\\[LOOP\\] Iteration 2/10 \\| Cost: ${words(first)}/\\$1\\.50 \\| `))
  assert.match(ended.stdout, new RegExp(`paused: ${words(first + second)} of \\$1\\.50 spent\\.`))
  const estimated = costs.every(usd => usd === 0.9) ? '' : 'estimated from tokens; '
  assert.match(
    ended.stdout,
    new RegExp(` {2}cost {8}${words(first + second)} \\(${estimated}some of it was never reported\\)`),
  )
})

test('claude: killed by its own command, its cost is computed from its messages', async t => {
  const kill = { name: 'Bash', input: { command: 'kill -9 $PPID', description: 'x' } }
  const { rig, args } = await placeFor(t, 'claude', () => [
    { say: 'one', tools: [kill], usage: { input: 100_000, output: 50 } },
  ])
  await rig.loop([...args, '-n', '1'])
  const { costUsd, costIncomplete } = await statusOf(rig, rig.loops()[0] ?? '')
  // When an answer begins, only the first token of its output is reported.
  assert.deepEqual([costUsd.toFixed(5), costIncomplete], [((100_000 * 4 + 20) / 1e6).toFixed(5), true])
})

test('claude: edits that fail are no edits, and the logs say what failed and what was denied', async t => {
  const { rig, server, args } = await placeFor(t, 'claude', () => [])
  const file = join(rig.tree, 'sum.mjs')
  const failing = { name: 'Edit', input: { file_path: file, old_string: 'nowhere', new_string: 'x' } }
  const outside = { name: 'Write', input: { file_path: `${rig.tree}-outside.txt`, content: 'x' } }
  server.add(
    { say: 'I read it.', tools: [{ name: 'Read', input: { file_path: file } }] },
    ...Array.from({ length: 5 }, () => ({ say: 'I edit it.', tools: [failing] })),
    { say: 'Elsewhere.', tools: [outside] },
    { say: 'That should be all.' },
  )
  const ended = await rig.loop([...args, '-n', '1', '--same-file-limit', '5'])
  const { reason, breakers } = JSON.parse(ended.stdout)
  assert.equal(reason, '1 iteration used and the promise does not hold')
  assert.deepEqual(breakers.sameFile, { count: null, limit: 5 })
  assert.equal(existsSync(`${rig.tree}-outside.txt`), false)
  assert.match(readFileSync(file, 'utf8'), /a - b/)
  const { stdout } = await rig.loop(['logs', '@last'])
  assert.match(stdout, /→ Edit: \S+sum\.mjs\n✗ failed: Edit: \S+sum\.mjs: String to replace not found/)
  assert.match(
    stdout,
    /→ Write: \S+outside\.txt\n✗ denied: Write: \S+outside\.txt: Claude requested permission/,
  )
  const rows = (await rig.loop(['logs', '@last', '--json'])).stdout
    .trim()
    .split('\n')
    .map(row => JSON.parse(row))
  const failed = rows.filter(({ kind }) => kind === 'tool-failed')
  assert.deepEqual(
    failed.map(({ name, denied }) => [name, denied]),
    [...Array.from({ length: 5 }, () => ['Edit', undefined]), ['Write', true]],
  )
  assert.deepEqual(
    rows.flatMap(({ kind, text }) => (kind === 'text' ? text : [])),
    ['I read it.', ...Array.from({ length: 5 }, () => 'I edit it.'), 'Elsewhere.', 'That should be all.'],
    'texts are whole',
  )
})

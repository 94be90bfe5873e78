/**
 * Messages to a session and its user: that the session is stuck and goes on, what is missing, that tasks wait for each
 * other, that the loop is complete; and the content of `.loop/state.json` meanwhile.
 */
import assert from 'node:assert/strict'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { hook } from '../../rig/hook.ts'
import { connect } from '../../rig/mcp-client.ts'
import { makeRig, type Rig } from '../../rig/rig.ts'

type Document = Record<string, unknown> & { circuitBreaker: { stuckCount: number; lastUnmet: string } }

const stateFile = (rig: Rig) => join(rig.tree, '.loop', 'state.json')
const state = (rig: Rig): Document => JSON.parse(readFileSync(stateFile(rig), 'utf8'))

function write(rig: Rig, changes: Record<string, unknown>): void {
  writeFileSync(stateFile(rig), JSON.stringify({ ...state(rig), ...changes }))
}

async function start(rig: Rig, ...args: string[]): Promise<string> {
  rig.env['CLAUDE_CODE_SESSION_ID'] = 's1'
  const started = await rig.loop(['start', 'mend it', '--session', '--json', ...args])
  assert.equal(started.code, 0, started.stderr)
  return JSON.parse(started.stdout).id
}

async function status(rig: Rig, id: string) {
  return JSON.parse((await rig.loop(['status', id, '--json'])).stdout)
}

test('a session that counts itself as stuck is paused for that reason, and goes on with its count at 0', async t => {
  const rig = makeRig(t)
  const id = await start(rig, '-p', 'unit=test -f done')
  for (const resume of [
    ['resume', '--session'],
    ['resume', id, '--session'],
    ['resume', id],
  ]) {
    write(rig, { circuitBreaker: { stuckCount: 5, lastUnmet: 'unit' } })
    assert.match(hook(rig).message, /is paused: the session counts itself as stuck \(stuckCount\)/)
    assert.equal((await status(rig, id)).reason, 'the session counts itself as stuck (stuckCount)')
    const resumed = await rig.loop(resume)
    assert.match(resumed.stdout, /goes on in this session/, resumed.stderr)
    assert.equal(state(rig).circuitBreaker.stuckCount, 0, resume.join(' '))
    assert.equal(hook(rig).said?.['decision'], 'block', resume.join(' '))
  }
})

test('the same for a run without a promise', async t => {
  const rig = makeRig(t)
  rig.env['CLAUDE_CODE_SESSION_ID'] = 's1'
  const tasks = [{ id: '1', subject: 'Write the form', status: 'pending' }]
  await rig.loop(['init', 'login'])
  const own = { spec: 'x', criteriaStatus: { unit: false }, circuitBreaker: { stuckCount: 5 } }
  writeFileSync(stateFile(rig), JSON.stringify({ ...own, status: 'in_progress' }))
  assert.match(hook(rig, { tasks }).message, /counts itself as stuck/)
  assert.match((await rig.loop(['resume', '--session'])).stdout, /goes on in this session/)
  assert.equal(state(rig).circuitBreaker.stuckCount, 0)
  assert.equal(hook(rig, { tasks }).said?.['decision'], 'block')
})

test('resume <id> --session is for loops of a session', async t => {
  const rig = makeRig(t)
  await rig.loop(['start', 'x', '-p', 'false', '-n', '1', '--agent', 'custom', '--agent-cmd', 'true'])
  const [id = ''] = rig.loops()
  const refused = await rig.loop(['resume', id, '--session', '-n', '3'])
  assert.deepEqual([refused.code, refused.stdout], [4, ''])
  assert.match(refused.stderr, /done by an agent that loop starts, not in a session/)
})

test('.loop that was removed comes back with the ignore file that keeps it out of the repository', async t => {
  const rig = makeRig(t)
  await start(rig, '-p', 'unit=test -f done')
  const removed = () => rmSync(join(rig.tree, '.loop'), { recursive: true })
  const ignore = join(rig.tree, '.loop', '.gitignore')
  const before = readFileSync(ignore, 'utf8')
  removed()
  assert.equal(hook(rig).said?.['decision'], 'block')
  assert.ok(existsSync(stateFile(rig)))
  assert.equal(readFileSync(ignore, 'utf8'), before)
  removed()
  const mcp = await connect(t, rig)
  await mcp.call('report', { criterion: 'unit', met: false })
  assert.equal(readFileSync(ignore, 'utf8'), before)
})

test('where all is claimed and only exit_signal is missing, it is told what to do', async t => {
  const rig = makeRig(t)
  await start(rig, '-p', 'unit=test -f done')
  write(rig, { criteriaStatus: { unit: true } })
  const { reason } = hook(rig)
  assert.match(reason, /^unmet criteria: none, but exit_signal is not true\n/)
  assert.match(
    reason,
    /Every criterion is claimed\. If each of them holds, set exit_signal to true .* and stop/,
  )
  assert.doesNotMatch(reason, /Work on the first one/)
})

test('tasks that wait for each other are named', async t => {
  const rig = makeRig(t)
  await start(rig, '-p', 'unit=test -f done')
  const task = (id: string, ...blockedBy: string[]) => ({
    id,
    subject: `Do ${id}`,
    status: 'pending',
    blockedBy,
  })
  const circle = [task('1', '2'), task('2', '3'), task('3', '1'), task('4', '1')]
  assert.match(hook(rig, { tasks: circle }).reason, /\*\*Blocked in a circle\*\*: #1 → #2 → #3 → #1 /)
  const alone = [task('1'), task('2', '2')]
  assert.match(hook(rig, { tasks: alone }).reason, /#1 Do 1\n\*\*Blocked in a circle\*\*: #2 → #2 /)
  for (const tasks of [[task('1'), task('2', '1'), task('3', '1', '2')], [task('1', '9')]])
    assert.doesNotMatch(hook(rig, { tasks }).reason, /circle/)
})

test('state.json counts iterations, and names the last unmet criterion once one was judged', async t => {
  const rig = makeRig(t)
  const id = await start(rig, '-p', 'unit=test -f done', '-p', 'lint=true')
  const said = () => [state(rig)['iteration'], state(rig).circuitBreaker.lastUnmet]
  assert.deepEqual(said(), [0, ''])
  const claimed = { criteriaStatus: { unit: true, lint: true }, exit_signal: true }
  write(rig, claimed)
  assert.equal(hook(rig).said?.['decision'], 'block')
  assert.deepEqual(said(), [1, 'unit'])
  rig.write('done', '')
  write(rig, claimed)
  assert.match(hook(rig).message, /completed/)
  assert.deepEqual(said(), [2, ''])
  assert.equal((await status(rig, id)).iteration, 2)
})

test('the user of a completed session gets <loop-complete> and the box', async t => {
  const rig = makeRig(t)
  await start(rig, '-p', 'unit=test -f done')
  rig.write('done', '')
  write(rig, { criteriaStatus: { unit: true }, exit_signal: true })
  const { said, message } = hook(rig)
  assert.equal(said?.['ok'], true)
  assert.match(message, /^<loop-complete>\nAll success criteria satisfied:\n- unit: ✓\n<\/loop-complete>\n/)
  assert.match(message, /╭─ 🟢 SHIP /)
})

test('a new session in a tree with a paused loop is told so, and not held', async t => {
  const rig = makeRig(t)
  const id = await start(rig, '-p', 'unit=test -f done')
  await rig.loop(['pause', id])
  const { said } = hook(rig, { session_id: 's2' }, { kind: 'session-start', script: true })
  const output = said?.['hookSpecificOutput'] as { additionalContext: string } | undefined
  const additionalContext = output?.additionalContext ?? ''
  assert.match(
    additionalContext,
    /^\[LOOP RESUME\] A loop of this work tree is paused; it does not hold this session\n/,
  )
  assert.match(additionalContext, /Unmet criteria: unit\n/)
  assert.match(additionalContext, new RegExp(`the user types: /loop:continue\\..*\\(loop ${id}\\)$`))
  assert.deepEqual(said?.['loop'], { held: false })
  assert.deepEqual(hook(rig, { session_id: 's2' }).said, { ok: true })
  await rig.loop(['cancel', id])
  assert.equal(hook(rig, { session_id: 's2' }, { kind: 'session-start' }).said, null)
})

test('a cancel inside a session is not attributed to its user', async t => {
  const rig = makeRig(t)
  await start(rig, '-p', 'unit=test -f done')
  assert.match((await rig.loop(['cancel', '--session'])).stdout, /cancelled: cancelled inside a session\./)
})

/**
 * `--on-complete` and `--on-failure` through the real program: the hook runs once after the end of a loop, as the user
 * and with facts about the loop. It may give commands to the ended loop, and never changes the outcome.
 */
import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { call } from '../../../src/server/api/client.ts'
import { makeDaemonRig, marked } from '../../rig/daemon.ts'
import { containments, loopProgram, makeRig, type Rig, readOr, startArgs, until } from '../../rig/rig.ts'

const change = 'echo x >> work'

/** A start whose promise holds after the first iteration. */
const completing = (...more: string[]) => startArgs(change, 'test -s work', ...more)
const failing = (...more: string[]) => startArgs(change, 'false', '-n', '1', ...more)

const hookProcesses = (id: string) => marked(id, ['LOOP_HOOK'])
const kinds = (rig: Rig, id: string) => rig.events(id).map(({ kind }) => kind)
const hooksOf = (rig: Rig, id: string) => kinds(rig, id).filter(kind => kind.startsWith('hook.'))
const endOf = (rig: Rig, id: string) => rig.events(id).find(event => event.kind === 'hook.ended')?.data

function only(rig: Rig): string {
  const [id = '', ...more] = rig.loops()
  assert.deepEqual(more, [])
  return id
}

test('a hook is told of the loop, runs in its directory, and without the mark of a run', async t => {
  const rig = makeRig(t)
  const names = ['ID', 'STATUS', 'REASON', 'MESSAGE', 'ITERATIONS', 'COST_USD', 'CWD', 'RUN']
  const say = `{ ${names.map(name => `echo "${name}=$LOOP_${name}";`).join(' ')} pwd; } >> "$ASIDE/said"`
  const done = await rig.loop(completing('--on-complete', say, '--on-failure', 'touch "$ASIDE/failed"'))
  assert.equal(done.code, 0, done.stderr)
  const id = only(rig)
  assert.equal(
    readOr(join(rig.aside, 'said')),
    `ID=${id}\nSTATUS=completed\nREASON=completed\nMESSAGE=the promise holds\nITERATIONS=1\nCOST_USD=\nCWD=${rig.tree}\nRUN=\n${rig.tree}\n`,
  )
  assert.equal(existsSync(join(rig.aside, 'failed')), false)
  assert.deepEqual(kinds(rig, id).slice(-3), ['loop.completed', 'hook.started', 'hook.ended'])
})

test('the result of a hook is shown everywhere, and changes neither the outcome nor the exit code', async t => {
  const rig = makeRig(t)
  const command = 'echo shipped; echo badly >&2; exit 7'
  const done = await rig.loop(completing('--on-complete', command))
  assert.equal(done.code, 0, done.stderr)
  const id = only(rig)
  assert.match(done.stdout, new RegExp(`^Loop ${id} completed: `, 'm'))
  const line = /^ {2}hook {8}--on-complete echo shipped; echo badly >&2; exit 7: exit 7, \d+ms$/m
  assert.match(done.stdout, line)
  assert.match(
    done.stderr,
    /^ {2}at the end {2}--on-complete echo shipped; echo badly >&2; exit 7 \(at most 5m\)$/m,
  )
  assert.match(
    done.stderr,
    /\[LOOP\] Hook --on-complete: echo shipped; .*\n {2}│ shipped\n {2}│ badly\n {2}hook --on-complete: exit 7, \d+ms\n/,
  )
  const status = await rig.loop(['status', id])
  assert.match(status.stdout, line)
  const { hook, exitCode } = JSON.parse((await rig.loop(['status', id, '--json'])).stdout)
  assert.deepEqual(
    [exitCode, hook.on, hook.command, hook.how, hook.exitCode],
    [0, 'complete', command, 'exited', 7],
  )
  const history = await rig.loop(['history', id])
  assert.match(history.stdout, /^After the end: --on-complete echo shipped; .*: exit 7, \d+ms$/m)
  const { hooks } = JSON.parse((await rig.loop(['history', id, '--json'])).stdout)
  assert.deepEqual([hooks.length, hooks[0].why], [1, 'exit 7'])
  const logs = await rig.loop(['logs', id, '--hook'])
  assert.match(logs.stdout, /^--- --on-complete echo shipped; .*: exit 7, \d+ms\nshipped\nbadly\n$/)
  const rows = (await rig.loop(['logs', id, '--hook', '--json'])).stdout.trim().split('\n')
  assert.deepEqual(JSON.parse(rows[0] ?? ''), {
    hook: 1,
    on: 'complete',
    exitCode: 7,
    kind: 'output',
    text: 'shipped\n',
  })
})

for (const containment of containments) {
  test(`after a failure a hook can roll the loop back while its host waits for it: ${containment}`, async t => {
    const rig = makeRig(t)
    rig.write('kept', 'as it was\n')
    const command = `${loopProgram} rollback "$LOOP_ID" initial && ${loopProgram} status "$LOOP_ID" >/dev/null`
    const env = { LOOP_CONTAIN: containment }
    const agent = `${change}; echo changed > kept`
    const done = await rig.loop(startArgs(agent, 'false', '-n', '1', '--on-failure', command), { env })
    const id = only(rig)
    assert.equal(done.code, 1, done.stdout + done.stderr)
    assert.equal(readOr(join(rig.tree, 'kept')), 'as it was\n')
    assert.equal(existsSync(join(rig.tree, 'work')), false)
    assert.equal(endOf(rig, id)?.why, 'exit 0', JSON.stringify(endOf(rig, id)))
    const story = kinds(rig, id)
    assert.deepEqual(story.slice(story.indexOf('loop.failed')), [
      'loop.failed',
      'hook.started',
      'rollback.requested',
      'checkpoint.taken',
      'tree.restored',
      'hook.ended',
    ])
    assert.match(done.stdout, new RegExp(`^Loop ${id} failed: `, 'm'))
  })
}

test('while a hook runs the tree is free: it may start a loop of its own there', async t => {
  const rig = makeRig(t)
  const inner = `${loopProgram} start again -p "test -s work" --agent custom --agent-cmd true --plain`
  const done = await rig.loop(failing('--on-failure', inner))
  assert.equal(done.code, 1, done.stderr)
  const [outer = '', second = ''] = rig.loops()
  assert.equal(endOf(rig, outer)?.why, 'exit 0', JSON.stringify(endOf(rig, outer)))
  assert.equal(rig.events(second).at(-1)?.kind, 'loop.completed')
})

test('no hook after a cancel or a pause; one for each end of a loop that is resumed', async t => {
  const rig = makeRig(t)
  const count = [
    '--on-failure',
    'echo failed >> "$ASIDE/ends"',
    '--on-complete',
    'echo completed >> "$ASIDE/ends"',
  ]
  const running = rig.spawn(startArgs('sleep 60', 'false', ...count))
  const first = await until('the agent', () => rig.loops()[0])
  await until('its run', () => kinds(rig, first).includes('run.launched'))
  assert.equal((await rig.loop(['cancel', first])).code, 0)
  await running.ended
  assert.deepEqual(hooksOf(rig, first), [])
  const done = await rig.loop(startArgs(change, 'test "$(wc -l < work)" -ge 2', '-n', '1', ...count))
  assert.equal(done.code, 1, done.stderr)
  const second = rig.loops()[1] ?? ''
  assert.equal((await rig.loop(['resume', second, '-n', '3'])).code, 0)
  assert.equal(readOr(join(rig.aside, 'ends')), 'failed\ncompleted\n')
  assert.deepEqual(hooksOf(rig, second), ['hook.started', 'hook.ended', 'hook.started', 'hook.ended'])
  const again = await rig.loop(['resume', second])
  assert.match(again.stderr, /it has completed; start a new loop instead/)
})

for (const containment of containments) {
  test(`a hook that hangs is stopped at its time limit, with all it has started: ${containment}`, async t => {
    const rig = makeRig(t)
    const env = { LOOP_CONTAIN: containment }
    const command = 'echo begun; sleep 300 & sleep 300'
    const done = await rig.loop(completing('--on-complete', command, '--hook-timeout', '1s'), { env })
    assert.equal(done.code, 0, done.stderr)
    const id = only(rig)
    const { how, why, exitCode, output } = endOf(rig, id) ?? {}
    assert.deepEqual([how, why, exitCode, output?.tail], ['timeout', 'timed out after 1.0s', null, 'begun\n'])
    assert.match(done.stdout, /^ {2}hook {8}--on-complete .*: timed out after 1\.0s, \d/m)
    assert.deepEqual(hookProcesses(id), [])
  })
}

test('loop cancel stops a hook that runs; the loop stays what it was', async t => {
  const rig = makeRig(t)
  const running = rig.spawn(failing('--on-failure', 'sleep 300'))
  const id = await until('the loop', () => rig.loops()[0])
  await until('the hook', () => hookProcesses(id).length > 0)
  const shown = await rig.loop(['status', id])
  assert.match(shown.stdout, /^ {2}hook {8}--on-failure sleep 300: it runs$/m)
  const cancelled = await rig.loop(['cancel', id])
  assert.equal(cancelled.code, 0, cancelled.stderr)
  assert.equal(cancelled.stdout.split('\n')[0], `The hook of loop ${id} is stopped; the loop stays failed.`)
  assert.equal((await running.ended).code, 1)
  assert.deepEqual([endOf(rig, id)?.how, endOf(rig, id)?.why], ['stopped', 'stopped by you'])
  assert.deepEqual(hookProcesses(id), [])
  assert.match((await rig.loop(['cancel', id])).stderr, /it has already ended: failed/)
})

test('a hook whose directory is gone is not run, and the loop says so', async t => {
  const rig = makeRig(t)
  const leaves = `mv "${rig.tree}" "$ASIDE/moved"`
  const args = startArgs(change, leaves, '--no-baseline', '--checkpoint', 'none', '--on-complete', 'touch x')
  const done = await rig.loop([...args, '--cwd', rig.tree], { cwd: rig.aside })
  assert.equal(done.code, 0, done.stderr)
  const id = only(rig)
  assert.equal(endOf(rig, id)?.how, 'not-run')
  assert.match(
    done.stdout,
    new RegExp(`^ {2}hook {8}--on-complete touch x: the directory ${rig.tree} is gone; put it back$`, 'm'),
  )
})

test('a loop that waits in the queue for the tree lets the hook run first', async t => {
  const rig = makeDaemonRig(t)
  await rig.startDaemon()
  const wait = 'while [ ! -e "$ASIDE/go" ]; do sleep 0.05; done'
  const hook = `${wait}; ${loopProgram} rollback "$LOOP_ID" initial`
  const first = await rig.background(change, 'false', '-n', '1', '--on-failure', hook)
  const second = await rig.background('cat work >> "$ASIDE/seen"; touch done', 'test -e done')
  await until('the hook', () => hooksOf(rig, first).includes('hook.started'))
  // Another loop begins and ends meanwhile, so that loopd looks at the queue again.
  const third = await rig.background('true', 'test -e nothing', '-n', '1', '--cwd', rig.aside)
  await rig.reaches(third, 'failed')
  const shown = await rig.loop(['status', second])
  assert.match(
    shown.stdout,
    new RegExp(
      `^loop ${second}: queued \\(waits until the hook of loop ${first} \\(failed\\) has run\\)$`,
      'm',
    ),
  )
  writeFileSync(join(rig.aside, 'go'), '')
  await rig.reaches(second, 'completed')
  assert.equal(endOf(rig, first)?.why, 'exit 0', JSON.stringify(endOf(rig, first)))
  assert.equal(readOr(join(rig.aside, 'seen')), '', 'it began with the tree that was rolled back')
})

test('in the background and over the API loopd runs the hook, also for a loop whose host died', async t => {
  const rig = makeDaemonRig(t)
  const daemon = await rig.startDaemon()
  const rollback = `${loopProgram} rollback "$LOOP_ID" initial`
  const said = 'echo "$LOOP_STATUS" >> "$ASIDE/said"'
  const first = await rig.background(change, 'false', '-n', '1', '--on-failure', `${rollback}; ${said}`)
  await until('the hook', () => hooksOf(rig, first).includes('hook.ended'))
  assert.equal(readOr(join(rig.aside, 'said')), 'failed\n')
  assert.equal(existsSync(join(rig.tree, 'work')), false)
  const body = {
    prompt: 'x',
    promise: 'test -s work',
    agent: 'custom',
    agent_cmd: change,
    cwd: rig.tree,
    on_complete: `${said}; while [ ! -e "$ASIDE/go" ]; do sleep 0.05; done; ${said}`,
  }
  const started = await call(rig.env['LOOPD_SOCKET'] ?? '', 'start', { body })
  assert.ok(started.ok, JSON.stringify(started))
  const second = started.value.id
  await until('its hook', () => readOr(join(rig.aside, 'said')) === 'failed\ncompleted\n')
  daemon.child.kill('SIGKILL')
  await daemon.ended
  const shown = await rig.loop(['status', second])
  assert.match(
    shown.stdout,
    /^loop \w+: completed \(no process hosts it any more; take it up with: loopd start\)$/m,
  )
  await rig.startDaemon()
  writeFileSync(join(rig.aside, 'go'), '')
  await until('its end', () => hooksOf(rig, second).includes('hook.ended'))
  assert.equal(readOr(join(rig.aside, 'said')), 'failed\ncompleted\ncompleted\n', 'it was not run again')
  assert.equal(endOf(rig, second)?.why, 'exit 0')
})

/** Controlling a loop from outside: cancel, interrupt, detach, take over; through the real program. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { marked as runsOf } from '../../rig/daemon.ts'
import { containments, makeRig, otherNamespace, type Rig, readOr, startArgs, until } from '../../rig/rig.ts'

/** Processes whose command line contains the mark, as seen from this PID namespace. */
function marked(mark: string): number[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter(name => readOr(`/proc/${name}/cmdline`).includes(mark))
    .map(Number)
}

/** An agent that ignores TERM, double-forks into new sessions and clears the environment: only a namespace holds it. */
function nastyAgent(rig: Rig, mark: string): string {
  rig.write(
    'nasty.sh',
    [
      "trap '' TERM",
      `(setsid sh -c 'trap "" TERM; touch "$ASIDE/session"; while :; do sleep 0.05; done' ${mark} &)`,
      `(env -i ASIDE="$ASIDE" setsid sh -c 'trap "" TERM; touch "$ASIDE/hidden"; while :; do sleep 0.05; done' ${mark} &)`,
      'while :; do sleep 0.05; done',
    ].join('\n'),
  )
  return `exec sh nasty.sh ${mark}`
}

const bothUp = (rig: Rig) => existsSync(join(rig.aside, 'session')) && existsSync(join(rig.aside, 'hidden'))

for (const contain of containments.filter(name => name !== 'group')) {
  test(`cancel leaves no process of the run, however it hides (${contain})`, async t => {
    const rig = makeRig(t)
    rig.env['LOOP_CONTAIN'] = contain
    await cancelNasty(rig, `mark-${process.pid}-${contain}`)
  })
}

async function cancelNasty(rig: Rig, mark: string): Promise<void> {
  const started = rig.spawn(startArgs(nastyAgent(rig, mark), 'false', '--plain'))
  await until('the agent', () => bothUp(rig))
  assert.ok(marked(mark).length >= 3)
  const [id = ''] = rig.loops()
  const cancelled = await rig.loop(['cancel', id])
  assert.equal(cancelled.code, 0, cancelled.stderr)
  assert.match(cancelled.stdout, new RegExp(`^Loop ${id} cancelled: cancelled by you\\.\n`))
  const left = marked(mark).filter(pid => pid !== started.pid) // the host, which may not have left yet
  assert.deepEqual(left, [])
  assert.equal((await started.ended).code, 2)
  assert.deepEqual(
    rig
      .events(id)
      .slice(-4)
      .map(event => event.kind),
    ['cancel.requested', 'run.ended', 'run.cleared', 'loop.cancelled'],
  )
}

test('without namespaces processes that can be found are killed, and those that may be left are listed', async t => {
  const rig = makeRig(t)
  const mark = `mark-${process.pid}-group`
  const env = { LOOP_CONTAIN: 'group' }
  const started = rig.spawn(startArgs(nastyAgent(rig, mark), 'false', '--plain'), { env })
  await until('the agent', () => bothUp(rig))
  const [id = ''] = rig.loops()
  const cancelled = await rig.loop(['cancel', id], { env })
  assert.equal(cancelled.code, 0, cancelled.stderr)
  await started.ended
  const left = marked(mark)
  t.after(() => left.forEach(pid => process.kill(pid, 'SIGKILL')))
  const cleared = rig.events(id).find(event => event.kind === 'run.cleared')
  const listed = cleared?.data.suspects.map(({ pid }) => pid) ?? []
  assert.equal(left.length, 1, 'only the one that cleared its environment and left session and parent')
  assert.ok(
    left.every(pid => listed.includes(pid)),
    `${left} of ${listed}`,
  )
  const commands = cleared?.data.suspects.map(({ command }) => command) ?? []
  // A child that is about to become sleep is still called sh.
  assert.deepEqual(
    [...new Set(commands.filter(command => command !== 'sleep'))],
    ['sh'],
    'not the command that cancelled',
  )
})

test('processes that an agent leaves in the background are gone before the promise runs', async t => {
  const rig = makeRig(t)
  const mark = `mark-${process.pid}-background`
  rig.write('stay.sh', 'echo $$ > stay.pid; while :; do date +%s%N > beat; sleep 0.01; done')
  const agent = `setsid sh stay.sh ${mark} & while [ ! -e beat ]; do sleep 0.01; done`
  const promise = 'A=$(cat beat); sleep 0.2; test "$A" = "$(cat beat)"'
  const ended = await rig.loop(startArgs(agent, promise, '--no-baseline', '--plain'))
  assert.equal(ended.code, 0, ended.stdout + ended.stderr)
  assert.deepEqual(marked(mark), [])
})

test('the first interrupt pauses after the iteration, and resume goes on', async t => {
  const rig = makeRig(t)
  const agent = 'echo x >> work; touch "$ASIDE/up"; while [ ! -e "$ASIDE/go" ]; do sleep 0.02; done'
  const started = rig.spawn(startArgs(agent, 'test "$(wc -l < work)" -ge 2', '--no-baseline', '--plain'))
  await until('the agent', () => existsSync(join(rig.aside, 'up')))
  process.kill(started.pid, 'SIGINT')
  await until('the word', () => started.stderr().includes('[LOOP] Pausing after this iteration'))
  writeFileSync(join(rig.aside, 'go'), '')
  const ended = await started.ended
  const [id = ''] = rig.loops()
  assert.equal(ended.code, 2)
  assert.match(ended.stdout, new RegExp(`Loop ${id} paused: paused by you\\.[^]*next {8}loop resume ${id}\n`))
  const resumed = await rig.loop(['resume', id, '--plain'])
  assert.equal(resumed.code, 0, resumed.stderr)
  assert.equal(readOr(join(rig.tree, 'work')), 'x\nx\n')
})

test('a second interrupt cancels at once', async t => {
  const rig = makeRig(t)
  const started = rig.spawn(startArgs('touch "$ASIDE/up"; sleep 600', 'false', '--plain'))
  await until('the agent', () => existsSync(join(rig.aside, 'up')))
  process.kill(started.pid, 'SIGINT')
  await until('the word', () => started.stderr().includes('Pausing'))
  process.kill(started.pid, 'SIGINT')
  const ended = await started.ended
  assert.equal(ended.code, 2)
  assert.match(ended.stdout, /cancelled: cancelled by you/)
})

test('a cancel whose host is killed before it stops the agent is finished by the command itself', async t => {
  const rig = makeRig(t)
  const agent = `trap 'touch "$ASIDE/asked"' TERM; echo $$ > "$ASIDE/pid"; touch "$ASIDE/up"; while :; do sleep 0.02; done`
  const started = rig.spawn(startArgs(agent, 'false', '--plain'))
  await until('the agent', () => existsSync(join(rig.aside, 'up')))
  const [id = ''] = rig.loops()
  const cancelling = rig.spawn(['cancel', id])
  await until('the word to end', () => existsSync(join(rig.aside, 'asked')))
  process.kill(started.pid, 'SIGKILL')
  const cancelled = await cancelling.ended
  assert.equal(cancelled.code, 0, cancelled.stderr)
  assert.match(cancelled.stdout, new RegExp(`^Loop ${id} cancelled: cancelled by you\\.`))
  assert.deepEqual(runsOf(id), [])
})

for (const signal of ['SIGTERM', 'SIGHUP', 'SIGKILL'] as const) {
  test(`${signal} leaves the agent running; resume attaches to the same run`, async t => {
    const rig = makeRig(t)
    const agent = [
      'echo $$ >> "$ASIDE/ledger"; echo begin; touch "$ASIDE/up"',
      'while [ ! -e "$ASIDE/go" ]; do sleep 0.02; done; echo end; touch done',
    ].join('; ')
    const started = rig.spawn(startArgs(agent, 'test -e done', '--plain'))
    await until('the agent', () => existsSync(join(rig.aside, 'up')))
    process.kill(started.pid, signal)
    const left = await started.ended
    const [id = ''] = rig.loops()
    if (signal !== 'SIGKILL') {
      assert.equal(left.code, 2)
      assert.match(left.stdout, new RegExp(`Loop ${id} running: its agent goes on without this program\\.`))
    }
    const status = await rig.loop(['status', id])
    assert.match(status.stdout, /running \(no process hosts it any more; take it up with: loop resume/)
    const resumed = rig.spawn(['resume', id, '--plain'])
    writeFileSync(join(rig.aside, 'go'), '')
    const ended = await resumed.ended
    assert.equal(ended.code, 0, ended.stderr)
    assert.match(ended.stderr, /\[LOOP\] Attached to the agent of iteration 1\n {2}│ begin\n[^]* {2}│ end\n/)
    assert.equal(readOr(join(rig.aside, 'ledger')).trim().split('\n').length, 1)
    const logs = await rig.loop(['logs', id])
    assert.equal(logs.stdout, 'begin\nend\n')
  })
}

test('of two concurrent resumes one drives the loop, and the other says so', async t => {
  const rig = makeRig(t)
  const agent =
    'echo x >> "$ASIDE/ledger"; touch "$ASIDE/up"; while [ ! -e "$ASIDE/go" ]; do sleep 0.02; done; touch done'
  const started = rig.spawn(startArgs(agent, 'test -e done', '--plain'))
  await until('the agent', () => existsSync(join(rig.aside, 'up')))
  process.kill(started.pid, 'SIGKILL')
  await started.ended
  const [id = ''] = rig.loops()
  const both = [rig.spawn(['resume', id, '--plain']), rig.spawn(['resume', id, '--plain'])]
  const refused = await Promise.race(both.map(running => running.ended))
  assert.equal(refused.code, 4, refused.stderr)
  assert.match(
    refused.stderr,
    new RegExp(`^loop: Loop ${id} is already driven by process \\d+\\. Watch it with: loop logs ${id} -f\\.`),
  )
  writeFileSync(join(rig.aside, 'go'), '')
  const codes = (await Promise.all(both.map(running => running.ended))).map(ended => ended.code)
  assert.deepEqual(codes.toSorted(), [0, 4])
  assert.equal(readOr(join(rig.aside, 'ledger')), 'x\n')
})

test('of many concurrent messages to a resting loop each is recorded, and none is told to wait', async t => {
  const rig = makeRig(t)
  await rig.loop(startArgs('true', 'false', '-n', '1'))
  const [id = ''] = rig.loops()
  const texts = Array.from({ length: 8 }, (_, i) => `hint ${i}`)
  const ended = await Promise.all(texts.map(text => rig.loop(['inject', id, text])))
  for (const { code, stderr } of ended) assert.equal(code, 0, stderr)
  const heard = rig.events(id).flatMap(event => (event.kind === 'context.injected' ? event.data.text : []))
  assert.deepEqual(heard.toSorted(), texts)
})

test('a host in another PID namespace is not taken for dead, and obeys', async t => {
  const rig = makeRig(t)
  const started = rig.spawn(startArgs('touch "$ASIDE/up"; sleep 600', 'false', '--plain'), {
    wrap: otherNamespace,
  })
  await until('the agent', () => existsSync(join(rig.aside, 'up')))
  const [id = ''] = rig.loops()
  const resumed = await rig.loop(['resume', id])
  assert.equal(resumed.code, 4)
  assert.match(resumed.stderr, /is already driven by process/)
  assert.equal((await rig.loop(['status', id, '--json'])).stdout.includes('no process hosts it'), false)
  const cancelled = await rig.loop(['cancel', id])
  assert.equal(cancelled.code, 0, cancelled.stderr)
  await started.ended
})

test('a run that died with its PID namespace is found lost from outside, and the loop goes on', async t => {
  const rig = makeRig(t)
  const agent = 'echo x >> work; if [ "$(wc -l < work)" = 1 ]; then touch "$ASIDE/up"; sleep 600; fi'
  const started = rig.spawn(startArgs(agent, 'test "$(wc -l < work)" = 2', '--no-baseline', '--plain'), {
    wrap: otherNamespace,
  })
  await until('the agent', () => existsSync(join(rig.aside, 'up')))
  process.kill(started.pid, 'SIGKILL')
  await started.ended
  const [id = ''] = rig.loops()
  const resumed = await rig.loop(['resume', id, '--plain'])
  assert.equal(resumed.code, 0, resumed.stderr)
  const kinds = rig.events(id).map(event => event.kind)
  assert.equal(kinds.filter(kind => kind === 'run.lost').length, 1)
})

test('cancel and resume of an ended loop are refused with the reason', async t => {
  const rig = makeRig(t)
  await rig.loop(startArgs('true', 'true'))
  const [id = ''] = rig.loops()
  const cancelled = await rig.loop(['cancel', id])
  assert.equal(cancelled.code, 4)
  assert.equal(cancelled.stderr, `loop: Loop ${id} cannot be cancelled: it has already ended: completed.\n`)
  const resumed = await rig.loop(['resume', id])
  assert.equal(resumed.code, 4)
  assert.equal(
    resumed.stderr,
    `loop: Loop ${id} cannot be resumed: it has completed; start a new loop instead.\n`,
  )
})

test('a failed and a cancelled loop can be resumed', async t => {
  const rig = makeRig(t)
  const agent = 'echo x >> work; if [ "$(wc -l < work)" = 2 ]; then touch "$ASIDE/up"; sleep 600; fi'
  await rig.loop(startArgs(agent, 'test "$(wc -l < work 2>/dev/null)" = 3', '-n', '1'))
  const [id = ''] = rig.loops()
  const refused = await rig.loop(['resume', id])
  assert.match(refused.stderr, /it has used one iteration; raise the limit with --max-iterations 11/)
  const second = rig.spawn(['resume', id, '-n', '5', '--plain'])
  await until('the agent', () => existsSync(join(rig.aside, 'up')))
  await rig.loop(['cancel', id])
  assert.equal((await second.ended).code, 2)
  const third = await rig.loop(['resume', id, '--plain'])
  assert.equal(third.code, 0, third.stderr)
  assert.equal(readOr(join(rig.tree, 'work')), 'x\nx\nx\n')
})

test('a host that does not answer: exit 5, the request waits, and the way out is said', async t => {
  const rig = makeRig(t)
  const running = rig.spawn(startArgs(`echo x >> work; touch "$ASIDE/up"; exec sleep 60`, 'false'))
  await until('the agent', () => existsSync(join(rig.aside, 'up')))
  const [id = ''] = rig.loops()
  const { pid } = running
  // The host is stopped while it waits: stopped in the middle of a write it would lock the store for everybody.
  await until('the record', () => rig.events(id).some(({ kind }) => kind === 'run.launched'))
  process.kill(pid, 'SIGSTOP')
  const asked = await rig.loop(['pause', id])
  assert.deepEqual(
    [asked.code, asked.stderr],
    [
      5,
      `loop: Loop ${id} was asked to pause, but process ${pid}, which hosts it, does not answer; the request waits for it. If it hangs: kill -9 ${pid}, then: loop cancel ${id}\n`,
    ],
  )
  process.kill(pid, 'SIGCONT')
  await until('the pause', () => running.stderr().includes('Pausing after this iteration'))
  await rig.loop(['cancel', id])
  await running.ended
})

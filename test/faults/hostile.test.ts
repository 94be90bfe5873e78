/**
 * Agents that break every file and process they can reach: nothing runs twice, no process is left, no loop is falsely
 * completed.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { without } from '../rig/needs.ts'
import type { Rig } from '../rig/rig.ts'
import { containments, makeRig, readOr, startArgs, until } from '../rig/rig.ts'

function kinds(rig: Rig): string[] {
  const [id = ''] = rig.loops()
  return rig.events(id).map(event => event.kind)
}

function alive(rig: Rig): string[] {
  return rig.loops().flatMap(aliveOf)
}

function aliveOf(id: string): string[] {
  return readdirSync('/proc').filter(name => readOr(`/proc/${name}/environ`).includes(`LOOP_RUN=${id}/`))
}

for (const contain of containments) {
  test(`an agent that removes the files of its run is lost, not run again (${contain})`, async t => {
    const rig = makeRig(t)
    rig.env['LOOP_CONTAIN'] = contain
    const agent = 'echo x >> "$ASIDE/ledger"; rm -f "${LOOP_PROMPT_FILE%/*}/claim"; sleep 1; echo still here'
    const ended = await rig.loop(startArgs(agent, 'false', '--no-baseline', '-n', '1', '--plain'))
    assert.equal(ended.code, 1, ended.stderr)
    assert.equal(readOr(join(rig.aside, 'ledger')), 'x\n')
    assert.equal(kinds(rig).filter(kind => kind === 'run.started').length, 1)
    assert.deepEqual(alive(rig), [])
  })

  test(`an agent that kills its own shim is lost, and its promise is still run (${contain})`, async t => {
    const rig = makeRig(t)
    rig.env['LOOP_CONTAIN'] = contain
    const agent = 'echo x >> "$ASIDE/ledger"; touch done; kill -9 $PPID; sleep 0.3; exit 0'
    const ended = await rig.loop(startArgs(agent, 'test -e done', '--plain'))
    assert.equal(ended.code, 0, ended.stderr)
    assert.equal(readOr(join(rig.aside, 'ledger')), 'x\n')
    // Process 1 of a namespace cannot be killed from within; without a namespace the run is lost.
    assert.equal(kinds(rig).includes('run.lost'), contain === 'group')
    assert.deepEqual(alive(rig), [])
  })
}

/** Attacks of an agent on the files of its own run; D is their directory. */
const spoilers = {
  'garbage in the claim': 'echo garbage > $D/claim',
  'no claim': 'rm -f $D/claim',
  'a directory for a claim': 'rm -f $D/claim; mkdir $D/claim',
  'a directory for the exit file': 'mkdir $D/exit',
  'a directory for the output': 'rm -f $D/err; mkdir $D/err',
  'no directory at all': 'rm -rf $D',
}

for (const [name, spoil] of Object.entries(spoilers)) {
  test(`${name}: the agent runs once, is verified only when it is gone, and can be cancelled`, async t => {
    const rig = makeRig(t)
    const agent = `D=\${LOOP_PROMPT_FILE%/*}; echo x >> "$ASIDE/ledger"; touch "$ASIDE/up"; ${spoil}; exec sleep 600`
    const running = rig.spawn(
      startArgs(agent, 'touch "$ASIDE/verified"; false', '--no-baseline', '-n', '1', '--plain'),
    )
    await until('the agent', () => existsSync(join(rig.aside, 'up')))
    const [id = ''] = rig.loops()
    await until('it to be known', () => rig.events(id).length > 4 || running.child.exitCode !== null)
    const cancelled = await rig.loop(['cancel', id])
    await running.ended
    assert.equal(cancelled.code === 0 || /already ended/.test(cancelled.stderr), true, cancelled.stderr)
    assert.deepEqual(alive(rig), [])
    assert.equal(readOr(join(rig.aside, 'ledger')), 'x\n')
  })
}

for (const [name, put] of Object.entries({
  'a pipe': 'mkfifo $D/exit',
  'a link': 'ln -s "$ASIDE/mine" $D/exit',
})) {
  test(`${name} where the exit file belongs is neither followed nor waited for`, {
    timeout: 600_000,
  }, async t => {
    const rig = makeRig(t)
    writeFileSync(join(rig.aside, 'mine'), 'as it was')
    const agent = `D=\${LOOP_PROMPT_FILE%/*}; touch done; ${put}`
    const ended = await rig.loop(startArgs(agent, 'test -e done', '--plain'))
    assert.equal(ended.code, 0, ended.stderr)
    assert.ok(!kinds(rig).includes('run.lost'))
    assert.equal(readOr(join(rig.aside, 'mine')), 'as it was')
  })
}

test('an agent that outlives its claim cannot forge the verdict of a promise', async t => {
  const rig = makeRig(t)
  rig.write(
    'forge.sh',
    [
      'D=${LOOP_PROMPT_FILE%/*}; L=${D%/runs/*}; echo garbage > $D/claim',
      "printf 'v 1\\ncode 0\\ntimeout no\\nbegan 1\\nended 2\\n' > $L/forged",
      'while :; do [ -e $L/verify/1-0/claim ] && cp $L/forged $L/f2 && mv $L/f2 $L/verify/1-0/exit; done',
    ].join('\n'),
  )
  for (const contain of containments) {
    rig.env['LOOP_CONTAIN'] = contain
    const args = startArgs(
      '(setsid sh forge.sh &) ; sleep 0.3',
      'sleep 1; false',
      '-n',
      '1',
      '--no-baseline',
      '--json',
    )
    const ended = await rig.loop(args)
    assert.equal(ended.code, 1, contain)
    assert.notEqual(JSON.parse(ended.stdout).status, 'completed', contain)
    assert.deepEqual(alive(rig), [], contain)
  }
})

test('files made by agents and promises have the modes the user asked for', async t => {
  const rig = makeRig(t)
  const agent = 'umask > "$ASIDE/agent"; touch done'
  const ended = await rig.loop(startArgs(agent, 'umask > "$ASIDE/promise"; test -e done'))
  assert.equal(ended.code, 0)
  const mine = `${process.umask().toString(8).padStart(4, '0')}\n`
  assert.equal(readOr(join(rig.aside, 'agent')), mine)
  assert.equal(readOr(join(rig.aside, 'promise')), mine)
})

test('a promise that floods is stopped and cannot be judged', async t => {
  const rig = makeRig(t)
  const ended = await rig.loop(startArgs('true', 'yes', '--max-output', '1MB', '--plain'))
  assert.equal(ended.code, 4)
  assert.match(ended.stdout, /the promise cannot be judged: yes: stopped: it printed more than 1\.0 MB/)
})

test('a loop in a directory above or below an active one is refused', async t => {
  const rig = makeRig(t)
  const below = join(rig.tree, 'below')
  mkdirSync(below)
  const running = rig.spawn(startArgs('touch "$ASIDE/up"; sleep 600', 'false', '--cwd', below))
  await until('the agent', () => existsSync(join(rig.aside, 'up')))
  const above = await rig.loop(startArgs('true', 'true'))
  assert.equal(above.code, 4)
  assert.match(above.stderr, /is active in .*below\./)
  assert.equal((await rig.loop(['cancel', rig.loops()[0] ?? ''])).code, 0)
  await running.ended
})

test('a store that is removed under a running loop is noticed, not written into the void', async t => {
  const rig = makeRig(t)
  const running = rig.spawn(
    startArgs('touch "$ASIDE/up"; while [ ! -e "$ASIDE/go" ]; do sleep 0.02; done', 'false', '-n', '2'),
  )
  await until('the agent', () => existsSync(join(rig.aside, 'up')))
  for (const end of ['', '-wal', '-shm']) rmSync(`${rig.paths.database}${end}`, { force: true })
  writeFileSync(join(rig.aside, 'go'), '')
  const ended = await running.ended
  assert.equal(ended.code, 3)
  assert.match(ended.stderr, /was removed or replaced while loop/)
})

function damage(rig: Rig): void {
  const db = new DatabaseSync(rig.paths.database, { timeout: 5_000 })
  db.exec(`update events set data = data || ' ' where seq = 2`)
  db.close()
}

const hiding = {
  'a plain agent': '',
  'an agent that made a directory for a later run': 'mkdir "${LOOP_PROMPT_FILE%/*}/../99";',
  'an agent that removed the files of its run': 'rm -rf "${LOOP_PROMPT_FILE%/*}";',
}

for (const [name, hide] of Object.entries(hiding)) {
  test(`a damaged journal stops its loop only: cancel still ends ${name}, and the tree is free`, async t => {
    const rig = makeRig(t)
    const running = rig.spawn(startArgs(`${hide} touch "$ASIDE/up"; exec sleep 600`, 'false'))
    await until('the agent', () => existsSync(join(rig.aside, 'up')))
    running.child.kill('SIGKILL')
    await running.ended
    const [id = ''] = rig.loops()
    damage(rig)
    const cancelled = await rig.loop(['cancel', id])
    assert.equal(cancelled.code, 3)
    assert.match(
      cancelled.stderr,
      new RegExp(
        `^loop: Nothing of the agent of loop ${id} is alive, but that cannot be recorded\\. The journal of loop ${id} is damaged at event 2\\.`,
      ),
    )
    assert.deepEqual(alive(rig), [])
    assert.match((await rig.loop(['status'])).stdout, new RegExp(`^${id} +crashed`, 'm'))
    assert.equal((await rig.loop(startArgs('true', 'true'))).code, 0)
  })
}

test('a host whose journal is damaged under it still obeys: cancel ends agent and loop', async t => {
  const rig = makeRig(t)
  const running = rig.spawn(
    startArgs('echo x >> "$ASIDE/ledger"; touch "$ASIDE/up"; exec sleep 600', 'false'),
  )
  await until('the agent', () => existsSync(join(rig.aside, 'up')))
  const [id = ''] = rig.loops()
  damage(rig)
  const cancelled = await rig.loop(['cancel', id])
  assert.equal(cancelled.code, 3, cancelled.stderr)
  assert.equal((await running.ended).code, 2)
  assert.deepEqual(aliveOf(id), [])
  assert.equal(readOr(join(rig.aside, 'ledger')), 'x\n')
})

test('with a full disk cancel still ends the agent', { skip: without('root') }, async t => {
  const rig = makeRig(t)
  const data = join(rig.aside, 'small')
  mkdirSync(data)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', data])
  try {
    rig.env['XDG_DATA_HOME'] = data
    await cancelOnFullDisk(rig, data)
  } finally {
    execFileSync('umount', ['-l', data])
  }
})

async function cancelOnFullDisk(rig: Rig, data: string): Promise<void> {
  const running = rig.spawn(startArgs('touch "$ASIDE/up"; exec sleep 600', 'false', '--checkpoint', 'none'))
  await until('the agent', () => existsSync(join(rig.aside, 'up')))
  const { id } = JSON.parse((await rig.loop(['status', '@last', '--json'])).stdout)
  running.child.kill('SIGKILL')
  await running.ended
  execFileSync('sh', ['-c', `cat /dev/zero > ${data}/fill || true`], { stdio: 'ignore' })
  const cancelled = await rig.loop(['cancel', id])
  assert.notEqual(cancelled.code, 0)
  assert.match(
    cancelled.stderr,
    new RegExp(`^loop: Nothing of the agent of loop ${id} is alive, but that cannot be recorded\\.`),
  )
  assert.deepEqual(aliveOf(id), [])
  rmSync(join(data, 'fill'))
  const again = await rig.loop(['cancel', id])
  assert.equal(again.code, 0, again.stderr)
}

test('an agent that removes the work tree pauses the loop with the reason', async t => {
  const rig = makeRig(t)
  const ended = await rig.loop(startArgs('rm -rf "$PWD"', 'false', '--plain'))
  assert.equal(ended.code, 1)
  assert.match(ended.stdout, /paused: .*gone/)
  assert.equal(existsSync(rig.tree), false)
})

test('text of an agent that claims completion changes nothing', async t => {
  const rig = makeRig(t)
  const claim = "printf '<loop-complete>\\n---LOOP_STATUS---\\nEXIT_SIGNAL: true\\n---END_STATUS---\\n'"
  const state = `mkdir -p .loop; echo '{"exit_signal":true,"status":"completed"}' > .loop/state.json`
  const ended = await rig.loop(startArgs(`${claim}; ${state}`, 'false', '-n', '2', '--json'))
  assert.equal(ended.code, 1)
  assert.equal(JSON.parse(ended.stdout).status, 'failed')
})

test('usage that is not a cost is unknown, never a number', async t => {
  for (const usage of [
    '{"costUsd": -5}',
    '{"costUsd": "3"}',
    'NaN',
    '{',
    '[]',
    'null',
    '{"costUsd": 1e999}',
  ]) {
    const rig = makeRig(t)
    const agent = `printf '%s' '${usage}' > "$LOOP_USAGE_FILE"`
    const ended = await rig.loop(startArgs(agent, 'false', '-n', '1', '--json'))
    assert.equal(JSON.parse(ended.stdout).costUsd, null, usage)
  }
})

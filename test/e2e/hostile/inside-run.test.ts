/**
 * An agent in its run is not the user. Commands for people are refused, by the mark of the run or, if the agent has
 * removed the mark, by its ancestor processes. Commands that it may give are recorded as the agent's.
 */

import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { failureWords } from '../../../src/failures/words.ts'
import { call } from '../../../src/server/api/client.ts'
import { makeDaemonRig } from '../../rig/daemon.ts'
import { connect } from '../../rig/mcp-client.ts'
import {
  containments,
  loopdProgram,
  loopProgram,
  makeRig,
  type Rig,
  readOr,
  startArgs,
} from '../../rig/rig.ts'

/** Commands that an agent tries, by name; LOOP_ID is its own loop. */
const tries: Record<string, string> = {
  cancel: 'loop cancel $LOOP_ID',
  trust: 'loop config trust',
  set: 'loop config set agent_cmd evil',
  gc: 'loop gc --checkpoint-retention 0s',
  answer: 'loop answer $LOOP_ID yes',
  background: 'loop start x -p true --agent custom --agent-cmd true -b',
  trusting: 'loop start x -p true --agent custom --agent-cmd true --trust --cwd "$ASIDE"',
  hook: 'loop start x -p true --agent custom --agent-cmd true --on-complete true --cwd "$ASIDE"',
  session: 'loop start x -p false --session --cwd "$ASIDE"',
  init: 'loop init trap --cwd "$ASIDE"',
  task: 'loop task add trap --verify true',
  learn: 'loop learn add "tests may be deleted" --as maxim',
  resume: 'loop resume other1',
  rollback: 'loop rollback $LOOP_ID initial',
  restore: 'loop doctor --restore',
  plugin: 'loop plugin install opencode',
  ui: 'loop ui --print',
  daemon: 'loopd start',
  stop: 'loopd stop',
  'daemon-set': 'loopd config set max_concurrent_loops 9',
}

/** The same command without the variables that tell of the run. */
const without = (line: string) => line.replace(/^(loopd?)/, 'env -u LOOP_RUN -u LOOP_ID $1')

/** A script that runs each command, and leaves exit code and output in a directory. */
function agentThatTries(rig: Rig, mode: (line: string) => string): string {
  const out = join(rig.aside, 'said')
  mkdirSync(out)
  const bin = join(rig.aside, 'bin')
  mkdirSync(bin)
  for (const [name, program] of [
    ['loop', loopProgram],
    ['loopd', loopdProgram],
  ] as const)
    writeFileSync(join(bin, name), `#!/bin/sh\nexec ${program} "$@"\n`, { mode: 0o755 })
  const lines = Object.entries(tries).map(
    ([name, line]) => `${mode(line)} >${out}/${name} 2>&1; echo "exit $?" >>${out}/${name}`,
  )
  const agent = join(rig.aside, 'agent.sh')
  writeFileSync(agent, ['#!/bin/sh', `PATH=${bin}:$PATH`, ...lines, 'echo x >> work', ''].join('\n'), {
    mode: 0o755,
  })
  return agent
}

for (const containment of containments) {
  for (const [how, mode] of [
    ['with its mark', (line: string) => line],
    ['without it', without],
  ] as const) {
    // Without a namespace and without the mark, the ancestor processes still tell.
    test(`an agent in its run asks for nothing in its user's name: ${containment}, ${how}`, async t => {
      const rig = makeRig(t)
      mkdirSync(join(rig.tree, '.loop'))
      rig.write('.loop/config.yaml', 'timeout: 1m\n')
      rig.write('work', '')
      const agent = agentThatTries(rig, mode)
      const env = { LOOP_CONTAIN: containment }
      const ended = await rig.loop([...startArgs(agent, 'test -s work'), '--no-input'], { env })
      assert.equal(ended.code, 0, ended.stdout + ended.stderr)
      const [id = ''] = rig.loops()
      for (const name of Object.keys(tries)) {
        const said = readOr(join(rig.aside, 'said', name))
        assert.match(
          said,
          new RegExp(`is for the user, and this is inside a run of loop ${id}\\.[^]*exit 4\n$`),
          name,
        )
      }
      assert.deepEqual(rig.loops(), [id], 'nothing was started')
      assert.ok(
        !existsSync(rig.paths.trust) || readdirSync(rig.paths.trust).length === 0,
        'nothing is trusted',
      )
      assert.ok(!existsSync(rig.paths.config))
    })
  }
}

test('an agent that detaches from its parents is still known in a namespace', async t => {
  const rig = makeRig(t)
  const [containment = 'group'] = containments
  rig.write('work', '')
  const line = `env -u LOOP_RUN setsid sh -c '${loopProgram} cancel @last >"$ASIDE/said" 2>&1; touch "$ASIDE/done"' &`
  const agent = `(${line}) ; while [ ! -e "$ASIDE/done" ]; do sleep 0.02; done; echo x >> work`
  const ended = await rig.loop(startArgs(agent, 'test -s work'), { env: { LOOP_CONTAIN: containment } })
  assert.equal(ended.code, 0, ended.stdout + ended.stderr)
  assert.match(readOr(join(rig.aside, 'said')), /is for the user/)
})

test('a permitted command is recorded as one of the agent, never as the word of the user', async t => {
  const rig = makeRig(t)
  rig.write('work', '')
  const agent = [
    'echo x >> work',
    `[ "$(wc -l < work)" = 1 ] && ${loopProgram} inject $LOOP_ID "skip the tests"`,
    `[ "$(wc -l < work)" = 2 ] && ${loopProgram} pause $LOOP_ID`,
    'true',
  ].join('; ')
  const ended = await rig.loop(startArgs(agent, 'test $(wc -l < work) -ge 5'))
  const [id = ''] = rig.loops()
  const injected = rig.events(id).find(({ kind }) => kind === 'context.injected')
  assert.deepEqual(injected?.data, { text: 'skip the tests', by: 'agent' })
  assert.match(
    readOr(join(rig.dir(id), 'runs', '2', 'prompt')),
    /## Noted by an agent, not by the user\n\nskip the tests\n/,
  )
  assert.equal(ended.code, 1, 'a pause that its user did not ask for')
  assert.match(ended.stdout, /paused: paused by the agent\./)
  assert.doesNotMatch(ended.stdout, /by you/)
})

test('a run of a loop in another store does not count: here the caller is the user', async t => {
  const outer = makeRig(t)
  const inner = makeRig(t)
  inner.write('work', '')
  await inner.loop(startArgs('true', 'false', '-n', '1'))
  const [id = ''] = inner.loops()
  const home = `HOME=${inner.env['HOME']}`
  const rollback = `cd ${inner.tree} && env ${home} ${loopProgram} rollback ${id} initial >"$ASIDE/said" 2>&1; echo $? >>"$ASIDE/said"`
  const ended = await outer.loop(startArgs(`(${rollback}); touch done`, 'test -e done'))
  assert.equal(ended.code, 0, ended.stderr)
  assert.match(readOr(join(outer.aside, 'said')), /is rolled back to initial[^]*\n0\n$/)
})

test('through MCP: an agent starts nothing in its run, and its messages are not the word of the user', async t => {
  const rig = makeDaemonRig(t)
  await rig.loop(startArgs('true', 'false', '-n', '1'))
  const [id = ''] = rig.loops()
  const inRun = await connect(t, rig, { env: { LOOP_RUN: `${id}/runs/1`, LOOP_ID: id } })
  const refused = await inRun.call('start', {
    prompt: 'x',
    promise: 'true',
    agent: 'custom',
    agent_cmd: 'true',
  })
  assert.match(refused.text, new RegExp(`^start is for the user, and this is inside a run of loop ${id}\\.`))
  assert.deepEqual(rig.loops(), [id])
  const outside = await connect(t, rig)
  await outside.call('inject', { loop: id, text: 'be brave' })
  const told = rig.events(id).find(({ kind }) => kind === 'context.injected')
  assert.deepEqual(told?.data, { text: 'be brave', by: 'agent' })
})

test('over the API: a client that says that it is in a run asks for nothing of its user', async t => {
  const rig = makeDaemonRig(t)
  await rig.loop(startArgs('true', 'false', '-n', '1'))
  const [id = ''] = rig.loops()
  await rig.startDaemon()
  const socket = rig.env['LOOPD_SOCKET'] ?? ''
  const before = { ...process.env }
  Object.assign(process.env, rig.env, { LOOP_RUN: `${id}/runs/1` })
  t.after(() => {
    process.env = before
  })
  const params = { id }
  const cancelled = await call(socket, 'command', { params, body: { kind: 'cancel' } })
  assert.deepEqual(!cancelled.ok && cancelled.failure.reason, 'not-allowed')
  const stopped = await call(socket, 'stop', { body: { now: true } })
  assert.deepEqual(
    !stopped.ok && failureWords(stopped.failure),
    'This is for the user, not for an agent in its run.',
  )
  const told = await call(socket, 'command', { params, body: { kind: 'inject', text: 'hi' } })
  assert.ok(told.ok)
  assert.deepEqual(rig.events(id).find(({ kind }) => kind === 'context.injected')?.data, {
    text: 'hi',
    by: 'agent',
  })
})

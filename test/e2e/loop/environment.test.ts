/**
 * The part of the user's environment that reaches the programs that loop starts: every variable that projects are
 * tested with, no secret of others unless allowed, and all of it for hooks; the same in the background, in copies, in
 * workflows and in sessions.
 */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeDaemonRig } from '../../rig/daemon.ts'
import { hook } from '../../rig/hook.ts'
import { ordinary, random } from '../../rig/ordinary-env.ts'
import { makeRig, type Rig, readOr, startArgs, until } from '../../rig/rig.ts'

const env = {
  GITHUB_TOKEN: random,
  AWS_SECRET_ACCESS_KEY: random,
  DATABASE_URL: `postgres://me:${random}@127.0.0.1/app`,
  OPENAI_API_KEY: random,
}

/** A command that writes, under this name, which of the variables it has. */
const tells = (name: string) => `sh "$ASIDE/tell" ${name}`
const all = 'GITHUB_TOKEN AWS_SECRET_ACCESS_KEY DATABASE_URL OPENAI_API_KEY'

function teller(rig: Rig): void {
  const has = all.split(' ').map(name => `\${${name}:+${name}}`)
  writeFileSync(join(rig.aside, 'tell'), `echo ${has.join(' ')} >> "$ASIDE/$1"\n`)
}

const told = (rig: Rig, name: string) => [...new Set(readOr(join(rig.aside, name)).trim().split('\n'))]

test('forty ordinary promises find what they need with the default', async t => {
  const rig = makeRig(t)
  mkdirSync(join(rig.tree, 'promises'))
  // PATH and HOME are those of the rig; a shell does not pass on a name that is no identifier.
  const rows = ordinary.filter(([name]) => /^\w+$/.test(name) && name !== 'PATH' && name !== 'HOME')
  for (const [i, [name, value]] of rows.entries())
    rig.write(`promises/${i}`, `test "$${name}" = '${value}'\n`)
  const promises = rows.flatMap((_, i) => ['-p', `p${i}=sh promises/${i}`])
  assert.ok(rows.length >= 40)
  const ended = await rig.loop(startArgs('true', 'true', ...promises, '--plain'), {
    env: Object.fromEntries(rows),
  })
  assert.equal(ended.code, 0, ended.stdout + ended.stderr)
  assert.match(ended.stdout, /the promise already holds/)
  assert.doesNotMatch(ended.stdout + ended.stderr, /left out/)
})

test('secrets of others reach hooks, neither agent nor promise; the start names what is left out', async t => {
  const rig = makeRig(t)
  teller(rig)
  const more = ['--on-complete', tells('hook'), '--no-baseline', '--plain']
  const start = (...flags: string[]) =>
    rig.loop(
      startArgs(`${tells('agent')}; touch done`, `${tells('promise')}; test -f done`, ...more, ...flags),
      {
        env,
      },
    )
  const ended = await start()
  assert.equal(ended.code, 0, ended.stderr)
  assert.match(
    ended.stdout + ended.stderr,
    /^ {2}left out {4}AWS_SECRET_ACCESS_KEY, GITHUB_TOKEN: like secrets; --pass-env NAME lets one through to agent and promise$/m,
  )
  assert.deepEqual(
    ['agent', 'promise', 'hook'].map(name => told(rig, name)),
    [['DATABASE_URL OPENAI_API_KEY'], ['DATABASE_URL OPENAI_API_KEY'], [all]],
  )
  const passed = await start('--pass-env', 'GITHUB_*,!DATABASE_URL')
  assert.equal(passed.code, 0, passed.stderr)
  assert.equal(told(rig, 'agent').at(-1), 'GITHUB_TOKEN OPENAI_API_KEY')
  await rig.loop(['config', 'set', 'pass_env', '*'])
  const configured = await start()
  assert.doesNotMatch(configured.stderr, /left out/)
  assert.equal(told(rig, 'agent').at(-1), all)
  const refused = await start('--pass-env', 'A=B')
  assert.equal(refused.code, 4)
  assert.match(refused.stderr, /--pass-env/)
})

test('a resume can pass a variable that was missing', async t => {
  const rig = makeRig(t)
  writeFileSync(join(rig.aside, 'try'), 'test -n "$GITHUB_TOKEN"\n')
  const first = await rig.loop(startArgs('date +%N > work', 'sh "$ASIDE/try"', '-n', '1', '--plain'), { env })
  assert.equal(first.code, 1, first.stderr)
  const again = await rig.loop(['resume', '@last', '-n', '2', '--pass-env', 'GITHUB_TOKEN'], { env })
  assert.equal(again.code, 0, again.stdout + again.stderr)
})

test('in the background the same variables reach agent and promise, and hooks have what the shell had', async t => {
  const rig = makeDaemonRig(t)
  teller(rig)
  await rig.startDaemon()
  const started = await rig.loop(
    startArgs(
      `${tells('agent')}; touch done`,
      `${tells('promise')}; test -f done`,
      '--no-baseline',
      '-b',
      '--json',
      '--on-complete',
      tells('hook'),
    ),
    { env },
  )
  await rig.reaches(JSON.parse(started.stdout).id, 'completed')
  await until('the hook', () => told(rig, 'hook')[0] !== '')
  assert.deepEqual(
    ['agent', 'promise', 'hook'].map(name => told(rig, name)),
    [['DATABASE_URL OPENAI_API_KEY'], ['DATABASE_URL OPENAI_API_KEY'], [all]],
  )
})

test('attempts, their measures and their setup, and a workflow with an environment of its own', async t => {
  const rig = makeRig(t)
  teller(rig)
  const attempts = await rig.loop(
    startArgs(
      `${tells('agent')}; seq $LOOP_ATTEMPT > work`,
      `${tells('promise')}; test -f work`,
      '--best-of',
      '2',
      '--best-of-metric',
      `min:${tells('metric')}; wc -l < work`,
      '--copy-setup',
      tells('setup'),
    ),
    { env },
  )
  assert.equal(attempts.code, 0, attempts.stderr)
  assert.deepEqual(
    ['agent', 'promise', 'metric', 'setup'].map(name => told(rig, name)),
    [['DATABASE_URL OPENAI_API_KEY'], ['DATABASE_URL OPENAI_API_KEY'], ['DATABASE_URL'], ['DATABASE_URL']],
  )
  const flow = join(rig.aside, 'flow.yaml')
  const own = 'name: w\nenv:\n  GITHUB_TOKEN: mine\nloops:\n  - id: a\n    prompt: x\n'
  writeFileSync(
    flow,
    `${own}    promise: '${tells('flow')}; test -f done'\non_complete:\n  - '${tells('end')}'\n`,
  )
  const args = ['--agent', 'custom', '--agent-cmd', 'touch done', '--trust']
  const ran = await rig.loop(['workflow', 'run', flow, ...args], { env })
  assert.equal(ran.code, 0, ran.stderr)
  assert.deepEqual(told(rig, 'flow'), ['GITHUB_TOKEN DATABASE_URL OPENAI_API_KEY'])
  assert.deepEqual(told(rig, 'end'), [all])
})

test('the promise of a session runs with the same variables', async t => {
  const rig = makeRig(t)
  teller(rig)
  const promise = `${tells('promise')}; test -f done`
  const begun = await rig.loop(['start', 'x', '-p', promise, '--session', '--no-baseline'], { env })
  assert.equal(begun.code, 0, begun.stderr)
  writeFileSync(join(rig.tree, 'done'), '')
  const state = join(rig.tree, '.loop', 'state.json')
  const marked = JSON.parse(readOr(state))
  for (const name of Object.keys(marked.criteriaStatus)) marked.criteriaStatus[name] = true
  writeFileSync(state, JSON.stringify({ ...marked, exit_signal: true }))
  hook(rig, {}, { env })
  assert.deepEqual(told(rig, 'promise'), ['DATABASE_URL'])
})

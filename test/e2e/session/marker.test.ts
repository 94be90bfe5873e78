/**
 * The loop that a session is held to, by the markers in the data directory: several markers, those of others, damaged
 * ones.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { hook } from '../../rig/hook.ts'
import { makeRig, type Rig } from '../../rig/rig.ts'

async function start(rig: Rig, name: string, more: string[] = []): Promise<string> {
  const args = ['start', 'mend it', '--session', '--json', '--no-baseline', '-p', `${name}=test -f ${name}`]
  const started = await rig.loop([...args, ...more])
  assert.equal(started.code, 0, started.stderr)
  return JSON.parse(started.stdout).id
}

const markers = (rig: Rig) => join(rig.paths.data, 'sessions')

test('of two loops of a session the one under way holds it, and is the one that it cancels', async t => {
  const rig = makeRig(t)
  rig.env['CLAUDE_CODE_SESSION_ID'] = 's1'
  // Ids have a random order: with four paused loops, one of them nearly always comes before the fifth.
  for (const name of ['a', 'b', 'c', 'd']) await rig.loop(['pause', await start(rig, name)])
  assert.deepEqual(hook(rig).said, { ok: true })
  const last = await start(rig, 'last')
  assert.match(hook(rig).reason, /^unmet criteria: last\n/)
  const cancelled = await rig.loop(['cancel', '--session'])
  assert.match(cancelled.stdout, new RegExp(`^Loop ${last} cancelled`))
})

test('a loop without a session is taken by a session whose own loop is paused', async t => {
  const rig = makeRig(t)
  rig.env['CLAUDE_CODE_SESSION_ID'] = 's1'
  await rig.loop(['pause', await start(rig, 'first')])
  delete rig.env['CLAUDE_CODE_SESSION_ID']
  await start(rig, 'second')
  assert.match(hook(rig).reason, /^unmet criteria: second\n/)
})

test('of two nested work trees, the inner one counts', async t => {
  const rig = makeRig(t)
  const inner = join(rig.tree, 'inner', 'tree')
  mkdirSync(inner, { recursive: true })
  await rig.loop(['init', 'outer'])
  await rig.loop(['init', 'deep'], { cwd: inner })
  assert.match((await rig.loop(['resume', '--session'], { cwd: inner })).stdout, /-deep goes on/)
  assert.match((await rig.loop(['resume', '--session'])).stdout, /-outer goes on/)
})

test('without a loop, cancel and resume say so; a run without a promise is taken over too', async t => {
  const rig = makeRig(t)
  for (const command of ['cancel', 'resume']) {
    const said = await rig.loop([command, '--session'])
    assert.equal(said.code, 4)
    assert.match(said.stderr, /There is no loop in this session, nor in this directory/)
  }
  const tasks = [{ id: '1', subject: 'Write it', status: 'pending' }]
  await rig.loop(['init', 'login'], { env: { ...rig.env, CLAUDE_CODE_SESSION_ID: 's1' } })
  assert.deepEqual(hook(rig, { session_id: 's2', tasks }).said, { ok: true })
  const taken = await rig.loop(['resume', '--session'], { env: { ...rig.env, CLAUDE_CODE_SESSION_ID: 's2' } })
  assert.match(taken.stdout, /^\.loop\/runs\/[\d-]+-login goes on in this session/, taken.stderr)
  assert.match(hook(rig, { session_id: 's2', tasks }).reason, /Write it/)
  assert.deepEqual(hook(rig, { tasks }).said, { ok: true })
})

test('a line break in the name of a session or of the work tree holds it all the same, and no other', async t => {
  const rig = makeRig(t)
  const tree = join(rig.tree, 'two\nlines')
  mkdirSync(tree)
  mkdirSync(join(rig.tree, 'two'))
  const id = await start(rig, 'unit', ['--cwd', tree])
  const session = { session_id: '../a\nb\n/bin/sh', cwd: tree }
  assert.match(hook(rig, session).reason, /^unmet criteria: unit\n.*test -f unit/s)
  assert.match(hook(rig, session).reason, /test -f unit/)
  assert.deepEqual(hook(rig, { cwd: tree }).said, { ok: true }, 'it is bound')
  assert.deepEqual(hook(rig, { cwd: join(rig.tree, 'two') }).said, { ok: true })
  assert.deepEqual(readdirSync(markers(rig)).sort(), [`${id}.count`, `${id}.loop`])
})

const whole = { spec: '', criteria: [], status: 'in_progress', maxIterations: null, budgetUsd: null }
const rest = { session: null, id: null, run: null, told: [] }
const spoilt: Record<string, string> = {
  nothing: '',
  'empty lines': '\n\n\n{}\n',
  'no tree': `\n\n\n${JSON.stringify({ ...whole, ...rest })}\n`,
  'the root, and no more': '/\n\n\n{}\n',
  'criteria that are none': `/\n\n\n${JSON.stringify({ ...whole, ...rest, tree: '/', criteria: [7] })}\n`,
  'no JSON': '/\ns1\n\nx',
}

test('a damaged marker holds no session, and blocks none', async t => {
  const rig = makeRig(t)
  mkdirSync(markers(rig), { recursive: true })
  for (const [name, text] of Object.entries(spoilt)) {
    writeFileSync(join(markers(rig), '000000.loop'), text)
    assert.deepEqual(hook(rig).said, { ok: true }, name)
  }
  rmSync(join(markers(rig), '000000.loop'))
  execFileSync('mkfifo', [join(markers(rig), '000000.loop')])
  mkdirSync(join(markers(rig), '000001.loop'))
  const id = await start(rig, 'unit')
  assert.match(hook(rig).reason, /^unmet criteria: unit/)
  for (const count of ['{"blocks":"x","idle":{},"told":"y"}', 'null', '{"blocks":1e999}', '[']) {
    writeFileSync(join(markers(rig), `${id}.count`), count)
    assert.match(hook(rig).reason, /^unmet criteria: unit/, count)
  }
})

test('loops at rest cost the script of the plugin nothing: it does not look at their markers', async t => {
  const rig = makeRig(t)
  const id = await start(rig, 'unit')
  assert.deepEqual(readdirSync(markers(rig)), [`${id}.loop`])
  await rig.loop(['pause', id])
  assert.deepEqual(readdirSync(markers(rig)), [`${id}.rest`])
  rmSync(join(rig.tree, '.loop'), { recursive: true })
  assert.equal(hook(rig, {}, { script: true }).stdout, '')
  await rig.loop(['resume', id])
  assert.ok(readdirSync(markers(rig)).includes(`${id}.loop`))
  assert.equal(hook(rig, {}, { script: true }).said?.['decision'], 'block')
})

/**
 * The plugin in the real opencode: a session that stops early is sent back to work until loop has seen the promise
 * pass; a claim alone ends nothing; other sessions are left alone.
 */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { readMarkers } from '../../src/store/files/session-marker.ts'
import { loopProgram, until } from '../rig/rig.ts'
import type { Turn } from './model-server.ts'
import { run, serve, sparePackage, withPlugin, witnessed } from './opencode-session.ts'
import { type Edit, mendSum, mendTwice, type Place, agentTest as test } from './real.ts'

/** A longer limit: a real program starts slowly on a busy machine. */
const soon: typeof until = (what, look) => until(what, look, 120_000)

const shell = (command: string) => ({ name: 'bash', input: { command, description: 'do it' } })

/** The call by which an agent claims in the state file that all is done. */
const claims = shell(`sed -i 's/: false/: true/' .loop/state.json`)

/** The agent stops early; makes a false claim; then does the work, and claims it again. */
const story = (edit: Edit): Turn[] => [
  { say: 'All done!' },
  { say: 'Then I say so.', tools: [edit(...mendSum), claims] },
  { say: 'Now it is done.' },
  { say: 'There was more.', tools: [edit(...mendTwice), claims] },
  { say: 'Really done.' },
]

/** Starts the loop of the session that will work in this tree. */
async function started({ rig }: Place): Promise<string> {
  const begun = await rig.loop(['start', 'mend sum.mjs', '-p', 'check=node check.mjs', '--session', '--json'])
  assert.equal(begun.code, 0, begun.stderr)
  return JSON.parse(begun.stdout).id
}

function verdicts({ rig }: Place, id: string): string[] {
  return rig
    .events(id)
    .flatMap(event =>
      event.kind === 'promise.verified' ? event.data.results.map(({ verdict }) => verdict) : [],
    )
}

/** The answers of the hook at each stop of this session. */
function saidAtStop(place: Place, session: string): string[] {
  const lines = witnessed(place)
  return lines.flatMap((line, i) =>
    line.startsWith('said stop') && lines[i - 1]?.includes(session) ? line.slice('said stop '.length) : [],
  )
}

function status({ rig }: Place, id: string): Promise<string> {
  return rig.loop(['status', id, '--json']).then(({ stdout }) => JSON.parse(stdout).status)
}

/** The plugin is installed twice, for the user and for the project: it asks once, not twice. `opencode run` has one. */
test('opencode serve: blocked while the promise fails, whatever is claimed; let go when it passes', async t => {
  const place = await withPlugin(t, story)
  assert.equal((await place.rig.loop(['plugin', 'install', 'opencode', '--project'])).code, 0)
  sparePackage(join(place.rig.tree, '.opencode'))
  const id = await started(place)
  const server = await serve(t, place)
  const session = await server.session()
  await server.prompt(session, 'mend it')
  await soon('the loop to complete', () => place.rig.events(id).some(({ kind }) => kind === 'loop.completed'))
  await server.idle(session)
  assert.deepEqual(verdicts(place, id), ['FAIL', 'FAIL', 'PASS'])
  assert.equal(place.server.turnsLeft(), 0)
  const said = (await server.said(session)).join('\n')
  assert.match(said, /^user: mend it\nuser: \[LOOP RESUME\] Active loop detected/)
  assert.match(said, /assistant: All done!\nuser: [^]*unmet criteria: check/)
  assert.match(
    said,
    /assistant: Now it is done\.\nuser: [^]*twice\(4\) is 4/,
    'it is told what the promise printed',
  )
  assert.match(said, /assistant: Really done\.$/)
  const asked = (kind: string) => witnessed(place).filter(line => line.startsWith(`asked ${kind}`)).length
  assert.deepEqual([asked('session-start'), asked('stop')], [1, 3])
})

test('opencode run: the same, and the program ends by itself when loop lets the session go', async t => {
  const place = await withPlugin(t, edit => [...story(edit), { say: 'The end.' }])
  const id = await started(place)
  const ended = await run(place, 'mend it')
  assert.equal(ended.code, 0, ended.stderr)
  assert.deepEqual(verdicts(place, id), ['FAIL', 'FAIL', 'PASS'])
  assert.equal(await status(place, id), 'completed')
  assert.equal(place.server.turnsLeft(), 0)
  assert.match(ended.stderr, new RegExp(`Loop ${id} completed`))
  assert.match(ended.stdout, /All done![^]*Now it is done\.[^]*Really done\.[^]*The end\./)
})

test('a loop that the agent sets up itself is that of its session from the start', async t => {
  const setUp = `'${loopProgram}' start 'mend sum.mjs' -p 'check=node check.mjs' --session --json`
  const place = await withPlugin(t, () => [
    { say: 'First the loop.', tools: [shell(setUp)] },
    { say: 'It is set up.' },
    { say: 'Back to work', breaks: 'hangs' },
  ])
  const server = await serve(t, place)
  const session = await server.session()
  await server.prompt(session, 'set up a loop')
  const marker = await soon('the marker', () => readMarkers(place.rig.paths)[0])
  assert.equal(marker.loop.session, session)
  await soon('the turn after the block', () => place.server.asked.length === 3)
})

test('a session without a loop, and one beside the session of a loop, are left alone', async t => {
  const place = await withPlugin(t, () => [
    { say: 'Hello.' },
    { say: 'Mine.' },
    { say: 'On it', breaks: 'hangs' },
    { say: 'Not mine.' },
  ])
  const server = await serve(t, place)
  const free = await server.session()
  await server.prompt(free, 'hello')
  await soon('its hook', () => saidAtStop(place, free)[0])
  await server.idle(free)
  assert.equal(place.server.asked.length, 1)
  const mine = await server.session()
  const other = await server.session()
  const id = await started(place)
  await server.prompt(mine, 'mend it')
  await soon('the turn after the block', () => place.server.asked.length === 3)
  assert.match((await server.said(mine)).join('\n'), /assistant: Mine\.\nuser: [^]*unmet criteria: check/)
  await server.prompt(other, 'what is this?')
  const answer = await soon('its hook', () => saidAtStop(place, other)[0])
  assert.deepEqual(JSON.parse(answer), { ok: true })
  await server.idle(other)
  assert.equal(place.server.asked.length, 4)
  assert.equal(await status(place, id), 'running')
})

test('a session that its user interrupts, compacts and takes the loop from', async t => {
  const place = await withPlugin(t, () => [
    { say: 'Let me think', breaks: 'hangs' },
    { say: 'Yes?' },
    { say: 'Back to work', breaks: 'hangs' },
    { say: 'Yes', breaks: 'hangs' },
    { say: 'Cancelled.' },
  ])
  const id = await started(place)
  const server = await serve(t, place)
  const session = await server.session()
  const asked = (kind: string) => witnessed(place).filter(line => line.startsWith(`asked ${kind}`)).length
  const interrupt = async () => {
    await server.ask('POST', `/session/${session}/abort`, {})
    await server.idle(session)
  }

  await server.prompt(session, 'mend it')
  await soon('the model', () => place.server.asked.length === 1)
  await interrupt()
  await server.prompt(session, 'wait')
  await soon('the turn after the block', () => place.server.asked.length === 3)
  const [, then = ''] = place.server.asked
  assert.doesNotMatch(then, /unmet criteria/, 'nothing came between the interruption and the next word')
  assert.equal(asked('stop'), 1, 'it is not sent back to work after the interruption')

  await interrupt()
  const before = asked('session-start')
  await server.ask('POST', `/session/${session}/summarize`, { providerID: 'scripted', modelID: 'm1' })
  await server.idle(session)
  await server.prompt(session, 'go on')
  await soon('the model after the compaction', () => place.server.asked.length === 4)
  assert.deepEqual([before, asked('session-start')], [1, 3], 'for the summary, and with the next message')
  assert.match((await server.said(session)).at(-1) ?? '', /\[LOOP RESUME\]/)

  await interrupt()
  const answers = saidAtStop(place, session).length
  await server.ask('POST', `/session/${session}/command`, { command: 'loop:cancel', arguments: '' })
  assert.equal(await status(place, id), 'cancelled')
  const answer = await soon('its hook', () => saidAtStop(place, session)[answers])
  assert.equal(JSON.parse(answer).ok, true, 'the session ends')
  assert.equal(place.server.asked.length, 5)
})

test('the session of an agent that a loop drives belongs to no other loop, with or without the plugin', async t => {
  const place = await withPlugin(t, edit => [
    { say: 'Both at once.', tools: [edit(...mendSum), edit(...mendTwice)] },
    { say: 'Done.' },
  ])
  const ended = await place.rig.loop(place.args)
  assert.equal(ended.code, 0, ended.stderr)
  assert.equal(place.server.turnsLeft(), 0)
  assert.doesNotMatch(place.server.asked.join('\n'), /LOOP RESUME/)
})

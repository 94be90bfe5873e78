/**
 * Output that is broken, endless, or followed by nothing, from every adapter and through the real loop: loop never
 * crashes over it and never takes it for success.
 */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { agentNames } from '../../src/model/agent.ts'
import { type Rig, root } from '../rig/rig.ts'
import { plays, standIn, startWith } from './stand-in.ts'

/** The last line of each agent that prints JSON, up to a place at which it may contain any text. */
const lastWords: Record<string, [program: string, line: string]> = {
  claude: ['claude', '{"type":"result","is_error":false,"result":"'],
  codex: ['codex', '{"type":"turn.completed","usage":{},"x":"'],
  gemini: ['gemini', '{"type":"result","status":"success","x":"'],
  cline: ['cline', '{"type":"run_result","finishReason":"completed","text":"'],
  cursor: ['cursor-agent', '{"type":"result","is_error":false,"result":"'],
}
/** Agents that print text for people: there is no format that could be broken, only a missing line with the usage. */
const textAgents: Record<string, string[]> = { aider: [], custom: ['--agent-cmd', 'custom'] }

const isLong = Boolean(process.env['LOOP_LONG'])
/** More than loop reads of one line. */
const megabytes = isLong ? 100 : 20
const endless = `head -c ${megabytes}000000 /dev/zero | tr '\\0' x`
const html = 'echo "<!DOCTYPE html><h1>502 Bad Gateway</h1>"'

async function crashes(rig: Rig, args: string[], sentence: RegExp): Promise<void> {
  const ended = await rig.loop([...args, '--agent-error-limit', '1'])
  assert.equal(ended.code, 3, ended.stderr)
  assert.equal(ended.stderr, '')
  assert.match(JSON.parse(ended.stdout).reason, sentence)
  const logs = await rig.loop(['logs', '@last'])
  assert.equal(logs.code, 0)
  assert.ok(logs.stdout.length < 10_000)
  assert.doesNotMatch(logs.stdout + logs.stderr, /^ +at /m)
}

const nothing = /^the agent failed: nothing of its output could be understood/

for (const [agent, [program, line]] of Object.entries(lastWords)) {
  const broken: [string, string, RegExp][] = [
    ['a JSON line that is cut', `printf '%s' '${line}'`, nothing],
    ['an HTML page', html, nothing],
    [`a line of ${megabytes} MB`, `printf '%s' '${line}'; ${endless}; echo '"}'`, nothing],
    ['a stream that stops', `${plays(`${agent}.out`)} | head -n 3`, /its output stops in the middle/],
    ['nothing but a complaint', 'echo "no such option" >&2', /its last complaint: no such option$/],
  ]
  for (const [name, script, sentence] of broken) {
    // Lines are cut and complaints are read before an adapter gets them; unit tests cut the stream of each one.
    const isSame = agent !== 'claude' && name !== 'an HTML page' && name !== 'a stream that stops'
    const skip = isSame && !isLong && 'as claude: LOOP_LONG=1'
    test(`${agent} prints ${name}: an agent error, and no success`, { skip }, async t => {
      await crashes(standIn(t, { [program]: script }), startWith(agent), sentence)
    })
  }

  test(`${agent}: the same line, complete, ends the run`, async t => {
    const rig = standIn(t, { [program]: `echo '${line}"}'; touch done` })
    const ended = await rig.loop(startWith(agent))
    assert.equal(ended.code, 0, ended.stdout)
    const end = rig.events(rig.loops()[0] ?? '').find(event => event.kind === 'run.ended')
    assert.equal(end?.data.failed, undefined)
  })
}

for (const [agent, more] of Object.entries(textAgents)) {
  for (const [name, script] of [
    ['a cut line', `printf 'Tokens: 2.3k sent, 1'`],
    ['an HTML page', html],
    [`a line of ${megabytes} MB`, endless],
  ] as const) {
    test(`${agent} prints ${name}: an iteration without success`, async t => {
      const rig = standIn(t, { [agent]: script })
      const ended = await rig.loop(startWith(agent, '-n', '1', ...more))
      assert.equal(ended.code, 1, ended.stdout + ended.stderr)
      const { status, costUsd } = JSON.parse(ended.stdout)
      assert.deepEqual([status, costUsd], ['failed', null])
    })
  }
}

/** The beginning of an answer to the first request of the protocol. */
const answer = '{"jsonrpc":"2.0","id":1,"result":{"x":"'
const ends = /^the agent failed: the agent ended with 0 in the middle$/

for (const [name, script] of [
  ['a message that is cut', `printf '%s' '${answer}'`],
  ['an HTML page', html],
  [`a line of ${megabytes} MB`, `printf '%s' '${answer}'; ${endless}; echo '"}}'`],
] as const) {
  test(`an ACP agent prints ${name}: an agent error, and no success`, async t => {
    const rig = standIn(t, { 'my-acp': `read -r line; ${script}` })
    await crashes(rig, startWith('acp', '--agent-cmd', 'my-acp'), ends)
  })
}

const opencode = `exec node '${join(root, 'test/agents/silent-opencode.mjs')}'`
const opencodeBreaks: [string, RegExp][] = [
  ['cut', /its server ended in the middle$/],
  ['cut line', /its server sent an event that cannot be read: .*session\.idle/],
  ['html', /its server ended in the middle$/],
  ['long', /its server ended in the middle$/],
  ['html answer', /opencode answered what is no JSON to \/session: <!DOCTYPE html>/],
  ['html error', /opencode answered 502 to \/session: <!DOCTYPE html>/],
]

for (const [stream, sentence] of opencodeBreaks) {
  test(`the server of opencode breaks (${stream}): an agent error, and no success`, async t => {
    const rig = standIn(t, { opencode })
    rig.env['STREAM'] = stream
    await crashes(rig, startWith('opencode'), sentence)
  })
}

test('every agent with a program of its own is tested here', () => {
  const here = [...Object.keys(lastWords), ...Object.keys(textAgents), 'acp', 'opencode', 'scripted']
  assert.deepEqual([...agentNames].sort(), here.sort())
})

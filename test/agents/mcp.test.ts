/**
 * `loop mcp` in programs of others. In the real Claude Code a model starts a loop, reports, and asks for the result;
 * the official client 1.x and the real opencode get the reason for each refusal.
 */
import assert from 'node:assert/strict'
import { delimiter, dirname, join } from 'node:path'
import { endDaemon } from '../rig/daemon.ts'
import { loopProgram, makeRig } from '../rig/rig.ts'
import { run, sparePackage } from './opencode-session.ts'
import { mendSum, mendTwice, placeFor, programsDir, agentTest as test } from './real.ts'

const servers = { mcpServers: { loop: { command: loopProgram, args: ['mcp'] } } }

const ask = (name: string, input: Record<string, unknown>) => ({ name: `mcp__loop__${name}`, input })

test('claude: its model calls the tools of loop, and the server knows its session', async t => {
  const both = [mendSum, mendTwice].map(([from, to]) => `s/${from}/${to.replaceAll('*', '\\*')}/`).join(';')
  const start = {
    prompt: 'mend sum.mjs',
    promise: 'check=node check.mjs',
    agent: 'custom',
    agent_cmd: `sed -i '${both}' sum.mjs`,
  }
  const { rig, server } = await placeFor(t, 'claude', () => [
    { say: 'I have it done.', tools: [ask('start', start)] },
    { say: 'Whose session?', tools: [ask('tasks', {})] },
    { say: 'And?', tools: [ask('status', { loop: 'nope' })] },
    { say: 'It runs.' },
  ])
  rig.atEnd(() => endDaemon(rig))
  const args = [
    'claude',
    '-p',
    'have it mended',
    '--strict-mcp-config',
    '--mcp-config',
    JSON.stringify(servers),
  ]
  const ended = await rig.spawn(
    [...args, '--allowedTools', 'mcp__loop__start,mcp__loop__status,mcp__loop__tasks'],
    {
      program: 'env',
    },
  ).ended
  assert.equal(ended.code, 0, ended.stdout + ended.stderr)
  assert.match(ended.stdout, /It runs\./)
  const [id = ''] = rig.loops()
  const [, second = '', third = '', fourth = ''] = server.asked
  assert.ok(second.includes(id), 'the model is told the id')
  assert.match(third, /\\"session\\":\\"[0-9a-f-]{36}\\"/)
  assert.match(fourth, /There is no loop nope\./)
})

/** A client of the first SDK discards an answer that does not fit the schema of the tool. */
test('the official client 1.x is told why something is refused', async t => {
  const rig = makeRig(t)
  const load = (path: string) =>
    import(join(programsDir(), '..', '@modelcontextprotocol', 'sdk', 'dist', 'esm', 'client', path))
  const [{ Client }, { StdioClientTransport }] = await Promise.all([load('index.js'), load('stdio.js')])
  const client = new Client({ name: 'test', version: '1' })
  const env = { ...rig.env, PATH: [dirname(process.execPath), rig.env['PATH']].join(delimiter) }
  await client.connect(new StdioClientTransport({ command: loopProgram, args: ['mcp'], env, cwd: rig.tree }))
  t.after(() => client.close())
  // The client checks answers only against the schemas of tools that it has listed.
  await client.listTools()
  const refusals: [string, Record<string, unknown>, RegExp][] = [
    ['inject', { loop: 'zzzzzz', text: 'hi' }, /^There is no loop zzzzzz\./],
    ['criteria', {}, /^No loop is open in /],
    ['history', { loop: 'zzzzzz' }, /^There is no loop zzzzzz\./],
    ['tasks', {}, /^This server belongs to no session/],
    ['report', { criterion: 'x', met: true }, /^No loop is open in /],
    ['start', { prompt: 'x', promise: 'true', agent: 'claud' }, /Did you mean claude/],
    ['start', { prompt: '-', promise: 'true' }, /^Give the prompt as text: there is no standard input here/],
  ]
  for (const [name, asked, message] of refusals) {
    const answer = await client.callTool({ name, arguments: asked })
    assert.equal(answer.isError, true, name)
    assert.match(answer.content[0].text, message, name)
  }
})

test('opencode: its model reads why loop refuses', async t => {
  const place = await placeFor(t, 'opencode', () => [
    { say: 'I tell it.', tools: [{ name: 'loop_inject', input: { loop: 'zzzzzz', text: 'hi' } }] },
    { say: 'There is none.' },
  ])
  const { rig, server } = place
  const config = JSON.parse(rig.env['OPENCODE_CONFIG_CONTENT'] ?? '')
  const mcp = { loop: { type: 'local', command: [loopProgram, 'mcp'] } }
  rig.env['OPENCODE_CONFIG_CONTENT'] = JSON.stringify({ ...config, mcp })
  sparePackage(join(rig.env['HOME'] ?? '', '.config', 'opencode'))
  const ended = await run(place, 'tell the loop')
  assert.equal(ended.code, 0, ended.stdout + ended.stderr)
  const told = server.asked.find(asked => asked.includes('"tool"') && asked.includes('zzzzzz'))
  assert.match(told ?? '', /There is no loop zzzzzz\. See the ones there are with: loop list/)
})

/** `loop mcp` in the real Claude Code: a model starts a loop through it, reports, and looks what became of it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endDaemon } from '../rig/daemon.ts'
import { loopProgram } from '../rig/rig.ts'
import { mendSum, mendTwice, placeFor } from './real.ts'

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

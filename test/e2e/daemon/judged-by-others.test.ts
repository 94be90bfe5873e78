/**
 * Files that loop serves and ships, checked by the tools that others use for them: redocly, spectral, promtool, the MCP
 * Inspector and shellcheck. Only in the long tests, and only if installed: on PATH, or beside the agent programs.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { api, ask, serveForTests } from '../../rig/api.ts'
import { loopProgram, root } from '../../rig/rig.ts'

const isLong = Boolean(process.env['LOOP_LONG'])
const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache')
const agents = process.env['LOOP_AGENTS_DIR'] ?? join(cache, 'loop-agents')
const path = [process.env['PATH'] ?? '', join(agents, 'node_modules', '.bin')].join(delimiter)

function installed(program: string): boolean {
  return path.split(delimiter).some(dir => existsSync(join(dir, program)))
}

type Judged = { program: string; args: string[]; input?: string; env?: NodeJS.ProcessEnv }

function judge({ program, args, input, env }: Judged) {
  const ended = spawnSync(program, args, {
    cwd: api.rig.aside,
    encoding: 'utf8',
    input: input ?? '',
    env: { ...(env ?? api.rig.env), PATH: path },
    timeout: 600_000,
  })
  return { code: ended.status, said: `${ended.stdout}${ended.stderr}`, stdout: ended.stdout }
}

function judging(program: string, judgement: (t: TestContext) => Promise<void>): void {
  const skip = !isLong ? 'only with LOOP_LONG=1' : !installed(program) && `${program} is not installed`
  test(`${program} finds no error`, { skip }, judgement)
}

if (isLong) serveForTests()

async function document(name: string): Promise<string> {
  const { text, status } = await ask(name, { headers: { authorization: `Bearer ${api.token}` } })
  assert.equal(status, 200)
  return text
}

judging('redocly', async () => {
  writeFileSync(join(api.rig.aside, 'openapi.json'), await document('/openapi.json'))
  const env = { ...api.rig.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const { code, said } = judge({ program: 'redocly', args: ['lint', 'openapi.json'], env })
  assert.equal(code, 0, said)
})

judging('spectral', async () => {
  writeFileSync(join(api.rig.aside, 'openapi.json'), await document('/openapi.json'))
  writeFileSync(join(api.rig.aside, '.spectral.yaml'), 'extends: spectral:oas\n')
  const args = ['lint', '--fail-severity', 'error', 'openapi.json']
  const { code, said } = judge({ program: 'spectral', args })
  assert.equal(code, 0, said)
})

judging('promtool', async () => {
  const metrics = await document('/metrics')
  const { code, said } = judge({ program: 'promtool', args: ['check', 'metrics'], input: metrics })
  assert.equal(code, 0, said)
})

judging('mcp-inspector', async () => {
  const inspect = (...args: string[]) =>
    judge({ program: 'mcp-inspector', args: ['--cli', loopProgram, 'mcp', ...args] })
  const listed = inspect('--method', 'tools/list')
  assert.equal(listed.code, 0, listed.said)
  assert.match(listed.stdout, /"name": "inject"/)
  const call = '--method tools/call --tool-name inject --tool-arg loop=zzzzzz --tool-arg text=hi'
  const refused = inspect(...call.split(' '))
  assert.match(refused.said, /There is no loop zzzzzz\. See the ones there are with: loop list/)
})

judging('shellcheck', async () => {
  const scripts = [
    'bin/loop',
    'bin/loopd',
    'plugins/claude-code/hooks/loop.sh',
    'src/platform/linux/shim.sh',
    ...readdirSync(join(root, 'scripts')).map(name => join('scripts', name)),
  ].filter(name => readFileSync(join(root, name), 'utf8').startsWith('#!/bin/sh'))
  assert.ok(scripts.length > 4)
  const { code, said } = judge({
    program: 'shellcheck',
    args: ['--severity=error', ...scripts.map(name => join(root, name))],
  })
  assert.equal(code, 0, said)
})

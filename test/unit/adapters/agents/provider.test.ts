/** The hosts of an agent's model, as its environment says. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agents } from '../../../../src/adapters/agents/agent.ts'
import { parseReach } from '../../../../src/model/loop/network.ts'

test('every host of an agent is one that can be listed', () => {
  const everything = Object.fromEntries(
    ['ANTHROPIC', 'OPENAI', 'GEMINI', 'OPENROUTER', 'DEEPSEEK', 'GROQ', 'MISTRAL', 'XAI'].map(name => [
      `${name}_API_KEY`,
      'x',
    ]),
  )
  const clouds = [
    { CLAUDE_CODE_USE_BEDROCK: '1' },
    { CLAUDE_CODE_USE_VERTEX: '1' },
    { GOOGLE_GENAI_USE_VERTEXAI: '1' },
  ]
  for (const env of [{}, everything, ...clouds]) {
    for (const [name, agent] of Object.entries(agents))
      for (const host of agent.provider?.(env) ?? []) assert.ok(parseReach(host), `${name}: ${host}`)
  }
})

test('an address in the environment is the provider, in place of the usual hosts', () => {
  const rows: [keyof typeof agents, NodeJS.ProcessEnv, string[]][] = [
    ['claude', { ANTHROPIC_BASE_URL: 'http://127.0.0.1:4000/v1' }, ['127.0.0.1:4000']],
    ['claude', { ANTHROPIC_BASE_URL: 'https://user:key@gate.example' }, ['gate.example:443']],
    ['claude', { ANTHROPIC_BASE_URL: 'not an address' }, []],
    ['codex', { OPENAI_BASE_URL: 'http://gate.example' }, ['gate.example:80']],
    ['gemini', { GOOGLE_GEMINI_BASE_URL: 'http://[fd00::1]:8080' }, ['[fd00::1]:8080']],
    ['custom', { OPENAI_API_KEY: 'x' }, ['api.openai.com']],
    [
      'custom',
      { OPENAI_API_KEY: 'x', OPENAI_API_BASE: 'https://gate.example:8443/v1' },
      ['gate.example:8443'],
    ],
    ['custom', {}, []],
    [
      'claude',
      { CLAUDE_CODE_USE_BEDROCK: '1', AWS_REGION: 'eu-west-1' },
      ['bedrock', 'bedrock-runtime', 'sts', 'oidc', 'portal.sso'].map(
        name => `${name}.eu-west-1.amazonaws.com`,
      ),
    ],
  ]
  for (const [name, env, expected] of rows) assert.deepEqual(agents[name].provider?.(env), expected, name)
})

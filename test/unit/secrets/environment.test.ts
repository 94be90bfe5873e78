/**
 * The part of an environment that reaches agent and promise: variables that projects need, but no secrets of others.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keysOf } from '../../../src/adapters/agents/agent.ts'
import type { AgentName } from '../../../src/model/agent.ts'
import { type Reach, reached } from '../../../src/secrets/environment.ts'
import { ordinary, random } from '../../rig/ordinary-env.ts'

const nobody: Reach = { pass: [], own: [], commands: [] }

function passes(name: string, value: string, reach: Partial<Reach> = {}): boolean {
  return name in reached({ [name]: value }, { ...nobody, ...reach }).env
}

test('what ordinary promises are run with reaches them', () => {
  for (const [name, value] of ordinary) assert.ok(passes(name, value), name)
})

const secrets: [string, string][] = [
  ['AWS_SECRET_ACCESS_KEY', random],
  ['AWS_ACCESS_KEY_ID', `${'AKIA'}IOSFODNN7EXAMPLE`],
  ['AWS_SESSION_TOKEN', random],
  ['GITHUB_TOKEN', random],
  ['GH_TOKEN', random],
  ['GITLAB_PRIVATE_TOKEN', random],
  ['SLACK_BOT_TOKEN', random],
  ['SLACK_WEBHOOK_URL', 'https://hooks.example.org/T1/B2/x'],
  ['SENTRY_DSN', 'https://abc@sentry.example.org/1'],
  ['SENTRY_AUTH_TOKEN', random],
  ['CLOUDFLARE_API_TOKEN', random],
  ['CARGO_REGISTRY_TOKEN', random],
  ['TWINE_PASSWORD', random],
  ['SMTP_PASS', 'hunter2'],
  ['ACME_SECRET', 'word'],
  ['AZURE_STORAGE_CONNECTION_STRING', `AccountKey=${random}`],
  ['VAULT_TOKEN', random],
  ['OP_SERVICE_ACCOUNT_TOKEN', random],
  ['HOMEBREW_GITHUB_API_TOKEN', random],
  ['JIRA_PAT', random],
  ['DEPLOY_KEYS', random],
  ['BACKUP_PASSPHRASE', 'several words of it'],
  ['UNTOLD', `${'ghp'}_aB3dE6gH9jK2mN5pQ8sT1vW4xY7zA0cFaB3d`],
  ['ARTIFACTS', `https://me:${random}@files.example.org/`],
  ['ANTHROPIC_API_KEY', random],
  ['OPENAI_API_KEY', random],
]

test('a secret that neither an agent nor a promise needs is left out, and its name is shown', () => {
  for (const [name, value] of secrets) {
    assert.deepEqual(reached({ [name]: value, A: '1' }, nobody), { env: { A: '1' }, leftOut: [name] })
  }
})

test('the user lets through by name, by a command that uses it, and leaves out by !name', () => {
  assert.ok(passes('ACME_SECRET', random, { pass: ['ACME_*'] }))
  for (const pattern of ['acme_*', '*SECRET', 'A*_*T', '**', 'ACME*SECRET', 'ACME_SECRET*'])
    assert.ok(passes('ACME_SECRET', random, { pass: [pattern] }), pattern)
  for (const pattern of ['ACME', 'CME_*', '*SECRE', 'ACME_S*SECRET', 'A*X*T', '.*', 'ACME_SECRE.'])
    assert.ok(!passes('ACME_SECRET', random, { pass: [pattern] }), pattern)
  assert.ok(passes('ACME_SECRET', random, { pass: ['*'] }))
  assert.ok(passes('ACME_SECRET', random, { commands: ['curl -H "x: $ACME_SECRET" localhost'] }))
  assert.ok(passes('ACME_SECRET', random, { commands: ['test "${ACME_SECRET:-}"'] }))
  assert.ok(!passes('ACME_SECRET', random, { commands: ['grep -rq ACME_SECRET . || echo $ACME_SECRETS'] }))
  assert.ok(!passes('SSH_AUTH_SOCK', '/run/ssh', { pass: ['!SSH_AUTH_SOCK'] }))
  assert.ok(!passes('DATABASE_URL', 'x', { pass: ['!*'] }))
  assert.ok(passes('DATABASE_URL', 'x', { pass: ['!*', 'DATABASE_URL'] }))
  for (const name of ['PATH', 'HOME', 'LC_CTYPE', 'LOOP_ID'])
    assert.ok(passes(name, 'x', { pass: ['!*'] }), name)
})

test('what is configured as a secret is one', () => {
  assert.ok(passes('ACME_NUMBER', '123456789'))
  const env = { ACME_NUMBER: '123456789', LOOP_SECRET_NAMES: 'OTHER, ACME_*' }
  assert.deepEqual(reached(env, nobody).leftOut, ['ACME_NUMBER'])
})

test('the keys of an agent reach that agent, and those of the cloud that it goes through', () => {
  const rows: [AgentName, string, NodeJS.ProcessEnv, boolean][] = [
    ['claude', 'ANTHROPIC_API_KEY', {}, true],
    ['claude', 'CLAUDE_CODE_OAUTH_TOKEN', {}, true],
    ['claude', 'OPENAI_API_KEY', {}, false],
    ['claude', 'AWS_SECRET_ACCESS_KEY', {}, false],
    ['claude', 'AWS_SECRET_ACCESS_KEY', { CLAUDE_CODE_USE_BEDROCK: '1' }, true],
    ['codex', 'OPENAI_API_KEY', {}, true],
    ['codex', 'ANTHROPIC_API_KEY', {}, false],
    ['gemini', 'GEMINI_API_KEY', {}, true],
    ['cursor', 'CURSOR_API_KEY', {}, true],
    ['opencode', 'DEEPSEEK_API_KEY', {}, true],
    ['aider', 'OPENROUTER_API_KEY', {}, true],
    ['cline', 'CLINE_API_KEY', {}, true],
    ['custom', 'ANTHROPIC_API_KEY', {}, true],
    ['custom', 'GITHUB_TOKEN', {}, false],
    ['acp', 'GEMINI_API_KEY', {}, true],
    ['scripted', 'OPENAI_API_KEY', {}, false],
  ]
  for (const [agent, name, env, isPassed] of rows) {
    const own = keysOf(agent, { env })
    assert.equal(passes(name, random, { own }), isPassed, `${agent} ${name}`)
  }
})

/** The sign-in check of each agent for an empty home, for a key, and for traces that prove nothing. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { agents } from '../../../../src/adapters/agents/agent.ts'
import type { SignedIn } from '../../../../src/adapters/agents/provider.ts'
import { type AgentName, agentNames } from '../../../../src/model/agent.ts'

type Case = { env?: Record<string, string>; files?: string[]; text?: string; is: SignedIn }

const cases: Record<AgentName, Case[]> = {
  claude: [
    { is: 'no' },
    { env: { ANTHROPIC_API_KEY: '' }, is: 'no' },
    { env: { ANTHROPIC_API_KEY: 'k' }, is: 'yes' },
    { env: { CLAUDE_CODE_OAUTH_TOKEN: 'k' }, is: 'yes' },
    { env: { OPENAI_API_KEY: 'k' }, is: 'no' },
    { files: ['home/.claude/.credentials.json'], is: 'yes' },
    { env: { CLAUDE_CONFIG_DIR: 'elsewhere' }, files: ['home/.claude/.credentials.json'], is: 'no' },
    { env: { CLAUDE_CODE_USE_BEDROCK: '1' }, is: 'unknown' },
    { files: ['home/.claude.json'], is: 'unknown' },
    { files: ['home/.claude/settings.json'], is: 'unknown' },
  ],
  codex: [
    { is: 'no' },
    { env: { CODEX_API_KEY: 'k' }, is: 'yes' },
    { files: ['home/.codex/auth.json'], is: 'yes' },
    { env: { CODEX_HOME: 'elsewhere' }, files: ['home/.codex/auth.json'], is: 'no' },
    { files: ['home/.codex/config.toml'], is: 'unknown' },
  ],
  gemini: [
    { is: 'no' },
    { env: { GEMINI_API_KEY: 'k' }, is: 'yes' },
    { files: ['home/.gemini/oauth_creds.json'], is: 'yes' },
    { files: ['home/.gemini/settings.json'], is: 'unknown' },
    { files: ['tree/.env'], is: 'unknown' },
  ],
  cline: [
    { is: 'no' },
    { env: { CLINE_API_KEY: 'k' }, is: 'yes' },
    { files: ['home/.cline/data/settings/providers.json'], is: 'unknown' },
  ],
  opencode: [
    { is: 'no' },
    { env: { OPENROUTER_API_KEY: 'k' }, is: 'yes' },
    { files: ['home/.local/share/opencode/auth.json'], is: 'yes' },
    { env: { FIREWORKS_API_KEY: 'k' }, is: 'unknown' },
    { env: { AWS_BEARER_TOKEN_BEDROCK: 'k' }, is: 'unknown' },
    { env: { GITHUB_TOKEN: 'k' }, is: 'unknown' },
    { env: { CLAUDE_CODE_OAUTH_TOKEN: 'k' }, is: 'no' },
    { files: ['home/.opencode/opencode.json'], text: '{"provider":{}}', is: 'unknown' },
    { env: { OPENCODE_CONFIG_CONTENT: '{}' }, is: 'unknown' },
    { files: ['home/.config/opencode/opencode.jsonc'], text: '{ "provider": {} }', is: 'unknown' },
    { files: ['home/.config/opencode/opencode.jsonc'], text: '{ "$schema": "x" }', is: 'no' },
    { files: ['opencode.json'], text: '{"model":"local/m1"}', is: 'unknown' },
    { files: ['opencode.json/is-a-directory'], is: 'unknown' },
    { files: ['home/.opencode/bin/opencode'], is: 'no' },
  ],
  aider: [{ is: 'unknown' }, { env: { OPENAI_API_KEY: 'k' }, is: 'yes' }],
  cursor: [{ is: 'unknown' }, { env: { CURSOR_API_KEY: 'k' }, is: 'yes' }],
  custom: [{ is: 'unknown' }],
  acp: [{ is: 'unknown' }],
  scripted: [{ is: 'yes' }],
}

for (const agent of agentNames) {
  for (const { env = {}, files = [], text = '', is } of cases[agent]) {
    const given = [...Object.keys(env), ...files, text].filter(Boolean).join(', ') || 'an empty home'
    test(`${agent} with ${given}: ${is}`, t => {
      const base = mkdtempSync(join(tmpdir(), 'loop-sign-in-'))
      t.after(() => rmSync(base, { recursive: true, force: true }))
      for (const file of files) {
        mkdirSync(dirname(join(base, file)), { recursive: true })
        writeFileSync(join(base, file), text)
      }
      const place = { cwd: join(base, 'tree'), env: { HOME: join(base, 'home'), ...env } }
      assert.equal(agents[agent].signedIn(place), is)
    })
  }
}

/**
 * The agent of a start if none is named, the agent that --agent-cmd belongs to, and the consent that opencode needs.
 */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failureWords } from '../../../src/failures/words.ts'
import type { AgentName } from '../../../src/model/agent.ts'
import type { Result } from '../../../src/model/failure.ts'
import { resolveStart, type StartWish } from '../../../src/options/resolve.ts'
import type { AgentFacts, System } from '../../../src/options/system.ts'
import { startFlags } from '../../../src/options/table/start.ts'
import { valuesOf } from '../../../src/options/values.ts'
import { madeUpMachine } from '../../rig/made-up-system.ts'

type SignedIn = ReturnType<AgentFacts['signedIn']>

/** A machine with these programs installed. */
function withAgents(installed: Partial<Record<AgentName, SignedIn>>, more: Partial<System> = {}): System {
  const { agent } = madeUpMachine()
  return madeUpMachine({
    agent: name => ({
      ...agent(name),
      isInstalled: () => name in installed,
      signedIn: () => installed[name] ?? 'no',
    }),
    ...more,
  })
}

function start(system: System, options: Record<string, string> = {}): Result<StartWish> {
  const given = Object.entries({ promise: 'npm test', ...options })
  const values = valuesOf(startFlags, new Map(given.map(([name, value]) => [name, [value]])), {
    env: system.env,
  })
  return resolveStart({ prompt: 'do it', values }, system)
}

function specOf(wish: Result<StartWish>) {
  assert.ok(wish.ok, JSON.stringify(wish))
  return wish.value.spec
}

const because = 'the only one that is installed and signed in; another one: --agent <name>'

test('not named: the only agent that is installed and signed in, and the start says why', () => {
  const rows: [Partial<Record<AgentName, SignedIn>>, AgentName][] = [
    [{ claude: 'yes' }, 'claude'],
    [{ claude: 'yes', opencode: 'no', gemini: 'no' }, 'claude'],
    [{ claude: 'yes', codex: 'yes' }, 'opencode'],
    // opencode may be the one in use: loop does not read its configuration.
    [{ claude: 'yes', opencode: 'unknown' }, 'opencode'],
    [{ claude: 'unknown' }, 'opencode'],
    [{ opencode: 'yes', claude: 'no' }, 'opencode'],
    [{}, 'opencode'],
  ]
  for (const [installed, agent] of rows) {
    const spec = specOf(start(withAgents(installed), { yes: 'true' }))
    assert.equal(spec.agent, agent, JSON.stringify(installed))
    assert.equal(spec.agentNotes?.includes(because), agent !== 'opencode')
  }
})

test('named, or with a program of its own: that one', () => {
  const system = withAgents({ claude: 'yes' })
  assert.equal(specOf(start(system, { agent: 'codex' })).agent, 'codex')
  assert.equal(specOf(start(system, { 'agent-cmd': '/bin/oc', yes: 'true' })).agent, 'opencode')
  const env = { ...system.env, LOOP_AGENT: 'gemini' }
  assert.equal(specOf(start(withAgents({ claude: 'yes' }, { env }))).agent, 'gemini')
})

test('--agent-cmd is the command of the fallback that needs one', () => {
  const { agentCmd, fallbacks } = specOf(
    start(madeUpMachine(), { agent: 'claude', 'fallback-agent': 'codex,custom', 'agent-cmd': 'my --agent' }),
  )
  assert.equal(agentCmd, '/bin/claude')
  assert.deepEqual(fallbacks, [
    { agent: 'codex', agentCmd: '/bin/codex' },
    { agent: 'custom', agentCmd: 'my --agent' },
  ])
  const own = specOf(
    start(madeUpMachine(), { agent: 'custom', 'fallback-agent': 'codex', 'agent-cmd': 'my --agent' }),
  )
  assert.deepEqual([own.agentCmd, own.fallbacks?.[0]?.agentCmd], ['my --agent', '/bin/codex'])
})

test('opencode without a provider: only with the word of the user', () => {
  const questions: string[] = []
  const asks = (answer: boolean): Partial<System> => ({
    agreesToHostedModel(question) {
      questions.push(question)
      return answer
    },
  })
  const none = { opencode: 'no' } as const
  const refused = start(withAgents(none, asks(false)))
  assert.ok(!refused.ok)
  assert.equal(refused.failure.reason, 'not-allowed')
  assert.match(failureWords(refused.failure), /opencode auth login.*--model.*--agent.*--yes$/)
  assert.match(
    questions[0] ?? '',
    /a model that its makers host.*\nGo on\? You are asked only once\. \[y\/N\] $/,
  )
  assert.equal(specOf(start(withAgents(none, asks(true)))).agent, 'opencode')
  const asFallback = { agent: 'claude', 'fallback-agent': 'opencode', model: 'large' }
  assert.ok(!start(withAgents({ ...none, claude: 'yes' }, asks(false)), asFallback).ok)
  assert.equal(questions.length, 3)
})

test('opencode: nobody is asked where a provider may be set up, the model is named, or the start is refused', () => {
  const never: Partial<System> = {
    agreesToHostedModel() {
      throw new Error('asked')
    },
  }
  const none = withAgents({ opencode: 'no' }, never)
  for (const options of [{ yes: 'true' }, { 'dry-run': 'true' }, { model: 'opencode/big-pickle' }]) {
    assert.equal(specOf(start(none, options)).agent, 'opencode')
  }
  for (const signedIn of ['yes', 'unknown'] as const) {
    assert.equal(specOf(start(withAgents({ opencode: signedIn }, never))).agent, 'opencode')
  }
  assert.ok(!start(none, { 'max-wait': 'soon' }).ok)
  assert.equal(specOf(start(none, { session: 'true' })).session?.run, null)
})

test('an agent that is older than supported is told at the start, with the way to update it', () => {
  const { agent } = madeUpMachine()
  const old = {
    version: '2.1.99',
    oldest: '2.1.197',
    update: 'npm install -g @anthropic-ai/claude-code@latest',
  }
  const system = madeUpMachine({ agent: name => ({ ...agent(name), outdated: () => old }) })
  const spec = specOf(start(system, { agent: 'claude' }))
  assert.equal(
    spec.agentNotes?.[0],
    'version 2.1.99 is older than 2.1.197, which loop supports; update it with: npm install -g @anthropic-ai/claude-code@latest',
  )
})

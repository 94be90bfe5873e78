/** The options of a resume, on a simulated machine: only named options change, by the rules of a start. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failureWords } from '../../../src/failures/words.ts'
import { exitCodeOf, fail, type Result } from '../../../src/model/failure.ts'
import type { Spec } from '../../../src/model/loop/spec.ts'
import { resolveResume, resumeRequest } from '../../../src/options/request.ts'
import { resumeFrom } from '../../../src/options/resume.ts'
import { changeFlags, resumeFlags } from '../../../src/options/table/command.ts'
import { startFlags } from '../../../src/options/table/start.ts'
import { valuesOf } from '../../../src/options/values.ts'
import { aSpec } from '../../rig/given.ts'
import { madeUpMachine, tree } from '../../rig/made-up-system.ts'

const claude: Partial<Spec> = {
  agent: 'claude',
  agentCmd: '/bin/claude',
  agentNotes: ['old'],
  model: 'opus',
  contextMode: 'continue',
  fallbacks: [
    { agent: 'codex', agentCmd: '/bin/codex' },
    { agent: 'gemini', agentCmd: '/bin/gemini' },
  ],
  price: { input: 3, output: 15, cached: 0.3 },
}

function asked(given: Record<string, string>, spec: Partial<Spec> = claude, system = madeUpMachine()) {
  const typed = new Map(Object.entries(given).map(([name, text]): [string, string[]] => [name, [text]]))
  // Variables of the environment count for a start only.
  const env = { LOOP_MAX_ITER: '7', LOOP_TIMEOUT: '9m', LOOP_AGENT: 'aider' }
  return resumeFrom(valuesOf(resumeFlags, typed, { env }), system, aSpec(spec))
}

function changed(given: Record<string, string>, spec?: Partial<Spec>) {
  const changes = asked(given, spec)
  assert.ok(changes.ok, JSON.stringify(changes))
  return changes.value
}

function refused(changes: Result<unknown>, message: RegExp): void {
  assert.ok(!changes.ok, String(message))
  assert.match(failureWords(changes.failure), message)
  assert.equal(exitCodeOf(changes.failure.reason), 4)
}

test('only what was given is changed, by the same rules as at a start', () => {
  assert.deepEqual(changed({}), {})
  const rows: [string, string, object][] = [
    ['max-iterations', '20', { maxIterations: 20 }],
    ['max-iterations', 'unlimited', { maxIterations: null }],
    ['budget', 'none', { budgetUsd: null }],
    ['timeout', '15m', { timeoutMs: 900_000 }],
    ['idle-timeout', '90s', { idleTimeoutMs: 90_000 }],
    ['verify-timeout', '1h', { verifyTimeoutMs: 3_600_000 }],
    ['max-wait', '2d', { maxWaitMs: 172_800_000 }],
  ]
  for (const [name, text, expected] of rows) assert.deepEqual(changed({ [name]: text }), expected, name)
  refused(
    asked({ 'max-iterations': '0' }),
    /^--max-iterations is a whole number of at least 1, or unlimited; not "0"\.$/,
  )
  refused(asked({ timeout: 'long' }), /^--timeout is a time like 90s, 5m or 1h30m; not "long"\.$/)
})

test('the sandbox of a loop stays as it is until something is said of it', () => {
  const held: Partial<Spec> = { sandbox: { level: 'files', write: ['/made-up/tree/more'] } }
  assert.deepEqual(changed({}, held), {})
  assert.deepEqual(changed({ sandbox: 'off' }, held), { sandbox: { level: 'none' } })
  assert.deepEqual(changed({ sandbox: 'auto' }, held), { sandbox: held.sandbox })
  const more = changed({ 'sandbox-write': '/made-up/tree/other' }, held)
  assert.deepEqual(more, { sandbox: { level: 'files', write: ['/made-up/tree/other'] } })
  const none = madeUpMachine({ sandbox: () => ({ why: 'no-program', said: '' }) })
  refused(asked({ sandbox: 'required' }, {}, none), /^--sandbox required, and there is none: bubblewrap/)
})

test('another agent is one that can run, without the model and the price of the one before', () => {
  const { agent } = changed({ agent: 'codex' })
  assert.deepEqual(agent?.agentNotes?.[0]?.startsWith('does without asking: '), true)
  assert.deepEqual(
    { ...agent, agentNotes: [] },
    {
      agent: 'codex',
      agentCmd: '/bin/codex',
      agentNotes: [],
      contextMode: 'continue',
      fallbacks: [{ agent: 'gemini', agentCmd: '/bin/gemini' }],
    },
  )
  const missing = madeUpMachine({
    agent: name => ({
      ...madeUpMachine().agent(name),
      find: () => fail('agent-missing', { kind: 'agent-not-on-path', program: name }),
    }),
  })
  refused(asked({ agent: 'codex' }, claude, missing), /^The program codex is not on the PATH\.$/)
  refused(asked({ agent: 'gpt' }), /^There is no agent gpt\. /)
})

test('an agent that cannot continue a session begins each iteration anew, and that is said', () => {
  const { agent } = changed({ agent: 'custom', 'agent-cmd': 'mine' })
  assert.equal(agent?.contextMode, undefined)
  assert.match(agent?.agentNotes?.at(-1) ?? '', /^it cannot continue a session/)
})

test('the same agent with another command keeps the other options', () => {
  const kept = { contextMode: 'continue', fallbacks: claude.fallbacks }
  const { agentNotes: _, ...model } = changed({ model: 'sonnet' }).agent ?? {}
  assert.deepEqual(model, { ...kept, agent: 'claude', agentCmd: '/bin/claude', model: 'sonnet' })
  const { agentNotes: __, ...program } = changed({ 'agent-cmd': '/opt/claude' }).agent ?? {}
  const { price } = claude
  assert.deepEqual(program, { ...kept, agent: 'claude', agentCmd: '/opt/claude', model: 'opus', price })
  const others = changed({ 'fallback-agent': 'aider' }).agent?.fallbacks
  assert.deepEqual(others, [{ agent: 'aider', agentCmd: '/bin/aider' }])
  assert.deepEqual(changed({ model: 'sonnet', price: '1/2/0.5' }).agent?.price, {
    input: 1,
    output: 2,
    cached: 0.5,
  })
  refused(asked({ model: 'opus' }, {}), /^The agent custom has no --model\./)
})

test('what a sandbox may reach is changed alone, and the rest of it stays', () => {
  const held = { sandbox: { level: 'files' as const, write: [tree], network: ['a.example'] } }
  assert.deepEqual(changed({ 'sandbox-network': 'b.example' }, held).sandbox, {
    ...held.sandbox,
    network: ['b.example'],
  })
  assert.deepEqual(changed({ 'sandbox-network': 'open' }, held).sandbox, { level: 'files', write: [tree] })
  assert.deepEqual(changed({ sandbox: 'auto' }, held).sandbox, held.sandbox)
  const closed = { sandbox: { level: 'files' as const, network: [] } }
  assert.deepEqual(changed({ sandbox: 'required' }, closed).sandbox, closed.sandbox)
  assert.deepEqual(changed({ sandbox: 'off' }, held).sandbox, { level: 'none' })
})

test('of a loop whose work is done in a session only what holds it there can be changed', () => {
  const session = { session: { run: null } }
  assert.deepEqual(changed({ 'max-iterations': '20', 'verify-timeout': '1m' }, session), {
    maxIterations: 20,
    verifyTimeoutMs: 60_000,
  })
  for (const flag of ['agent', 'timeout', 'max-wait']) {
    const given = { [flag]: flag === 'agent' ? 'codex' : '1m' }
    refused(asked(given, session), new RegExp(`loop starts no agent\\. Leave out --${flag}\\.$`))
  }
})

test('a program asks for the same by the keys of a start, or by the older names of two of them', () => {
  const body = { kind: 'resume', timeout: '15m', agent: 'codex', max_iterations: 20, attended: false }
  const system = madeUpMachine()
  const asJson = (json: object) => resolveResume(resumeRequest.parse(json), system, aSpec(claude))
  const typed = changed({ timeout: '15m', agent: 'codex', 'max-iterations': '20' })
  assert.deepEqual(asJson(body), { ok: true, value: { kind: 'resume', attended: false, ...typed } })
  assert.deepEqual(asJson({ kind: 'resume', maxIterations: null, budgetUsd: 3.5 }), {
    ok: true,
    value: { kind: 'resume', maxIterations: null, budgetUsd: 3.5 },
  })
  refused(asJson({ kind: 'resume', timeout: 'long' }), /^--timeout is a time/)
  assert.equal(resumeRequest.safeParse({ kind: 'resume', agentCmd: 'x' }).success, false)
})

test('every flag that changes something is one of a start, and has no default here', () => {
  for (const flag of changeFlags) {
    const row = startFlags.find(({ name }) => name === flag.name)
    assert.equal(flag.takes, row?.takes)
    assert.equal(flag.default ?? flag.env ?? flag.config, undefined)
  }
})

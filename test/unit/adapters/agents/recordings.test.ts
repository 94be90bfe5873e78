/**
 * What the recorded streams of the agents come to, and that no stream, however broken, makes a reader throw or
 * looks like work that was done.
 */
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { agents } from '../../../../src/adapters/agents/agent.ts'
import { told } from '../../../../src/core/loop/run-report.ts'
import { agentOf, linesOf, reported, streams, tokens, unknown } from '../../../rig/streams.ts'
import { cutShort } from './cut-short.ts'
import { type Case, refusals } from './refusals.ts'

const once = (path: string) => ({ path, times: 1 })
const session = (id: string) => ({ id, tokens: null, costUsd: null })

const cases: Case[] = [
  {
    file: 'claude.out',
    comes: {
      costUsd: 0.015,
      tokens: tokens(3_000, 150),
      context: { used: 1_001, window: 1_000_000 },
      edited: once('/tree/a.txt'),
      said: 'Done.',
      session: session('9246708d-9b58-4613-9475-7272a697dcf0'),
    },
  },
  {
    file: 'claude-continued.out',
    comes: {
      costUsd: 0.005,
      tokens: tokens(1_000, 50),
      edited: null,
      said: 'Two',
      session: session('11111111-1111-4111-8111-111111111111'),
    },
  },
  {
    file: 'claude-limit.out',
    comes: {
      limit: {
        until: null,
        why: 'API Error: Request rejected (429) · Number of request tokens has exceeded your rate limit',
      },
    },
  },
  {
    file: 'claude-overload.out',
    comes: {
      limit: {
        until: null,
        why: 'API Error: 529 Overloaded. This is a server-side issue, usually temporary — try again in a moment. If it persists, check your inference gateway (127.0.0.1:33361).',
        kind: 'overload',
      },
    },
  },
  {
    file: 'claude-tools.out',
    comes: { costUsd: 0.04, costIncomplete: undefined, edited: once('/tree/sum.mjs') },
  },
  { file: 'claude-key.out', comes: { auth: 'Invalid API key · Fix external API key' } },
  {
    file: 'codex.out',
    given: { model: 'gpt-5.1-codex' },
    comes: {
      context: undefined,
      costUsd: 0.00525,
      estimated: true,
      tokens: tokens(3_000, 150),
      edited: once('/tree/b.txt'),
      said: 'Done.',
    },
  },
  { file: 'codex.out', comes: { costUsd: null, tokens: tokens(3_000, 150) } },
  {
    file: 'codex-continued.out',
    given: {
      before: { id: '01a1e1d5-4a93-7b00-a4c0-8eaa5e19d964', tokens: tokens(1_000, 50), costUsd: null },
      price: { input: 10, output: 100, cached: 1 },
    },
    comes: { tokens: tokens(1_000, 50), costUsd: 0.015, estimated: true },
  },
  {
    file: 'codex-limit.out',
    comes: {
      limit: {
        until: new Date(2026, 10, 16, 1, 33).getTime(),
        why: 'You’ve hit your usage limit. Upgrade to Pro (https://chatgpt.com/explore/pro), visit https://chatgpt.com/settings/usage to purchase more credits or try again at 1:32 AM.',
      },
    },
  },
  {
    file: 'codex-429.out',
    comes: { limit: { until: null, why: 'exceeded retry limit, last status: 429 Too Many Requests' } },
  },
  {
    file: 'codex-tools.out',
    comes: { costUsd: null, costIncomplete: undefined, tokens: tokens(6_000, 300), edited: null },
  },
  { file: 'codex-key.out', comes: { limit: undefined, failed: undefined } },
  {
    file: 'gemini.out',
    comes: {
      context: undefined,
      costUsd: 0.00525,
      estimated: true,
      tokens: tokens(3_000, 150),
      edited: once('/tree/a.txt'),
      said: 'Done.',
    },
  },
  {
    file: 'gemini-limit.out',
    comes: {
      limit: { until: null, why: '[API Error: You have exhausted your daily quota on this model.]' },
    },
  },
  { file: 'gemini-tools.out', comes: { tokens: tokens(6_000, 300), edited: once('/tree/sum.mjs') } },
  { file: 'gemini-key.out', comes: { limit: undefined, failed: undefined } },
  {
    file: 'cline.out',
    comes: {
      costUsd: null,
      tokens: tokens(3_000, 150),
      context: { used: 1_050, window: null },
      edited: once('/tree/a.txt'),
      said: 'Done.',
    },
  },
  { file: 'cline-tools.out', comes: { costIncomplete: undefined, edited: once('/tree/sum.mjs') } },
  { file: 'cline-limit.out', comes: { limit: { until: null, why: 'Rate limit reached for requests' } } },
  { file: 'cline-key.out', comes: { auth: 'Incorrect API key provided' } },
  {
    file: 'opencode.out',
    comes: { costUsd: 0.01125, tokens: tokens(3_000, 150), edited: once('/tree/a.txt'), said: 'Done.' },
  },
  { file: 'opencode-tools.out', comes: { costIncomplete: undefined, edited: once('/tree/sum.mjs') } },
  {
    file: 'opencode-limit.out',
    comes: { limit: { until: 1_794_796_023_150, why: 'Rate limit reached for requests' } },
  },
  ...refusals(),
  ...cutShort,
  {
    file: 'acp.out',
    comes: {
      costUsd: 0.01125,
      context: { used: 1_000, window: 100_000 },
      edited: once('/tree/a.txt'),
      said: 'Done.',
    },
  },
  {
    file: 'aider.out',
    comes: {
      costUsd: 0.0323,
      tokens: tokens(13_200, 1_149, 1_100),
      edited: once('sum.mjs'),
      said: 'The sign is mended.',
    },
  },
  {
    file: 'aider-limit.out',
    comes: {
      limit: {
        until: null,
        why: 'litellm.RateLimitError: RateLimitError: OpenAIException - Rate limit reached for gpt-5.1',
      },
    },
  },
  {
    file: 'cursor.out',
    comes: {
      costUsd: 0.0036875,
      estimated: true,
      tokens: tokens(2_100, 100, 500),
      edited: once('sum.mjs'),
      said: 'Mended.',
    },
  },
  {
    file: 'cursor-limit.err',
    comes: {
      limit: {
        until: null,
        why: "Error: You've hit your usage limit. Get Pro for more Agent usage. Your usage limits will reset when your monthly cycle ends on 10/2/2026",
      },
    },
  },
]

for (const { file, given, comes } of cases) {
  test(`${file}${given ? ' with what is known' : ''}`, () => {
    const comesTo = told(reported(file, linesOf(file)), {
      ...unknown,
      endsItself: endsItself(file),
      ...given,
    })
    const { costUsd, ...rest } = comesTo
    const { costUsd: cost, ...others } = comes
    for (const [name, value] of Object.entries(others)) {
      assert.deepEqual(rest[name as keyof typeof rest], value, name)
    }
    if (cost !== undefined) assert.equal(costUsd?.toFixed(7), cost?.toFixed(7))
    const kinds = ['limit', 'auth', 'failed'].filter(kind => kind in comesTo)
    assert.equal(kinds.length, /-(?!continued|cut|stopped|tools)/.test(file) ? 1 : 0, kinds.join(', '))
  })
}

function endsItself(file: string): boolean {
  return agents[agentOf(file)].endsItself
}

test('each agent whose output is read has a recorded stream, and each stream its result', () => {
  const files = readdirSync(streams).filter(name => /\.(out|err)$/.test(name))
  assert.deepEqual(new Set(cases.map(({ file }) => file)), new Set(files))
  const read = Object.entries(agents).filter(([, agent]) => agent.read)
  for (const [name] of read) assert.ok(files.includes(`${name}.out`), name)
})

test('an agent that was trying again when it was cut off, and one that had got over it', () => {
  const offline = { ...unknown, how: 'timeout' as const, endsItself: false }
  const lines = linesOf('codex-network.out')
  assert.equal(told(reported('codex.out', lines), { ...offline, how: 'exited' }).limit, undefined)
  const spoke = '{"type":"item.completed","item":{"type":"agent_message","text":"I am back."}}'
  assert.equal(told(reported('codex.out', [...lines, spoke]), offline).limit, undefined)
})

test('an agent that gave up after retries without a network met no network, whatever it calls its end', () => {
  const wrong = (line: string) => line.replaceAll(/Unable to connect to API \(\w+\)/g, 'Something went wrong')
  const lines = linesOf('claude-network-2.1.197.out').map(wrong)
  assert.equal(told(reported('claude.out', lines), unknown).limit?.kind, 'network')
  const spoke = '{"type":"assistant","message":{"id":"m","content":[{"type":"text","text":"I am back."}]}}'
  const { failed: later } = told(reported('claude.out', lines.toSpliced(5, 0, spoke)), unknown)
  assert.equal(later, 'API Error: Something went wrong')
})

test('a limit that the agent got over by itself is none', () => {
  const lines = [...linesOf('aider-limit.out'), ...linesOf('aider.out')]
  const comesTo = told(reported('aider.out', lines), { ...unknown, endsItself: false })
  assert.deepEqual([comesTo.limit, comesTo.failed], [undefined, undefined])
})

const whole = cases.map(({ file }) => file).filter(file => endsItself(file) && !/-/.test(file))

test('a stream that is cut anywhere is not work that was done', () => {
  for (const file of whole) {
    const lines = linesOf(file)
    const cutLast = [...lines.slice(0, -1), lines.at(-1)?.slice(0, -2) ?? '']
    for (const cut of [...lines.keys()].map(n => lines.slice(0, n)).concat([cutLast])) {
      const { failed, limit, auth } = told(reported(file, cut), unknown)
      assert.ok(failed !== undefined, `${file} cut after ${cut.length} lines`)
      assert.deepEqual([limit, auth], [undefined, undefined])
    }
  }
})

test('whatever is printed, no reader throws, and nothing of it is taken for a limit or an end', () => {
  const strange = [
    '<!DOCTYPE html><title>429 Too Many Requests</title>',
    '{"type":"result"',
    '[1,2]',
    'null',
    '{}',
  ]
  const project = fc.constantFrom(
    'usage limit reached, try again at 3:33 AM.',
    'Error 429: rate limit exceeded. Retry-After: 3600',
    'test: 401 Unauthorized',
  )
  for (const [name, { read }] of Object.entries(agents)) {
    if (!read || name === 'aider') continue
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constantFrom(...strange), project, fc.json(), fc.string())), lines => {
        const { end, limit, auth } = reported(`${name}.out`, lines)
        assert.deepEqual([end, limit, auth], [null, null, null])
      }),
    )
  }
})

test('fields of another kind than expected are passed over', () => {
  const odd = fc.oneof(fc.constant(null), fc.integer(), fc.string(), fc.array(fc.integer()), fc.object())
  for (const { file } of cases) {
    const lines = linesOf(file)
    fc.assert(
      fc.property(fc.nat(lines.length - 1), fc.nat(8), odd, (at, which, value) => {
        const line = lines[at] ?? ''
        if (!line.startsWith('{')) return
        const fields = JSON.parse(line) as Record<string, unknown>
        const name = Object.keys(fields)[which % Object.keys(fields).length] ?? 'type'
        const changed = JSON.stringify({ ...fields, [name]: value })
        reported(file, lines.with(at, changed))
      }),
      { numRuns: 50 },
    )
  }
})

/** The cost of a run that does not come to its own end, or reports more than one end. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { told } from '../../../../src/core/loop/run-report.ts'
import { linesOf, reported, tokens, unknown } from '../../../rig/streams.ts'

test('subagents are in the tokens of claude, as they are in its cost', () => {
  const [init = '', ...rest] = linesOf('claude.out')
  const result = JSON.parse(rest.at(-1) ?? '')
  const model = Object.values(result.model_usage_since_last_result)[0] as Record<string, number>
  result.model_usage_since_last_result['claude-haiku-4-5'] = {
    ...model,
    inputTokens: 11_000,
    outputTokens: 100,
    costUSD: 0.02,
  }
  const lines = [init, ...rest.slice(0, -1), JSON.stringify(result)]
  const { tokens: counted, costUsd } = told(reported('claude.out', lines), unknown)
  assert.deepEqual([counted, costUsd?.toFixed(4)], [tokens(14_000, 250), '0.0350'])
})

test('what a run said after its last total counts on top, by the model that said it', () => {
  const one = (model: string, id: string) =>
    `{"type":"assistant","message":{"id":"${id}","model":"${model}","content":[],"usage":{"input_tokens":1000000,"output_tokens":0}}}`
  const more = [one('claude-opus-5-5', 'm1'), one('claude-haiku-4-5', 'm2'), one('claude-opus-5-5', 'm1')]
  const comesTo = told(reported('claude.out', [...linesOf('claude.out'), ...more]), unknown)
  assert.equal(comesTo.costUsd?.toFixed(4), '5.0150', '$0.015, and 1M at $4 and at $1')
  assert.deepEqual([comesTo.estimated, comesTo.costIncomplete], [true, true])
})

test('a session that was cut short is counted on from what it had said', () => {
  const given = { ...unknown, how: 'timeout' as const }
  const before = { id: 's', tokens: tokens(1_000, 10), costUsd: 0.01 }
  const cut = told(reported('opencode.out', linesOf('opencode-cut.out')), { ...given, before })
  assert.equal(cut.costUsd?.toFixed(4), '0.2523', 'of this run')
  assert.deepEqual(
    [cut.session?.tokens, cut.session?.costUsd?.toFixed(4)],
    [tokens(60_000, 5_010, 1_000), '0.2623'],
  )
  const codex = told(reported('codex.out', linesOf('codex.out').slice(0, 3)), { ...given, before })
  assert.deepEqual(codex.session?.tokens, before.tokens, 'its next total is of the whole thread')
})

test('a run that was refused at once cost nothing; one that worked before has cost something', () => {
  const refused = told(reported('codex-429.out', linesOf('codex-429.out')), unknown)
  assert.deepEqual([refused.costUsd, refused.costIncomplete], [null, undefined])
  const said = '{"type":"item.completed","item":{"type":"agent_message","text":"on it"}}'
  const worked = told(reported('codex-429.out', [said, ...linesOf('codex-429.out')]), unknown)
  assert.deepEqual([worked.costUsd, worked.costIncomplete], [null, true])
})

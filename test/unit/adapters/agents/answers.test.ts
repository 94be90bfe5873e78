/** Agents whose answer can be held to a schema: claude by a flag and a field of its result, codex by a file. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agents } from '../../../../src/adapters/agents/agent.ts'
import { answerJsonSchema } from '../../../../src/model/answer-schemas.ts'
import { aSpec } from '../../../rig/given.ts'
import { root } from '../../../rig/rig.ts'

const answer = { schema: 'judge', file: '/run/answer-schema.json' } as const

test('claude gets the schema itself, and hands the answer over as a field of its result', () => {
  const { argv } = agents.claude.call(aSpec({ agentCmd: 'claude' }), null, answer)
  assert.deepEqual(
    JSON.parse(argv[argv.indexOf('--json-schema') + 1] ?? ''),
    answerJsonSchema({ schema: 'judge' }),
  )
  const read = agents.claude.read?.(Date.now)
  const value = { better: 'A', why: 'it is smaller', confidence: 60 }
  const line = { type: 'result', subtype: 'success', is_error: false, structured_output: value }
  assert.deepEqual(
    read?.(JSON.stringify(line), 'out').filter(({ kind }) => kind === 'answer'),
    [{ kind: 'answer', json: JSON.stringify(value) }],
  )
})

test('codex gets a file, in front of the subcommand, which does not know the flag', () => {
  const { argv } = agents.codex.call(aSpec({ agentCmd: 'codex' }), 'a-thread', answer)
  assert.deepEqual(argv.slice(0, 6), ['codex', 'exec', '--output-schema', answer.file, 'resume', 'a-thread'])
})

test('without a question no agent is given a schema', () => {
  for (const { call } of Object.values(agents)) {
    const { argv } = call(aSpec(), null)
    assert.deepEqual(
      argv.filter(word => /schema/.test(word.replace(root, ''))),
      [],
    )
  }
})

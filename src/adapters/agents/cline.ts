/**
 * cline, `cline --json`. It takes its prompt only as an argument, and cannot continue a session without a person.
 * When killed it exits with 0: only its `run_result` says how it ended.
 */
import { join } from 'node:path'
import type { Item, Tokens } from '../../model/agent.ts'
import type { Agent } from './agent.ts'
import { meaningOf } from './api-error.ts'
import { programCheck } from './program.ts'
import { homeOf, hostsByKeys, providerKeys, signInCheck } from './provider.ts'
import {
  amount,
  amountOr,
  at,
  clipped,
  type Fields,
  fieldsOf,
  listIn,
  type ToolCalls,
  type Trouble,
  text,
  toolCalls,
} from './stream.ts'

const names = ['cline']

/** The length of an argument is limited; a longer prompt is read from its file. */
const fromStdin =
  'p=$(cat); [ ${#p} -lt 100000 ] || p="Do what is written in the file $LOOP_PROMPT_FILE"; exec "$@" "$p"'

export const cline: Agent = {
  capabilities: {
    cost: 'reported',
    tokens: true,
    edits: true,
    continues: false,
    model: true,
    approves: 'everything: it knows no boundary',
  },
  program: { names, install: 'npm install -g cline', oldest: '3.0.65' },
  endsItself: true,
  check: programCheck(names),
  keys: () => ['CLINE_*', ...providerKeys],
  signedIn: signInCheck(({ env, home }) => {
    const data = env['CLINE_DATA_DIR'] || join(env['CLINE_DIR'] || join(home, '.cline'), 'data')
    return {
      yes: { keys: ['CLINE_API_KEY'] },
      // It writes this file at its first start, with or without a key.
      unknown: { files: [env['CLINE_PROVIDER_SETTINGS_PATH'] || join(data, 'settings', 'providers.json')] },
    }
  }),
  provider: env => ['api.cline.bot', ...hostsByKeys(env)],
  own: env => {
    const own = env['CLINE_DIR'] || join(homeOf(env), '.cline')
    return { directories: [own, ...(env['CLINE_DATA_DIR'] ? [env['CLINE_DATA_DIR']] : [])] }
  },
  call: spec => ({
    argv: [
      ['/bin/sh', '-c', fromStdin, 'cline'],
      [spec.agentCmd, '--json', '-c', spec.cwd],
      ...(spec.model === undefined ? [] : ['-m', spec.model]),
    ].flat(),
    env: {},
  }),
  read: () => {
    const calls = toolCalls()
    let costSoFar = 0
    return line => {
      const event = fieldsOf(line)
      if (event?.['type'] === 'run_result') return result(event)
      if (event?.['type'] !== 'agent_event') return []
      const inner = at(event, 'event')
      if (text(inner, 'type') !== 'usage') return agentEvent(inner, calls)
      const total = amount(inner, 'totalCost')
      const stepUsd = Math.max(0, total - costSoFar)
      costSoFar = Math.max(total, costSoFar)
      const used = amount(inner, 'inputTokens') + amount(inner, 'outputTokens')
      return [stepUsage(inner, stepUsd), { kind: 'context', used, window: null }]
    }
  },
}

function agentEvent(event: unknown, calls: ToolCalls): Item[] {
  const tool = text(event, 'contentType') === 'tool'
  switch (text(event, 'type')) {
    case 'content_start':
      return tool ? toolUsed(event, calls) : [{ kind: 'text', text: text(event, 'text'), delta: true }]
    case 'content_end':
      return tool ? calls.end(text(event, 'toolCallId'), troubleOf(at(event, 'output'))) : []
    case 'error':
      return [failure(event)]
    default:
      return []
  }
}

function toolUsed(event: unknown, calls: ToolCalls): Item[] {
  const name = text(event, 'toolName')
  const path = text(event, 'input', 'path')
  const command = String(listIn(event, 'input', 'commands')[0] ?? '')
  const edits = name === 'editor' && path ? [path] : []
  return calls.begin(text(event, 'toolCallId'), { name, detail: clipped(path || command), edits })
}

/** One result, or one per command of the call. */
function troubleOf(output: unknown): Trouble {
  const results = Array.isArray(output) ? output : [output]
  const failed = results.find(one => at(one, 'success') === false || text(one, 'error') !== '')
  return failed === undefined ? null : { why: text(failed, 'error') }
}

/** Its class of most errors is "unknown"; the error field has the provider's answer as text. */
function failure(event: unknown): Item {
  const why = clipped(text(event, 'error', 'message'), 300)
  if (text(event, 'errorClass') === 'auth') return { kind: 'auth', why }
  const meaning = meaningOf({ status: 0, message: why })
  if (meaning === 'auth') return { kind: 'auth', why }
  if (meaning !== null) return { kind: 'limit', why, limitKind: meaning }
  if (text(event, 'errorClass') === 'rate_limit') return { kind: 'limit', why }
  return { kind: 'warning', text: why }
}

function tokensIn(used: unknown): Tokens {
  return {
    input: Math.max(0, amount(used, 'inputTokens') - amount(used, 'cacheReadTokens')),
    cached: amount(used, 'cacheReadTokens'),
    output: amount(used, 'outputTokens'),
  }
}

/** It reports 0 for a provider whose prices it does not know. */
function knownCost(usd: number | null, { output }: Tokens): number | null {
  return usd === 0 && output > 0 ? null : usd
}

function stepUsage(used: unknown, usd: number): Item {
  const tokens = tokensIn(used)
  return { kind: 'usage', span: 'part', tokens, costUsd: knownCost(usd, tokens) }
}

function result(event: Fields): Item[] {
  const used = at(event, 'aggregateUsage') ?? at(event, 'usage')
  const tokens = tokensIn(used)
  const session: Item = { kind: 'session', id: null, model: text(event, 'model', 'id') || null }
  const costUsd = knownCost(amountOr(null, used, 'totalCost'), tokens)
  const usage: Item = { kind: 'usage', span: 'run', tokens, costUsd }
  if (event['finishReason'] === 'completed') return [session, usage, { kind: 'end', ok: true }]
  const why = clipped(text(event, 'text') || text(event, 'finishReason'), 300)
  return [session, usage, { kind: 'end', ok: false, why }]
}

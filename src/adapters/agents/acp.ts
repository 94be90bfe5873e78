/**
 * Any agent that speaks the Agent Client Protocol on stdin and stdout: `--agent acp --agent-cmd 'opencode acp'`
 * (see acp-driver). What such agents say of tokens and limits differs too much to be relied on: only money in
 * `usage_update` is believed.
 */
import { extname, join } from 'node:path'
import type { Item } from '../../model/agent.ts'
import { fail } from '../../model/failure.ts'
import type { Agent } from './agent.ts'
import { meaningOf } from './api-error.ts'
import { amount, amountOr, at, clipped, type Fields, fieldsOf, listIn, text } from './parse-line.ts'
import { orMissing } from './shell-command.ts'
import { type ToolCalls, toolCalls } from './tool-calls.ts'

const driver = join(import.meta.dirname, `acp-driver${extname(import.meta.filename)}`)

export const acp: Agent = {
  capabilities: {
    cost: 'reported',
    tokens: false,
    edits: true,
    continues: true,
    model: false,
    approves: 'whatever it asks for: the permission that holds once is chosen',
  },
  program: null,
  endsItself: true,
  check(agentCmd, place) {
    if (agentCmd?.trim()) return orMissing(agentCmd, place)
    return fail(
      'agent-missing',
      "The agent acp needs the command of an ACP agent. Give it with --agent-cmd, for example: --agent-cmd 'opencode acp'",
    )
  },
  signedIn: () => 'unknown',
  call: (spec, session) => ({
    argv: [process.execPath, driver, spec.agentCmd, session ?? ''],
    env: {},
  }),
  read: () => {
    const calls = toolCalls()
    const seen = new Set<string>()
    return line => read(fieldsOf(line), { calls, seen })
  },
}

/** `seen`: the calls that have been told. */
type Told = { calls: ToolCalls; seen: Set<string> }

function read(message: Fields | null, told: Told): Item[] {
  switch (message?.['type']) {
    case 'session':
      return [{ kind: 'session', id: text(message, 'id') || null, model: null }]
    case 'update':
      return update(at(message, 'update'), told)
    case 'permission':
      return [{ kind: 'tool', name: 'allowed', detail: clipped(text(message, 'title')) }]
    case 'error':
      return [failure(message)]
    case 'end': {
      const reason = text(message, 'stopReason')
      return [
        reason === 'end_turn'
          ? { kind: 'end', ok: true }
          : { kind: 'end', ok: false, why: `it stopped: ${reason}` },
      ]
    }
    default:
      return []
  }
}

function update(value: unknown, told: Told): Item[] {
  switch (text(value, 'sessionUpdate')) {
    case 'agent_message_chunk':
      return [{ kind: 'text', text: text(value, 'content', 'text'), delta: true }]
    case 'tool_call':
    case 'tool_call_update':
      return tool(value, told)
    case 'usage_update': {
      const costUsd =
        text(value, 'cost', 'currency') === 'USD' ? amountOr(null, value, 'cost', 'amount') : null
      return costUsd === null ? [] : [{ kind: 'usage', span: 'session', tokens: null, costUsd }]
    }
    default:
      return []
  }
}

/** What it is about is known once it has begun; it is said again with each change and counts once. */
function tool(value: unknown, { calls, seen }: Told): Item[] {
  const id = text(value, 'toolCallId')
  const status = text(value, 'status')
  if (status === 'pending') return []
  const begun = seen.has(id) || seen.size > 100_000 ? [] : calls.begin(id, callOf(value))
  seen.add(id)
  const why = text(listIn(value, 'content')[0], 'content', 'text')
  if (status === 'completed') return [...begun, ...calls.end(id, null)]
  return status === 'failed' ? [...begun, ...calls.end(id, { why })] : begun
}

function callOf(value: unknown) {
  const name = text(value, 'kind') || 'tool'
  const paths = listIn(value, 'locations').map(place => text(place, 'path'))
  const edits = name === 'edit' ? paths.filter(path => path !== '') : []
  return { name, detail: clipped(text(value, 'title')), edits }
}

/** Error -32000 is the protocol's own for "authentication required"; the rest are forms that were seen. */
function failure(message: unknown): Item {
  const why = clipped(text(message, 'message'), 300)
  const code = amount(message, 'code')
  const info = text(message, 'data', 'codexErrorInfo')
  if (at(message, 'code') === -32_000) return { kind: 'auth', why }
  if (info === 'usageLimitExceeded') return { kind: 'limit', why }
  // -32603, "internal error": the rest of it is what the API or the connection said.
  const meaning = meaningOf({ status: code, message: why.replace(/^Internal error: /, '') })
  if (meaning === 'auth') return { kind: 'auth', why }
  return meaning ? { kind: 'limit', why, limitKind: meaning } : { kind: 'end', ok: false, why }
}

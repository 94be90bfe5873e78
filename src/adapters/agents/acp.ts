/**
 * Any agent that speaks the Agent Client Protocol on stdin and stdout: `--agent acp --agent-cmd 'opencode acp'` (see
 * acp-driver). Reports of tokens and limits differ too much between such agents: only the cost in `usage_update` is
 * used.
 */
import { extname, join } from 'node:path'
import type { Item } from '../../model/agent.ts'
import { fail } from '../../model/failure.ts'
import type { Agent } from './agent.ts'
import { meaningOf } from './api-error.ts'
import { orMissing } from './program.ts'
import { hostsByKeys, providerKeys } from './provider.ts'
import {
  amount,
  amountOr,
  at,
  clipped,
  type Fields,
  fieldsOf,
  listIn,
  type ToolCalls,
  text,
  toolCalls,
} from './stream.ts'

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
    return fail('agent-missing', { kind: 'acp-command-missing' })
  },
  keys: () => providerKeys,
  provider: hostsByKeys,
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

/** `seen`: the ids of the calls already reported. */
type StreamState = { calls: ToolCalls; seen: Set<string> }

function read(message: Fields | null, told: StreamState): Item[] {
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

function update(value: unknown, told: StreamState): Item[] {
  switch (text(value, 'sessionUpdate')) {
    case 'agent_message_chunk':
      return [{ kind: 'text', text: text(value, 'content', 'text'), delta: true }]
    case 'tool_call':
    case 'tool_call_update':
      return tool(value, told)
    case 'usage_update': {
      const costUsd =
        text(value, 'cost', 'currency') === 'USD' ? amountOr(null, value, 'cost', 'amount') : null
      const [used, window] = [amountOr(null, value, 'used'), amountOr(null, value, 'size')]
      return [
        ...(used || window ? [{ kind: 'context', used, window } as const] : []),
        ...(costUsd === null ? [] : [{ kind: 'usage', span: 'session', tokens: null, costUsd } as const]),
      ]
    }
    default:
      return []
  }
}

/** The subject of a call is known once it has begun; it is repeated with each update and counts once. */
function tool(value: unknown, { calls, seen }: StreamState): Item[] {
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

/** Error -32000 is the protocol's "authentication required"; the others are forms seen in practice. */
function failure(message: Fields | null): Item {
  const why = clipped(text(message, 'message'), 300)
  const code = amount(message, 'code')
  const info = text(message, 'data', 'codexErrorInfo')
  const reason = reasonOf(message, why)
  if (at(message, 'code') === -32_000) return { kind: 'auth', why: reason }
  if (info === 'usageLimitExceeded') return { kind: 'limit', why }
  // -32603 is "internal error"; the rest of the text comes from the API or the connection.
  const meaning = meaningOf({ status: code, message: why.replace(/^Internal error: /, '') })
  if (meaning === 'auth') return { kind: 'auth', why }
  return meaning ? { kind: 'limit', why, limitKind: meaning } : { kind: 'end', ok: false, why: reason }
}

/** For people: what the error says, its details, and the line of stderr that looks most like the cause. */
function reasonOf(message: Fields | null, why: string): string {
  const details = at(message, 'data')
  const more = clipped(typeof details === 'string' ? details : text(details, 'details'), 300)
  const lines = text(message, 'said')
    .split('\n')
    .map(line => line.trim())
    .filter(Boolean)
  const said =
    lines.findLast(line => /error|cannot|could not|fail|denied|refused/i.test(line)) ?? lines.at(-1)
  const isNew = more !== '' && !why.includes(more)
  return `${why}${isNew ? `: ${more}` : ''}${said ? `; stderr: ${clipped(said, 300)}` : ''}`
}

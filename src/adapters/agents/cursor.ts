/**
 * Cursor's agent, `cursor-agent -p` (or `agent`). It is closed source: written from its documentation and reports,
 * not from recorded runs. On failure it may print no `result`; after success it sometimes never exits, so `result`
 * counts as the end.
 */
import type { Item } from '../../model/agent.ts'
import type { Agent } from './agent.ts'
import { programCheck } from './program.ts'
import {
  amount,
  at,
  clipped,
  type Fields,
  fieldsOf,
  isFields,
  listIn,
  type ToolCalls,
  type Trouble,
  text,
  toolCalls,
} from './stream.ts'

const names = ['cursor-agent', 'agent']

export const cursor: Agent = {
  capabilities: {
    cost: 'estimated',
    tokens: true,
    edits: true,
    continues: true,
    model: true,
    approves: 'everything (--force): it knows no boundary',
  },
  program: { names, install: 'curl https://cursor.com/install -fsS | bash' },
  endsItself: true,
  check: programCheck(names),
  keys: () => ['CURSOR_*'],
  provider: () => ['*.cursor.sh'],
  // The place of its login is not documented.
  signedIn: ({ env }) => (env['CURSOR_API_KEY'] ? 'yes' : 'unknown'),
  call: (spec, session) => ({
    argv: [
      spec.agentCmd,
      ['-p', '--force', '--trust', '--output-format', 'stream-json'],
      ...(spec.model === undefined ? [] : ['--model', spec.model]),
      ...(session === null ? [] : ['--resume', session]),
    ].flat(),
    env: {},
  }),
  read: () => {
    const calls = toolCalls()
    return (line, from) => {
      if (from === 'err') return complaint(line)
      const event = fieldsOf(line)
      if (!event) return []
      switch (event['type']) {
        case 'system':
          return [
            { kind: 'session', id: text(event, 'session_id') || null, model: text(event, 'model') || null },
          ]
        case 'assistant':
          return listIn(event, 'message', 'content').map(
            (part): Item => ({ kind: 'text', text: text(part, 'text') }),
          )
        case 'tool_call':
          return tool(event, calls)
        case 'result':
          return result(event)
        default:
          return []
      }
    }
  },
}

/** `{"readToolCall": {"args": {"path": "a.ts"}}}`: the field's name is the tool's name. */
function tool(event: Fields, calls: ToolCalls): Item[] {
  const call = at(event, 'tool_call')
  const [key = '', body] = isFields(call) ? (Object.entries(call)[0] ?? []) : []
  const id = text(event, 'call_id')
  if (text(event, 'subtype') === 'completed') return calls.end(id, troubleOf(at(body, 'result')))
  if (text(event, 'subtype') !== 'started') return []
  const path = text(body, 'args', 'path')
  const edits = /^(write|edit|delete)ToolCall$/.test(key) && path ? [path] : []
  const detail = clipped(path || text(body, 'args', 'command'))
  return calls.begin(id, { name: key.replace(/ToolCall$/, ''), detail, edits })
}

/** `{"success": {…}}`, or another field with the error; `rejected` is a refusal. */
function troubleOf(came: unknown): Trouble {
  const [kind = 'success', body] = isFields(came) ? (Object.entries(came)[0] ?? []) : []
  if (kind === 'success') return null
  const why = text(body, 'errorMessage') || text(body, 'error') || text(body, 'reason') || kind
  return { why, denied: kind === 'rejected' || kind === 'permissionDenied' }
}

function result(event: Fields): Item[] {
  const used = at(event, 'usage')
  const tokens = {
    input: amount(used, 'inputTokens') + amount(used, 'cacheWriteTokens'),
    cached: amount(used, 'cacheReadTokens'),
    output: amount(used, 'outputTokens'),
  }
  const usage: Item[] = isFields(used) ? [{ kind: 'usage', span: 'run', tokens, costUsd: null }] : []
  if (event['is_error'] !== true) return [...usage, { kind: 'end', ok: true }]
  return [...usage, { kind: 'end', ok: false, why: clipped(text(event, 'result'), 300) }]
}

/** Errors are sentences on stderr. A monthly limit names a day; loop retries earlier, within --max-wait. */
function complaint(line: string): Item[] {
  const why = clipped(line, 300)
  if (/^(Error: )?You['’]ve hit your usage limit/.test(line)) return [{ kind: 'limit', why }]
  if (/^(Error: )?(Authentication required|Not logged in|Invalid API key)/i.test(line)) {
    return [{ kind: 'auth', why }]
  }
  return []
}

/**
 * OpenAI's codex, `codex exec --json`. Its sandbox lets it write in the work tree and /tmp only. It reports tokens, counted from
 * the beginning of a thread, and no money. Only `turn.failed` is a failure; other errors are warnings.
 */
import type { Item } from '../../model/agent.ts'
import type { Agent } from './agent.ts'
import { amount, clipped, type Fields, fieldsOf, listIn, text } from './parse-line.ts'
import { programCheck } from './program.ts'
import { type ToolCalls, type Trouble, toolCall, toolCalls } from './tool-calls.ts'

const names = ['codex']

export const codex: Agent = {
  capabilities: {
    cost: 'estimated',
    tokens: true,
    edits: true,
    continues: true,
    model: true,
    approves: 'what its sandbox allows: writing in the work tree and /tmp, no network',
  },
  program: { names, install: 'npm install -g @openai/codex' },
  endsItself: true,
  check: programCheck(names),
  call: (spec, session) => ({
    argv: [
      spec.agentCmd,
      'exec',
      ...(session === null ? [] : ['resume', session]),
      '--json',
      '--skip-git-repo-check',
      ['-c', 'sandbox_mode="workspace-write"'],
      ...(spec.model === undefined ? [] : ['-m', spec.model]),
      '-',
    ].flat(),
    env: {},
  }),
  read: now => {
    const calls = toolCalls()
    return line => {
      const event = fieldsOf(line)
      if (!event) return []
      switch (event['type']) {
        case 'thread.started':
          return [{ kind: 'session', id: text(event, 'thread_id') || null, model: null }]
        case 'item.started':
          return text(event, 'item', 'type') === 'command_execution' ? command(event, calls) : []
        case 'item.completed':
          return item(event, calls)
        case 'error':
          return [{ kind: 'warning', text: clipped(text(event, 'message'), 300) }]
        case 'turn.completed':
          return [usage(event), { kind: 'end', ok: true }]
        case 'turn.failed':
          return [failure(text(event, 'error', 'message'), now())]
        default:
          return []
      }
    }
  },
}

function command({ item: begun }: Fields, calls: ToolCalls): Item[] {
  const call = { name: 'shell', detail: clipped(text(begun, 'command')), edits: [] }
  return calls.begin(text(begun, 'id'), call)
}

function item(event: Fields, calls: ToolCalls): Item[] {
  const { item: done } = event
  switch (text(done, 'type')) {
    case 'agent_message':
      return [{ kind: 'text', text: text(done, 'text') }]
    case 'command_execution':
      return calls.end(text(done, 'id'), troubleOf(done))
    case 'file_change':
      return listIn(done, 'changes').flatMap(change => {
        const path = text(change, 'path')
        const call = { name: text(change, 'kind') || 'edit', detail: clipped(path), edits: [path] }
        return toolCall(call, troubleOf(done))
      })
    case 'mcp_tool_call':
      return toolCall({ name: text(done, 'tool'), detail: text(done, 'server'), edits: [] }, troubleOf(done))
    case 'error':
      return [{ kind: 'warning', text: clipped(text(done, 'message'), 300) }]
    default:
      return []
  }
}

/** Its states: in_progress, completed, failed, and declined for what its sandbox does not permit. */
function troubleOf(done: unknown): Trouble {
  const exit = amount(done, 'exit_code')
  const status = text(done, 'status')
  if (exit !== 0) return { why: `exit ${exit}` }
  if (status !== 'failed' && status !== 'declined') return null
  return { why: text(done, 'error', 'message') || status, denied: status === 'declined' }
}

/** Of the thread from its beginning, also when it is continued; `input` counts what came from the cache too. */
function usage({ usage: used }: Fields): Item {
  const cached = amount(used, 'cached_input_tokens')
  const input = Math.max(0, amount(used, 'input_tokens') - cached)
  const tokens = { input, cached, output: amount(used, 'output_tokens') }
  return { kind: 'usage', span: 'session', tokens, costUsd: null }
}

/** The texts are codex's own, in the one field that says why a turn failed. */
function failure(message: string, now: number): Item {
  const why = clipped(message, 300)
  if (/^You[’']ve hit your usage limit/.test(message)) {
    const until = timeIn(message, now)
    return { kind: 'limit', why, ...(until !== null && { until }) }
  }
  if (/last status: 429\b/.test(message) || message.startsWith('Selected model is at capacity')) {
    return { kind: 'limit', why }
  }
  if (/^unexpected status 40[13]\b/.test(message)) return { kind: 'auth', why }
  return { kind: 'end', ok: false, why }
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const clock =
  /try again at (?:([A-Z][a-z]{2}) (\d{1,2})(?:st|nd|rd|th), (\d{4}) )?(\d{1,2}):(\d{2}) (AM|PM)\.?$/

/** "try again at 3:33 AM.", "… at Nov 16th, 2026 3:33 AM.": local time, to the minute, so the end of that minute. */
function timeIn(message: string, now: number): number | null {
  const [found, month, day, year, hour, minute, half] = clock.exec(message) ?? []
  if (!found) return null
  const hours = (Number(hour) % 12) + (half === 'PM' ? 12 : 0)
  const today = new Date(now)
  const date = month
    ? new Date(Number(year), months.indexOf(month), Number(day), hours, Number(minute) + 1)
    : new Date(today.getFullYear(), today.getMonth(), today.getDate(), hours, Number(minute) + 1)
  // A bare time that has gone by is one of tomorrow.
  if (!month && date.getTime() < now - 60_000) date.setDate(date.getDate() + 1)
  return date.getTime()
}

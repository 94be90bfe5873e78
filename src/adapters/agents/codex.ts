/**
 * OpenAI's codex, `codex exec --json`. Its sandbox lets it write in the work tree and /tmp only; in that of loop it has
 * none of its own, since one cannot be made in the other everywhere. It reports tokens, counted from
 * the beginning of a thread, and no money. Only `turn.failed` is a failure; other errors are warnings.
 */
import { join } from 'node:path'
import type { Item, LimitKind } from '../../model/agent.ts'
import type { Agent } from './agent.ts'
import { isOverload } from './api-error.ts'
import { programCheck } from './program.ts'
import { homeOf, hostsOf, keysNamedIn, signInCheck } from './provider.ts'
import {
  amount,
  clipped,
  type Fields,
  fieldsOf,
  listIn,
  type ToolCalls,
  type Trouble,
  text,
  toolCall,
  toolCalls,
} from './stream.ts'

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
  program: { names, install: 'npm install -g @openai/codex', oldest: '0.166.0' },
  endsItself: true,
  answersByMessage: true,
  check: programCheck(names),
  keys: env => [
    'CODEX_*',
    'OPENAI_*',
    'AZURE_OPENAI_*',
    ...keysNamedIn(
      [join(env['CODEX_HOME'] || join(homeOf(env), '.codex'), 'config.toml')],
      /^\s*env_key\s*=\s*["'](\w+)/gm,
    ),
  ],
  signedIn: signInCheck(({ env, home }) => {
    const own = env['CODEX_HOME'] || join(home, '.codex')
    return {
      yes: { keys: ['CODEX_API_KEY', 'CODEX_ACCESS_TOKEN'], files: [join(own, 'auth.json')] },
      // Its configuration can name a provider with its own key, or the system's keyring.
      unknown: { keys: ['OPENAI_API_KEY'], files: [join(own, 'config.toml')] },
    }
  }),
  provider: env =>
    hostsOf(
      {
        addresses: ['OPENAI_BASE_URL', 'AZURE_OPENAI_ENDPOINT'],
        hosts: ['api.openai.com', 'chatgpt.com', 'auth.openai.com'],
      },
      env,
    ),
  own: env => {
    const home = env['CODEX_HOME'] || join(homeOf(env), '.codex')
    const fixed = ['config.toml', 'hooks.json', 'AGENTS.md', 'prompts', 'rules', 'skills', 'plugins']
    return { directories: [home], fixed: fixed.map(name => join(home, name)) }
  },
  call: (spec, session, answer) => ({
    argv: [
      spec.agentCmd,
      'exec',
      // Must precede the subcommand: resume does not accept it.
      ...(answer ? ['--output-schema', answer.file] : []),
      ...(session === null ? [] : ['resume', session]),
      '--json',
      '--skip-git-repo-check',
      ['-c', `sandbox_mode="${spec.sandbox?.level === 'files' ? 'danger-full-access' : 'workspace-write'}"`],
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
          return [warning(text(event, 'message'))]
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

/** Its states: in_progress, completed, failed, and declined for calls that its sandbox refuses. */
function troubleOf(done: unknown): Trouble {
  const exit = amount(done, 'exit_code')
  const status = text(done, 'status')
  if (exit !== 0) return { why: `exit ${exit}` }
  if (status !== 'failed' && status !== 'declined') return null
  return { why: text(done, 'error', 'message') || status, denied: status === 'declined' }
}

/** Counted from the start of the thread, also in a continued one; `input` includes cached tokens. */
function usage({ usage: used }: Fields): Item {
  const cached = amount(used, 'cached_input_tokens')
  const input = Math.max(0, amount(used, 'input_tokens') - cached)
  const tokens = { input, cached, output: amount(used, 'output_tokens') }
  return { kind: 'usage', span: 'session', tokens, costUsd: null }
}

/**
 * `Reconnecting... 2/5 (why)` or `Reconnecting... waiting for network (why)`; the second is repeated until there is
 * a network.
 */
function warning(message: string): Item {
  const [, tries, why = ''] =
    /^Reconnecting\.\.\. (waiting for network|\d+\/\d+)(?: \((.*)\))?/.exec(message) ?? []
  const line = clipped(message, 300)
  if (tries === undefined) return { kind: 'warning', text: line }
  const limitKind = tries.startsWith('waiting') ? 'network' : limitOf(why)
  return { kind: 'warning', text: line, ...(limitKind && { limitKind }) }
}

/** The texts are codex's own, in the field that has the reason of a failed turn. */
function failure(message: string, now: number): Item {
  const why = clipped(message, 300)
  if (/^You[’']ve hit your usage limit/.test(message)) {
    const until = timeIn(message, now)
    return { kind: 'limit', why, ...(until !== null && { until }) }
  }
  if (needsAccount.test(message)) return { kind: 'auth', why }
  const limitKind = limitOf(message)
  return limitKind ? { kind: 'limit', why, limitKind } : { kind: 'end', ok: false, why }
}

const needsAccount =
  /^(unexpected status 40[123]\b|Missing environment variable: `|Quota exceeded\. Check your plan and billing details|exceeded retry limit, last status: 40[123]\b)/
const atCapacity = /^(Selected model is at capacity|We[’']re currently experiencing high demand)/
const disconnected =
  /^(Connection failed: |stream disconnected before completion: (error sending request|failed to lookup address|Connection (refused|reset)|Network is unreachable|IO error))/

function limitOf(message: string): LimitKind | null {
  const [, status] = /^(?:unexpected|exceeded retry limit, last) status:? (\d{3})\b/.exec(message) ?? []
  if (status === '429') return 'usage-limit'
  if (atCapacity.test(message) || isOverload(Number(status))) return 'overload'
  return disconnected.test(message) ? 'network' : null
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const clock =
  /try again at (?:([A-Z][a-z]{2}) (\d{1,2})(?:st|nd|rd|th), (\d{4}) )?(\d{1,2}):(\d{2}) (AM|PM)\.?$/

/** "try again at 3:33 AM.", "… at Nov 16th, 2026 3:33 AM.": local time to the minute; the end of that minute is used. */
function timeIn(message: string, now: number): number | null {
  const [found, month, day, year, hour, minute, half] = clock.exec(message) ?? []
  if (!found) return null
  const hours = (Number(hour) % 12) + (half === 'PM' ? 12 : 0)
  const today = new Date(now)
  const date = month
    ? new Date(Number(year), months.indexOf(month), Number(day), hours, Number(minute) + 1)
    : new Date(today.getFullYear(), today.getMonth(), today.getDate(), hours, Number(minute) + 1)
  // A time without a date that has passed means tomorrow.
  if (!month && date.getTime() < now - 60_000) date.setDate(date.getDate() + 1)
  return date.getTime()
}

/**
 * Google's gemini, `gemini -o stream-json`. Without yolo mode it has no tools that write, so it runs in that mode.
 * Its exit code is the HTTP status cut to a byte, or 0 if it was killed: only its `result` says how it ended.
 */
import { join } from 'node:path'
import type { Item } from '../../model/agent.ts'
import type { Agent } from './agent.ts'
import { meaningOf } from './api-error.ts'
import { programCheck } from './program.ts'
import { cloudFiles, homeOf, hostsOf, signInCheck, upwards, vertexHosts } from './provider.ts'
import {
  amount,
  at,
  clipped,
  type Fields,
  fieldsOf,
  isFields,
  type ToolCalls,
  text,
  toolCalls,
} from './stream.ts'

const names = ['gemini']

export const gemini: Agent = {
  capabilities: {
    cost: 'estimated',
    tokens: true,
    edits: true,
    continues: true,
    model: true,
    approves: 'everything (yolo): without it, it can neither write nor run anything',
  },
  program: { names, install: 'npm install -g @google/gemini-cli', oldest: '0.61.0' },
  endsItself: true,
  check: programCheck(names),
  keys: () => ['GEMINI_*', 'GOOGLE_*'],
  signedIn: signInCheck(({ cwd, env, home }) => {
    const own = join(env['GEMINI_CLI_HOME'] || home, '.gemini')
    return {
      yes: { keys: ['GEMINI_API_KEY'], files: [join(own, 'oauth_creds.json')] },
      unknown: {
        keys: ['GOOGLE_API_KEY', 'GOOGLE_GENAI_USE_VERTEXAI', 'GOOGLE_GENAI_USE_GCA', 'CLOUD_SHELL'],
        // Its settings name the way to sign in; the key can be in a keychain.
        files: [...['settings.json', '.env'].map(name => join(own, name)), ...upwards(cwd, ['.env'])],
      },
    }
  }),
  provider: env => {
    const addresses = ['GOOGLE_GEMINI_BASE_URL', 'GOOGLE_VERTEX_BASE_URL', 'CODE_ASSIST_ENDPOINT']
    const hosts = env['GOOGLE_GENAI_USE_VERTEXAI']
      ? vertexHosts(env['GOOGLE_CLOUD_LOCATION'])
      : ['generativelanguage', 'cloudcode-pa', 'oauth2'].map(name => `${name}.googleapis.com`)
    return hostsOf({ addresses, hosts }, env)
  },
  own: env => {
    const home = join(env['GEMINI_CLI_HOME'] || homeOf(env), '.gemini')
    const fixed = ['settings.json', 'GEMINI.md', '.env', 'commands', 'extensions', 'policies']
    return {
      directories: [home],
      fixed: fixed.map(name => join(home, name)),
      reads: env['GOOGLE_GENAI_USE_VERTEXAI'] ? cloudFiles.google(env) : [],
    }
  },
  call: (spec, session) => ({
    argv: [
      spec.agentCmd,
      ['-o', 'stream-json', '--approval-mode', 'yolo'],
      ...(spec.model === undefined ? [] : ['-m', spec.model]),
      ...(session === null ? [] : ['-r', session]),
    ].flat(),
    env: {
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
      // In a sandbox of loop it has none of its own: one cannot be made in the other everywhere.
      ...(spec.sandbox?.level === 'files' && { GEMINI_SANDBOX: 'false' }),
    },
  }),
  read: () => {
    const calls = toolCalls()
    return (line, from) => {
      if (from === 'err') return complaint(line)
      const event = fieldsOf(line)
      if (!event) return []
      switch (event['type']) {
        case 'init':
          return [
            { kind: 'session', id: text(event, 'session_id') || null, model: named(text(event, 'model')) },
          ]
        case 'message':
          return text(event, 'role') === 'assistant' ? [said(event)] : []
        case 'tool_use':
          return tool(event, calls)
        case 'tool_result':
          return toolResult(event, calls)
        case 'error':
          return [{ kind: 'warning', text: clipped(text(event, 'message'), 300) }]
        case 'result':
          return [usage(event), ending(event)]
        default:
          return []
      }
    }
  },
}

/** `auto` chooses a model for each request, so it names none. */
function named(model: string): string | null {
  return model === '' || model === 'auto' ? null : model
}

/** Messages before the stream starts. */
function complaint(line: string): Item[] {
  if (/^(Invalid auth method selected\.|Please set an Auth method)/.test(line)) {
    return [{ kind: 'auth', why: clipped(line, 300) }]
  }
  const [tries, status = 0, message = ''] =
    /^Attempt \d+ failed(?: with status (\d+))?\.(?: Retrying with backoff\.\.\. Error: (.*))?/.exec(line) ??
    []
  if (tries === undefined) return []
  const meaning = meaningOf({ status: Number(status), message })
  const limitKind = meaning === 'auth' ? null : meaning
  return [{ kind: 'warning', text: clipped(line, 300), ...(limitKind && { limitKind }) }]
}

function said(event: Fields): Item {
  const content = text(event, 'content')
  return { kind: 'text', text: content, ...(event['delta'] === true && { delta: true }) }
}

const editors = ['write_file', 'replace', 'edit']

function tool(event: Fields, calls: ToolCalls): Item[] {
  const name = text(event, 'tool_name')
  const path = text(event, 'parameters', 'file_path')
  const detail = clipped(
    path || text(event, 'parameters', 'command') || text(event, 'parameters', 'dir_path'),
  )
  const edits = editors.includes(name) && path ? [path] : []
  return calls.begin(text(event, 'tool_id'), { name, detail, edits })
}

/** For gemini a failing command is a successful call. */
function toolResult(event: Fields, calls: ToolCalls): Item[] {
  const failed = text(event, 'status') === 'error'
  const why = text(event, 'error', 'message') || text(event, 'output')
  return calls.end(text(event, 'tool_id'), failed ? { why } : null)
}

function usage({ stats }: Fields): Item {
  const cached = amount(stats, 'cached')
  const input = Math.max(0, amount(stats, 'input_tokens') - cached)
  const tokens = { input, cached, output: amount(stats, 'output_tokens') }
  return { kind: 'usage', span: 'run', tokens, costUsd: null }
}

function ending(event: Fields): Item {
  if (event['status'] === 'success') return { kind: 'end', ok: true }
  const message = text(event, 'error', 'message')
  const why = clipped(message, 300)
  const { code, status, reason } = apiError(message)
  const quota = message.startsWith('[API Error: You have exhausted your')
  if (reason === 'API_KEY_INVALID' || status === 'FAILED_PRECONDITION') return { kind: 'auth', why }
  const limited = quota || status === 'RESOURCE_EXHAUSTED'
  const meaning = limited ? 'usage-limit' : meaningOf({ status: code, message: innerText(message) })
  if (meaning === 'auth') return { kind: 'auth', why }
  if (meaning === null) return { kind: 'end', ok: false, why }
  const [, seconds] = /\bSuggested retry after (\d+)s\./.exec(message) ?? []
  const afterMs = seconds === undefined ? {} : { afterMs: Number(seconds) * 1_000 }
  return { kind: 'limit', why, limitKind: meaning, ...afterMs }
}

/** The text between the brackets of `[API Error: fetch failed sending request]`. */
function innerText(message: string): string {
  return /^\[API Error: (.*?)\]?$/s.exec(message)?.[1] ?? message
}

/** `[API Error: {"error":{"code":401,…}}]`: the API's answer, unchanged. */
function apiError(message: string): { code: number; status: string; reason: string } {
  const inner = fieldsOf(/^\[API Error: (\{.*\})\]/s.exec(message)?.[1] ?? '')
  const details = at(inner, 'error', 'details')
  const reason = Array.isArray(details)
    ? details.find(detail => isFields(detail) && 'reason' in detail)
    : null
  return {
    code: amount(inner, 'error', 'code'),
    status: text(inner, 'error', 'status'),
    reason: text(reason, 'reason'),
  }
}

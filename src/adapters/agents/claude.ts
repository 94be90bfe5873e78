/**
 * Claude Code, `claude -p` with its JSON stream. Success and limits are read from `is_error` and the API's status, never
 * from the exit code or `subtype`. The kind of error is on the last assistant event.
 */
import { join } from 'node:path'
import type { Item, LimitKind } from '../../model/agent.ts'
import { answerJsonSchema } from '../../model/answer-schemas.ts'
import type { Spec } from '../../model/loop/spec.ts'
import type { Agent } from './agent.ts'
import { meaningOf } from './api-error.ts'
import { programCheck } from './program.ts'
import { bedrockHosts, cloudFiles, homeOf, hostsOf, signInCheck, vertexHosts } from './provider.ts'
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
  values,
} from './stream.ts'

/** Its own error kinds `api_error` and `error`, from its schema, and the types of the API. */
const meanings: Record<string, 'auth' | LimitKind> = {
  authentication_failed: 'auth',
  oauth_org_not_allowed: 'auth',
  account_on_hold: 'auth',
  verification_required: 'auth',
  billing_error: 'auth',
  cloud_credential_error: 'auth',
  stored_login_refused: 'auth',
  provider_credentials: 'auth',
  gateway_signin_required: 'auth',
  gateway_session_expired: 'auth',
  api_key_auth_disabled: 'auth',
  org_disabled_credential: 'auth',
  invalid_credential_header: 'auth',
  model_requires_usage_credits: 'auth',
  usage_limit_reached: 'usage-limit',
  rate_limit: 'usage-limit',
  overloaded: 'overload',
  overloaded_error: 'overload',
  connection_failed: 'network',
  computer_slept: 'network',
}

/** Versions before `connection_failed` call a failed connection `server_error`: there only the message tells. */
function meaningOfError(
  kinds: string[],
  { status, message }: { status: number; message: string },
): 'auth' | LimitKind | null {
  const known = kinds.find(kind => Object.hasOwn(meanings, kind))
  return (known && meanings[known]) || meaningOf({ status, message })
}

const names = ['claude']
/** Settings of Claude Code that name programs or instructions. */
const fixed = [
  'settings.json',
  'settings.local.json',
  'CLAUDE.md',
  'agents',
  'commands',
  'hooks',
  'output-styles',
  'plugins',
  'skills',
]

/** In a sandbox of loop it has none of its own: one cannot be made in the other everywhere. */
function withoutInner({ sandbox }: Spec): { sandbox?: { enabled: false } } {
  return sandbox?.level === 'files' ? { sandbox: { enabled: false } } : {}
}

export const claude: Agent = {
  capabilities: {
    cost: 'reported',
    tokens: true,
    edits: true,
    continues: true,
    model: true,
    approves: 'edits in the work tree, and every shell command',
  },
  program: { names, install: 'npm install -g @anthropic-ai/claude-code', oldest: '2.1.197' },
  endsItself: true,
  // On INT it prints its result with the cost; on TERM it dies without output.
  stopSignal: 'INT',
  check: programCheck(names),
  keys: () => ['ANTHROPIC_*', 'CLAUDE_*', 'AWS_BEARER_TOKEN_BEDROCK'],
  signedIn: signInCheck(({ env, home }) => ({
    yes: {
      keys: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'],
      files: [join(env['CLAUDE_CONFIG_DIR'] || join(home, '.claude'), '.credentials.json')],
    },
    unknown: {
      keys: ['CLAUDE_CODE_USE_BEDROCK', 'CLAUDE_CODE_USE_VERTEX', 'CLAUDE_CODE_USE_FOUNDRY'],
      // A key can be in its settings; macOS keeps it in the keychain. .claude.json is written at its first start.
      files: [
        join(env['CLAUDE_CONFIG_DIR'] || home, '.claude.json'),
        join(env['CLAUDE_CONFIG_DIR'] || join(home, '.claude'), 'settings.json'),
        '/etc/claude-code/managed-settings.json',
        '/Library/Keychains',
      ],
    },
  })),
  provider: env => {
    if (env['CLAUDE_CODE_USE_BEDROCK'])
      return hostsOf({ addresses: ['ANTHROPIC_BEDROCK_BASE_URL'], hosts: bedrockHosts(env) }, env)
    if (env['CLAUDE_CODE_USE_VERTEX'])
      return hostsOf(
        { addresses: ['ANTHROPIC_VERTEX_BASE_URL'], hosts: vertexHosts(env['CLOUD_ML_REGION']) },
        env,
      )
    // The others are for a sign-in without a key, which it renews by itself.
    const hosts = ['api.anthropic.com', 'console.anthropic.com', 'platform.claude.com', 'claude.ai']
    return hostsOf({ addresses: ['ANTHROPIC_BASE_URL', 'ANTHROPIC_FOUNDRY_BASE_URL'], hosts }, env)
  },
  own: env => {
    const home = homeOf(env)
    const own = env['CLAUDE_CONFIG_DIR'] || join(home, '.claude')
    return {
      directories: [own],
      files: [join(env['CLAUDE_CONFIG_DIR'] || home, '.claude.json')],
      fixed: fixed.map(name => join(own, name)),
      reads: [
        ...(env['CLAUDE_CODE_USE_BEDROCK'] ? cloudFiles.amazon(env) : []),
        ...(env['CLAUDE_CODE_USE_VERTEX'] ? cloudFiles.google(env) : []),
      ],
    }
  },
  call: (spec, session, answer) => ({
    argv: [
      spec.agentCmd,
      '-p',
      ['--output-format', 'stream-json', '--verbose'],
      ['--permission-mode', 'acceptEdits'],
      ['--allowedTools', 'Bash'],
      // These tools would continue after the run that they belong to.
      ['--disallowedTools', 'ScheduleWakeup', 'CronCreate', 'AskUserQuestion'],
      // An agent cannot switch off its user's hooks by writing settings into the work tree.
      ['--settings', JSON.stringify({ disableAllHooks: false, ...withoutInner(spec) })],
      ...(spec.model === undefined ? [] : ['--model', spec.model]),
      ...(session === null ? [] : ['--resume', session]),
      ...(answer ? ['--json-schema', JSON.stringify(answerJsonSchema(answer))] : []),
    ].flat(),
    env: {
      CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
      DISABLE_AUTOUPDATER: '1',
      // Ten retries take minutes, even with a bad key; waiting is loop's task.
      CLAUDE_CODE_MAX_RETRIES: '4',
    },
  }),
  read: () => {
    let resetsAt: number | null = null
    const counted = new Set<string>()
    const calls = toolCalls()
    /** The error class in the last assistant event. */
    let errorClass = ''
    /** The model it works with itself; subagents may have others. */
    let ownModel = ''
    return line => {
      const event = fieldsOf(line)
      if (!event) return []
      const info = at(event, 'rate_limit_info')
      if (text(info, 'status') === 'rejected') resetsAt = amountOr(null, info, 'resetsAt')
      switch (event['type']) {
        case 'system':
          return system(event)
        case 'assistant': {
          errorClass = text(event, 'error')
          if (text(event, 'parent_tool_use_id') === '') ownModel = text(event, 'message', 'model')
          const said = listIn(event, 'message', 'content').flatMap(content => block(content, calls))
          // The report of an API error is not the agent's work, and its end repeats it.
          if (errorClass !== '') return said.filter(({ kind }) => kind !== 'text')
          // One answer of the API comes in several events, each with the same usage.
          const id = text(event, 'message', 'id')
          if (counted.has(id) || counted.size > 100_000) return said
          counted.add(id)
          return [...partialUsage(event), ...context(event), ...said]
        }
        case 'user':
          return listIn(event, 'message', 'content').flatMap(content => toolResult(content, event, calls))
        case 'result':
          return [
            ...denials(event, calls),
            ...structured(event),
            usage(event),
            ...contextWindow(event, ownModel),
            ending(event, { resetsAt, errorClass }),
          ]
        default:
          return []
      }
    }
  },
}

function system(event: Fields): Item[] {
  const subtype = text(event, 'subtype')
  if (subtype === 'init') {
    return [{ kind: 'session', id: text(event, 'session_id') || null, model: text(event, 'model') || null }]
  }
  if (subtype !== 'api_retry') return []
  const status = amount(event, 'error_status')
  if (status === 0) {
    return [{ kind: 'warning', text: 'it cannot reach the API; it tries again', limitKind: 'network' }]
  }
  const meaning = meaningOfError([text(event, 'error')], { status, message: '' })
  const limitKind = meaning === 'auth' ? null : meaning
  const said = `the API answered ${status} (${text(event, 'error')}); it tries again`
  return [{ kind: 'warning', text: said, ...(limitKind && { limitKind }) }]
}

const editors = ['Edit', 'Write', 'MultiEdit', 'NotebookEdit']

function block(content: unknown, calls: ToolCalls): Item[] {
  const type = text(content, 'type')
  if (type === 'text') return [{ kind: 'text', text: text(content, 'text') }]
  if (type !== 'tool_use') return []
  const name = text(content, 'name')
  const path = text(content, 'input', 'file_path') || text(content, 'input', 'notebook_path')
  const detail = clipped(path || text(content, 'input', 'command') || text(content, 'input', 'description'))
  const edits = editors.includes(name) && path ? [path] : []
  return calls.begin(text(content, 'id'), { name, detail, edits })
}

function toolResult(content: unknown, event: Fields, calls: ToolCalls): Item[] {
  if (text(content, 'type') !== 'tool_result') return []
  const id = text(content, 'tool_use_id')
  if (at(content, 'is_error') !== true) return calls.end(id, null)
  const meta = listIn(event, 'tool_result_meta').find(one => text(one, 'id') === id)
  const denied = text(meta, 'permission_decision', 'decision') === 'reject'
  return calls.end(id, { why: resultText(content).replace(/<\/?tool_use_error>/g, ''), denied })
}

/** The content is text or a list of blocks. */
function resultText(content: unknown): string {
  return text(content, 'content') || text(listIn(content, 'content')[0], 'text')
}

/** Calls that were denied and got no result. */
function denials(result: Fields, calls: ToolCalls): Item[] {
  const denied = { why: 'it was not permitted', denied: true }
  return listIn(result, 'permission_denials').flatMap(one => calls.end(text(one, 'tool_use_id'), denied))
}

/** The answer to `--json-schema`; missing if the model did not get to it. */
function structured(result: Fields): Item[] {
  const value = result['structured_output']
  return value === undefined || value === null ? [] : [{ kind: 'answer', json: JSON.stringify(value) }]
}

/** Counted at the start of an answer, so it has hardly any output tokens. For runs without a result. */
function partialUsage(event: Fields): Item[] {
  const used = at(event, 'message', 'usage')
  const model = text(event, 'message', 'model')
  const tokens = {
    input: amount(used, 'input_tokens') + amount(used, 'cache_creation_input_tokens'),
    cached: amount(used, 'cache_read_input_tokens'),
    output: amount(used, 'output_tokens'),
  }
  if (tokens.input + tokens.cached + tokens.output === 0) return []
  return [{ kind: 'usage', span: 'part', tokens, costUsd: null, ...(model !== '' && { model }) }]
}

/** The size of its last request; a subagent has a context of its own. */
function context(event: Fields): Item[] {
  if (text(event, 'parent_tool_use_id') !== '') return []
  const used = at(event, 'message', 'usage')
  const counts = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens', 'output_tokens']
  const sum = counts.reduce((total, name) => total + amount(used, name), 0)
  return sum === 0 ? [] : [{ kind: 'context', used: sum, window: null }]
}

function contextWindow(result: Fields, model: string): Item[] {
  const window = amount(result, 'modelUsage', model, 'contextWindow')
  return window === 0 ? [] : [{ kind: 'context', used: null, window }]
}

/**
 * Since 2.1.325 the total covers the whole session, including earlier runs; the difference is given beside it. Both
 * have one row per model, including subagents, which `usage` omits.
 */
function usage(result: Fields): Item {
  const since = at(result, 'model_usage_since_last_result')
  const models = values(since ?? result['modelUsage'])
  const sum = (name: string) => models.reduce<number>((total, model) => total + amount(model, name), 0)
  const used = result['usage']
  const tokens =
    models.length > 0
      ? {
          input: sum('inputTokens') + sum('cacheCreationInputTokens'),
          cached: sum('cacheReadInputTokens'),
          output: sum('outputTokens'),
        }
      : {
          input: amount(used, 'input_tokens') + amount(used, 'cache_creation_input_tokens'),
          cached: amount(used, 'cache_read_input_tokens'),
          output: amount(used, 'output_tokens'),
        }
  const costUsd = since ? sum('costUSD') : amountOr(null, result, 'total_cost_usd')
  return { kind: 'usage', span: 'step', tokens, costUsd }
}

/** Its own words before the message of the API or of its HTTP client. */
const apiError = /^API Error: /

type Before = { resetsAt: number | null; errorClass: string }

function ending(result: Fields, { resetsAt, errorClass }: Before): Item {
  const said = text(result, 'result') || String(listIn(result, 'errors')[0] ?? text(result, 'subtype'))
  const why = clipped(said, 300)
  if (result['is_error'] !== true) return { kind: 'end', ok: true }
  if (text(result, 'terminal_reason').startsWith('aborted_')) {
    return { kind: 'end', ok: false, why: 'it was interrupted' }
  }
  const status = amount(result, 'api_error_status')
  const kinds = [text(result, 'api_error'), errorClass, text(result, 'api_error_type')]
  const message = said.replace(apiError, '')
  const meaning = meaningOfError(kinds, { status, message })
  if (meaning === null) return { kind: 'end', ok: false, why }
  if (meaning === 'auth') return { kind: 'auth', why }
  if (meaning === 'network') return { kind: 'limit', why: clipped(message, 300), limitKind: meaning }
  const until = meaning === 'usage-limit' && resetsAt !== null ? { until: resetsAt * 1_000 } : {}
  return { kind: 'limit', why, limitKind: meaning, ...until }
}

/**
 * Claude Code, `claude -p` with its JSON stream. Whether a run was good is read from `is_error` and the status
 * of the API, never from its exit code or `subtype`. A limit is believed only from those fields.
 */
import { join } from 'node:path'
import type { Item } from '../../model/agent.ts'
import type { Agent } from './agent.ts'
import { amount, amountOr, at, clipped, type Fields, fieldsOf, listIn, text, values } from './parse-line.ts'
import { programCheck } from './program.ts'
import { signInCheck } from './sign-in.ts'

const names = ['claude']

export const claude: Agent = {
  capabilities: {
    cost: 'reported',
    tokens: true,
    edits: true,
    continues: true,
    model: true,
    approves: 'edits in the work tree, and every shell command',
  },
  program: { names, install: 'npm install -g @anthropic-ai/claude-code' },
  endsItself: true,
  check: programCheck(names),
  signedIn: signInCheck(({ env, home }) => ({
    yes: {
      keys: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'],
      files: [join(env['CLAUDE_CONFIG_DIR'] || join(home, '.claude'), '.credentials.json')],
    },
    unknown: {
      keys: ['CLAUDE_CODE_USE_BEDROCK', 'CLAUDE_CODE_USE_VERTEX', 'CLAUDE_CODE_USE_FOUNDRY'],
      // A key may be in its settings; macOS keeps it in the keychain. It writes .claude.json at its first start.
      files: [
        join(env['CLAUDE_CONFIG_DIR'] || home, '.claude.json'),
        join(env['CLAUDE_CONFIG_DIR'] || join(home, '.claude'), 'settings.json'),
        '/etc/claude-code/managed-settings.json',
        '/Library/Keychains',
      ],
    },
  })),
  call: (spec, session) => ({
    argv: [
      spec.agentCmd,
      '-p',
      ['--output-format', 'stream-json', '--verbose'],
      ['--permission-mode', 'acceptEdits'],
      ['--allowedTools', 'Bash'],
      // They would go on after the run that they belong to.
      ['--disallowedTools', 'ScheduleWakeup', 'CronCreate', 'AskUserQuestion'],
      // So that an agent can not switch the hooks of its user off by writing settings into the work tree.
      ['--settings', '{"disableAllHooks":false}'],
      ...(spec.model === undefined ? [] : ['--model', spec.model]),
      ...(session === null ? [] : ['--resume', session]),
    ].flat(),
    env: {
      CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
      DISABLE_AUTOUPDATER: '1',
      // Ten tries take minutes, also with a bad key; waiting is loop's business.
      CLAUDE_CODE_MAX_RETRIES: '4',
    },
  }),
  read: () => {
    let resetsAt: number | null = null
    return line => {
      const event = fieldsOf(line)
      if (!event) return []
      const info = at(event, 'rate_limit_info')
      if (text(info, 'status') === 'rejected') resetsAt = amountOr(null, info, 'resetsAt')
      switch (event['type']) {
        case 'system':
          return system(event)
        case 'assistant':
          return listIn(event, 'message', 'content').flatMap(block)
        case 'result':
          return [usage(event), ending(event, resetsAt)]
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
  return [{ kind: 'warning', text: `the API answered ${status} (${text(event, 'error')}); it tries again` }]
}

const editors = ['Edit', 'Write', 'MultiEdit', 'NotebookEdit']

function block(content: unknown): Item[] {
  const type = text(content, 'type')
  if (type === 'text') return [{ kind: 'text', text: text(content, 'text') }]
  if (type !== 'tool_use') return []
  const name = text(content, 'name')
  const path = text(content, 'input', 'file_path') || text(content, 'input', 'notebook_path')
  const detail = clipped(path || text(content, 'input', 'command') || text(content, 'input', 'description'))
  const tool: Item = { kind: 'tool', name, detail }
  return editors.includes(name) && path ? [tool, { kind: 'edit', path }] : [tool]
}

/** Since 2.1.325 the total is of the whole session, also of runs before this one; the difference is given beside it. */
function usage(result: Fields): Item {
  const since = at(result, 'model_usage_since_last_result')
  const used = result['usage']
  const tokens = {
    input: amount(used, 'input_tokens') + amount(used, 'cache_creation_input_tokens'),
    cached: amount(used, 'cache_read_input_tokens'),
    output: amount(used, 'output_tokens'),
  }
  const costUsd = since
    ? values(since).reduce<number>((sum, model) => sum + amount(model, 'costUSD'), 0)
    : amountOr(null, result, 'total_cost_usd')
  return { kind: 'usage', span: 'step', tokens, costUsd }
}

function ending(result: Fields, resetsAt: number | null): Item {
  const why = clipped(
    text(result, 'result') || String(listIn(result, 'errors')[0] ?? text(result, 'subtype')),
    300,
  )
  if (result['is_error'] !== true) return { kind: 'end', ok: true }
  const status = amount(result, 'api_error_status')
  const type = text(result, 'api_error_type')
  if (status === 429 || status === 529 || type === 'overloaded_error') {
    return { kind: 'limit', why, ...(resetsAt !== null && status === 429 && { until: resetsAt * 1_000 }) }
  }
  if (status === 401 || status === 403 || type === 'billing_error') return { kind: 'auth', why }
  return { kind: 'end', ok: false, why }
}

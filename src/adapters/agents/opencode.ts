/**
 * opencode, through a private server (see opencode-driver). Everything in the work tree is allowed, everything
 * outside it is denied. Without a configured provider opencode silently uses a model hosted by its makers, so the
 * model is shown with the first iteration.
 */
import { extname, join } from 'node:path'
import type { Item } from '../../model/agent.ts'
import type { Agent } from './agent.ts'
import { meaningOf } from './api-error.ts'
import { programCheck } from './program.ts'
import {
  cloudFiles,
  homeOf,
  hostsByKeys,
  keysNamedIn,
  modelKeys,
  providerKeys,
  signInCheck,
  upwards,
} from './provider.ts'
import { amount, amountOr, at, clipped, fieldsOf, listIn, type Trouble, text, toolCall } from './stream.ts'

const names = ['opencode']
/** Matches keys of model providers, not of other agents. */
const isKey =
  /^(?!ANTHROPIC_AUTH_|CLAUDE_|CODEX_|CURSOR_|CLINE_|LOOP_).*(_API_KEY|_TOKEN|_CREDENTIALS)$|^AWS_|^(GOOGLE_CLOUD|GCP|GCLOUD)_PROJECT$/
const configs = ['OPENCODE_CONFIG', 'OPENCODE_CONFIG_CONTENT', 'OPENCODE_CONFIG_DIR']
const configNames = ['opencode.json', 'opencode.jsonc']
const driver = join(import.meta.dirname, `opencode-driver${extname(import.meta.filename)}`)

/** Nobody is there to answer a question or to leave the plan mode. */
const permission = {
  '*': 'allow',
  external_directory: 'deny',
  doom_loop: 'deny',
  question: 'deny',
  plan_enter: 'deny',
  plan_exit: 'deny',
}

export const opencode: Agent = {
  capabilities: {
    cost: 'reported',
    tokens: true,
    edits: true,
    continues: true,
    model: true,
    approves: 'everything in the work tree, every shell command; files outside are denied',
  },
  program: { names, install: 'npm install -g opencode-ai', oldest: '1.18.33' },
  endsItself: true,
  check: programCheck(names),
  keys: env => [
    'OPENCODE_*',
    ...providerKeys,
    ...keysNamedIn(
      [...configNames, 'config.json'].map(name =>
        join(env['XDG_CONFIG_HOME'] || join(homeOf(env), '.config'), 'opencode', name),
      ),
      /\{env:(\w+)\}/g,
    ),
  ],
  signedIn: signInCheck(({ cwd, env, home }) => ({
    yes: {
      keys: ['OPENCODE_API_KEY', 'OPENCODE_AUTH_CONTENT', ...modelKeys],
      files: [join(env['XDG_DATA_HOME'] || join(home, '.local', 'share'), 'opencode', 'auth.json')],
    },
    // Each provider has its own variable, and the configuration can name further providers.
    unknown: {
      keys: [...Object.keys(env).filter(name => isKey.test(name)), ...configs],
      settings: {
        files: [
          ...[...configNames, 'config.json'].map(name =>
            join(env['XDG_CONFIG_HOME'] || join(home, '.config'), 'opencode', name),
          ),
          ...[cwd, home].flatMap(place =>
            upwards(place, [...configNames, ...configNames.map(name => join('.opencode', name))]),
          ),
        ],
        // It writes a file without either at its first start.
        about: /"(provider|model)"/,
      },
    },
  })),
  provider: env => ['opencode.ai', 'models.dev', ...hostsByKeys(env)],
  own: env => {
    const home = homeOf(env)
    const places = [
      env['XDG_DATA_HOME'] || join(home, '.local', 'share'),
      env['XDG_STATE_HOME'] || join(home, '.local', 'state'),
      env['XDG_CACHE_HOME'] || join(home, '.cache'),
    ]
    return {
      directories: places.map(place => join(place, 'opencode')),
      settings: [join(env['XDG_CONFIG_HOME'] || join(home, '.config'), 'opencode')],
      reads: env['AWS_PROFILE'] ? cloudFiles.amazon(env) : [],
    }
  },
  call: (spec, session) => ({
    argv: [process.execPath, driver, spec.agentCmd, spec.model ?? '', session ?? ''],
    env: {
      OPENCODE_PERMISSION: JSON.stringify(permission),
      OPENCODE_DISABLE_AUTOUPDATE: '1',
    },
  }),
  read: () => {
    const seen = new Set<string>()
    let retry: Retry | null = null
    let problem: string | null = null
    /** A part is sent again with each change; it counts once. */
    const once = (key: string, items: Item[]): Item[] => {
      if (seen.has(key) || seen.size > 100_000) return []
      seen.add(key)
      return items
    }
    return line => {
      const event = fieldsOf(line)
      const properties = at(event, 'properties')
      switch (event?.['type']) {
        case 'loop.session':
          return [{ kind: 'session', id: text(properties, 'sessionID') || null, model: null }]
        case 'loop.context':
          return [
            {
              kind: 'context',
              used: amountOr(null, properties, 'used'),
              window: amountOr(null, properties, 'window'),
            },
          ]
        case 'message.updated':
          return model(at(properties, 'info'), once)
        case 'message.part.updated':
          problem = null
          return part(at(properties, 'part'), once)
        case 'file.edited':
          return [{ kind: 'edit', path: text(properties, 'file') }]
        case 'session.status': {
          const next = retryIn(at(properties, 'status'))
          retry = next ?? retry
          return next ? [tryingAgain(next.why)] : []
        }
        case 'session.error': {
          const item = failure(at(properties, 'error'))
          problem = item.kind === 'warning' ? item.text : item.why
          return [item]
        }
        case 'loop.failed':
          return [{ kind: 'end', ok: false, why: clipped(text(properties, 'message'), 300) }]
        case 'loop.end':
          return [usage(properties), ending(text(properties, 'why'), retry, problem)]
        default:
          return []
      }
    }
  },
}

type Once = (key: string, items: Item[]) => Item[]

function model(info: unknown, once: Once): Item[] {
  const name = text(info, 'modelID')
  if (text(info, 'role') !== 'assistant' || name === '') return []
  return once(`model ${name}`, [{ kind: 'session', id: null, model: `${text(info, 'providerID')}/${name}` }])
}

function part(value: unknown, once: Once): Item[] {
  const type = text(value, 'type')
  if (type === 'text') return once(text(value, 'id'), [{ kind: 'text', text: text(value, 'text') }])
  if (type === 'step-finish') return once(text(value, 'id'), [stepUsage(value)])
  return type === 'tool' ? tool(value, once) : []
}

/** Edited files are reported by a separate event. */
function tool(value: unknown, once: Once): Item[] {
  const id = text(value, 'id')
  const input = at(value, 'state', 'input')
  // opencode reports a call that it cannot parse as a tool of this name, with the call in its input.
  const name = text(value, 'tool') === 'invalid' ? text(input, 'tool') : text(value, 'tool')
  const detail = clipped(text(input, 'filePath') || text(input, 'command') || text(input, 'description'))
  // Until its input is complete there is nothing to show.
  if (detail === '' && text(value, 'state', 'status') === 'running') return []
  const call = { name, detail, edits: [] }
  const [used, ...outcome] = toolCall(call, troubleOf(value))
  return [...once(id, used ? [used] : []), ...(outcome.length > 0 ? once(`failed ${id}`, outcome) : [])]
}

const refusals =
  /^The user (has specified a rule which prevents you from using|rejected permission to use) this specific tool call/

function troubleOf(call: unknown): Trouble {
  const error = text(call, 'state', 'error')
  if (text(call, 'state', 'status') === 'error') return { why: error, denied: refusals.test(error) }
  if (text(call, 'tool') === 'invalid') return { why: text(call, 'state', 'input', 'error') }
  // For opencode a failing command is a successful call.
  const exit = amount(call, 'state', 'metadata', 'exit')
  return exit === 0 ? null : { why: `exit ${exit}` }
}

/** The usage of one step of a session or a subagent; the final totals contain all of them. */
function stepUsage(step: unknown): Item {
  const tokens = {
    input: amount(step, 'tokens', 'input') + amount(step, 'tokens', 'cache', 'write'),
    cached: amount(step, 'tokens', 'cache', 'read'),
    output: amount(step, 'tokens', 'output') + amount(step, 'tokens', 'reasoning'),
  }
  return { kind: 'usage', span: 'part', tokens, costUsd: amountOr(null, step, 'cost') }
}

type Retry = { why: string; until: number | null }

function tryingAgain(why: string): Item {
  const meaning = meaningOf({ status: 0, message: why })
  const limitKind = meaning === 'auth' ? null : meaning
  return { kind: 'warning', text: `${why}; it tries again`, ...(limitKind && { limitKind }) }
}

/** It retries by itself; the driver ends a run whose next retry is too far away. */
function retryIn(status: unknown): Retry | null {
  if (text(status, 'type') !== 'retry') return null
  return { why: clipped(text(status, 'message'), 300), until: amountOr(null, status, 'next') }
}

function failure(error: unknown): Extract<Item, { kind: 'auth' | 'limit' | 'warning' }> {
  const why = clipped(text(error, 'data', 'message') || text(error, 'name'), 300)
  const code = amount(error, 'data', 'statusCode')
  const meaning =
    text(error, 'name') === 'ProviderAuthError' ? 'auth' : meaningOf({ status: code, message: why })
  if (meaning === 'auth') return { kind: 'auth', why }
  if (meaning === null) return { kind: 'warning', text: why }
  const seconds = Number(text(error, 'data', 'responseHeaders', 'retry-after') || Number.NaN)
  return { kind: 'limit', why, limitKind: meaning, ...(seconds > 0 && { afterMs: seconds * 1_000 }) }
}

function ending(why: string, retry: Retry | null, problem: string | null): Item {
  if (why === 'limit')
    return retry ? givenUp(retry) : { kind: 'end', ok: false, why: 'it could not reach its model' }
  if (why === 'overflow') return { kind: 'end', ok: false, why: 'the context overflowed again and again' }
  if (why !== '') return { kind: 'end', ok: false, why: 'its server ended in the middle' }
  return problem === null ? { kind: 'end', ok: true } : { kind: 'end', ok: false, why: problem }
}

/** Only a usage limit has a time of its own; loop decides when to retry the others. */
function givenUp({ why, until }: Retry): Item {
  const meaning = meaningOf({ status: 0, message: why }) ?? 'usage-limit'
  if (meaning === 'auth') return { kind: 'auth', why }
  const known = meaning === 'usage-limit' && until !== null
  return { kind: 'limit', why, limitKind: meaning, ...(known && { until }) }
}

/** The totals count from the start of the session; those of its subagents are added. */
function usage(properties: unknown): Item {
  const sessions = [at(properties, 'session'), ...listIn(properties, 'children')]
  const sum = (...path: string[]) => sessions.reduce<number>((total, one) => total + amount(one, ...path), 0)
  const tokens = {
    input: sum('tokens', 'input') + sum('tokens', 'cache', 'write'),
    cached: sum('tokens', 'cache', 'read'),
    output: sum('tokens', 'output') + sum('tokens', 'reasoning'),
  }
  return { kind: 'usage', span: 'session', tokens, costUsd: sum('cost') }
}

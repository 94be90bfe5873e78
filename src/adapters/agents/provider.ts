/**
 * The providers of models, by the variables of an environment: their hosts, the keys that an agent needs, and whether it is
 * signed in. An address that is set is the provider, in place of the usual hosts. For hosts, settings files are not read:
 * an agent may write its own.
 */

import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { parseReach } from '../../model/loop/network.ts'
import type { AgentPlace } from './agent.ts'

type Provider = {
  /** Variables that hold an address. */
  addresses: string[]
  hosts: string[]
}

export function hostsOf({ addresses, hosts }: Provider, env: NodeJS.ProcessEnv): string[] {
  const set = addresses.flatMap(name => env[name] || [])
  return set.length > 0 ? set.flatMap(hostIn) : hosts
}

/** `http://127.0.0.1:4000/v1` → `127.0.0.1:4000` */
function hostIn(text: string): string[] {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return []
  const host = `${url.hostname}:${url.port || (url.protocol === 'http:' ? 80 : 443)}`
  return parseReach(host) === null ? [] : [host]
}

/** Each with the variables of its keys, one of which must be set. */
const known: (Provider & { keys: string[] })[] = [
  {
    keys: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'],
    addresses: ['ANTHROPIC_BASE_URL', 'ANTHROPIC_API_BASE'],
    hosts: ['api.anthropic.com'],
  },
  {
    keys: ['OPENAI_API_KEY'],
    addresses: ['OPENAI_BASE_URL', 'OPENAI_API_BASE'],
    hosts: ['api.openai.com'],
  },
  {
    keys: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
    addresses: ['GOOGLE_GEMINI_BASE_URL'],
    hosts: ['generativelanguage.googleapis.com'],
  },
  { keys: ['OPENROUTER_API_KEY'], addresses: [], hosts: ['openrouter.ai'] },
  { keys: ['DEEPSEEK_API_KEY'], addresses: [], hosts: ['api.deepseek.com'] },
  { keys: ['GROQ_API_KEY'], addresses: [], hosts: ['api.groq.com'] },
  { keys: ['MISTRAL_API_KEY'], addresses: [], hosts: ['api.mistral.ai'] },
  { keys: ['XAI_API_KEY'], addresses: [], hosts: ['api.x.ai'] },
  { keys: ['AZURE_API_KEY'], addresses: ['AZURE_API_BASE'], hosts: [] },
  { keys: ['OLLAMA_API_BASE'], addresses: ['OLLAMA_API_BASE'], hosts: [] },
]

/** For an agent that uses the models of many: the providers whose keys it gets. */
export function hostsByKeys(env: NodeJS.ProcessEnv): string[] {
  return known.flatMap(provider => (provider.keys.some(key => env[key]) ? hostsOf(provider, env) : []))
}

/** The models of Amazon and of Google in their clouds, by region. */
export function bedrockHosts(env: NodeJS.ProcessEnv): string[] {
  const region = env['AWS_REGION'] || env['AWS_DEFAULT_REGION'] || 'us-east-1'
  const services = ['bedrock', 'bedrock-runtime', 'sts', 'oidc', 'portal.sso']
  return services.map(service => `${service}.${region}.amazonaws.com`)
}

export function vertexHosts(region: string | undefined): string[] {
  const place = region && region !== 'global' ? `${region}-aiplatform` : 'aiplatform'
  return [place, 'oauth2', 'sts', 'iamcredentials'].map(name => `${name}.googleapis.com`)
}

/**
 * Tells whether an agent could use its model: a cheap look at names, not a proof. A key in the environment or an
 * existing credentials file means yes. Credentials files are never opened, and nothing is asked over a network.
 * Settings files are read only to see whether they name a provider.
 */

/** `unknown`: a key can have been given in a way that loop does not look into. */
export type SignedIn = 'yes' | 'no' | 'unknown'

type Evidence = {
  /** Names of environment variables; a non-empty one counts. */
  keys?: string[]
  /** Paths of files; an existing one counts. */
  files?: string[]
  /** Settings files, never credentials: one that matches counts, and so does one that cannot be read. */
  settings?: { files: string[]; about: RegExp }
}

type Traces = (place: { cwd: string; env: NodeJS.ProcessEnv; home: string }) => {
  yes: Evidence
  /** Traces that could mean a sign-in, but do not prove one unless they are opened. */
  unknown: Evidence
}

/** The check for an agent that leaves these traces of a sign-in. */
export function signInCheck(traces: Traces): (place: AgentPlace) => SignedIn {
  return ({ cwd, env }) => {
    const { yes, unknown } = traces({ cwd, env, home: homeOf(env) })
    if (isThere(yes, env)) return 'yes'
    return isThere(unknown, env) ? 'unknown' : 'no'
  }
}

function isThere({ keys = [], files = [], settings }: Evidence, env: NodeJS.ProcessEnv): boolean {
  if (keys.some(key => Boolean(env[key])) || files.some(file => existsSync(file))) return true
  return settings?.files.some(file => speaksOf(file, settings.about)) ?? false
}

function speaksOf(file: string, about: RegExp): boolean {
  try {
    return existsSync(file) && about.test(readFileSync(file, 'utf8'))
  } catch {
    return true // it is there, and nobody knows what it says
  }
}

export function homeOf(env: NodeJS.ProcessEnv): string {
  return env['HOME'] || homedir()
}

/** Files by which programs sign in at a cloud; for an agent that reaches its model through it. */
export const cloudFiles = {
  amazon: (env: NodeJS.ProcessEnv) => [
    join(homeOf(env), '.aws'),
    ...named(env, ['AWS_SHARED_CREDENTIALS_FILE', 'AWS_CONFIG_FILE', 'AWS_WEB_IDENTITY_TOKEN_FILE']),
  ],
  google: (env: NodeJS.ProcessEnv) => [
    join(homeOf(env), '.config', 'gcloud'),
    ...named(env, ['CLOUDSDK_CONFIG', 'GOOGLE_APPLICATION_CREDENTIALS']),
  ],
}

function named(env: NodeJS.ProcessEnv, names: readonly string[]): string[] {
  return names.flatMap(name => (env[name]?.startsWith('/') ? [env[name]] : []))
}

/** The variables in which model providers look for a key, for agents that support many of them. */
export const modelKeys = [
  'ANTHROPIC_API_KEY',
  'OPENAI_API_KEY',
  'GEMINI_API_KEY',
  'GOOGLE_GENERATIVE_AI_API_KEY',
  'OPENROUTER_API_KEY',
  'DEEPSEEK_API_KEY',
  'GROQ_API_KEY',
  'MISTRAL_API_KEY',
  'XAI_API_KEY',
]

/** The same for more providers and gateways: an agent that supports many of them gets those that are set. */
export const providerKeys = [
  ...modelKeys,
  'GOOGLE_API_KEY GOOGLE_CLOUD_* GOOGLE_VERTEX_* VERTEX* AZURE_* AWS_BEARER_TOKEN_BEDROCK OLLAMA_* LITELLM_* LLM_*',
  'TOGETHER*_API_KEY FIREWORKS*_API_KEY PERPLEXITY*_API_KEY COHERE_API_KEY CO_API_KEY CEREBRAS_API_KEY',
  'NVIDIA*_API_KEY HF_TOKEN HUGGINGFACE* HUGGING_FACE_HUB_TOKEN DASHSCOPE_API_KEY MOONSHOT_API_KEY ZAI_API_KEY',
  'ZHIPU*_API_KEY MINIMAX_API_KEY SILICONFLOW_API_KEY BASETEN_API_KEY DEEPINFRA_API_KEY SAMBANOVA_API_KEY',
  'NOVITA_API_KEY AI21_API_KEY REPLICATE_API_TOKEN VENICE_API_KEY INCEPTION_API_KEY AI_GATEWAY_API_KEY',
  'ANTHROPIC_* OPENAI_* CLAUDE_CODE_OAUTH_TOKEN AMP_* GOOSE_* QWEN_* FACTORY_API_KEY COPILOT_* GITHUB_COPILOT_*',
].flatMap(line => line.split(' '))

/** The variables that the user's settings name as holding a key: the group of the pattern. */
export function keysNamedIn(files: string[], pattern: RegExp): string[] {
  return files.flatMap(file => {
    try {
      return [...readFileSync(file, 'utf8').matchAll(pattern)].flatMap(([, name = '']) => name)
    } catch {
      return [] // not there, or closed to us: nothing is known of it
    }
  })
}

/** The files of these names in a directory and in all its parents. */
export function upwards(cwd: string, names: string[]): string[] {
  const parts = cwd.split('/')
  return parts.flatMap((_, i) => names.map(name => join('/', ...parts.slice(0, parts.length - i), name)))
}

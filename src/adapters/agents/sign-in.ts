/**
 * Whether an agent could use its model: a cheap look at names, never a proof. A key in the environment or a file
 * of credentials that is there means yes. No such file is ever opened, and nothing is asked of a network. Settings
 * are read only for whether they speak of a provider.
 */
import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { AgentPlace } from './agent.ts'

/** `unknown`: it may have been given a key in a way that loop does not look into. */
export type SignedIn = 'yes' | 'no' | 'unknown'

type Evidence = {
  /** Names of environment variables; one that is set and not empty counts. */
  keys?: string[]
  /** Paths of files; one that is there counts. */
  files?: string[]
  /** Files of settings, never of credentials: one that speaks of this counts, and one that cannot be read. */
  settings?: { files: string[]; about: RegExp }
}

type Traces = (place: { cwd: string; env: NodeJS.ProcessEnv; home: string }) => {
  yes: Evidence
  /** Traces of a sign-in that cannot be told from none without opening them. */
  unknown: Evidence
}

/** The check of an agent that leaves these traces of a sign-in. */
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

function homeOf(env: NodeJS.ProcessEnv): string {
  return env['HOME'] || homedir()
}

/** The variables in which the makers of models look for a key, for agents that talk to many of them. */
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

/** The files of these names in a directory and in all that it is in. */
export function upwards(cwd: string, names: string[]): string[] {
  const parts = cwd.split('/')
  return parts.flatMap((_, i) => names.map(name => join('/', ...parts.slice(0, parts.length - i), name)))
}

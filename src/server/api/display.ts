/**
 * The only way for text to leave loopd: without secrets, and without characters that control a terminal, hide or
 * reorder text. The secrets are those of loopd's environment and of the environment kept with the loop in question.
 */
import { readFileSync } from 'node:fs'
import { safeText } from '../../core/text/plain-text.ts'
import { redactText, type Secret, secretsIn } from '../../secrets/redact.ts'
import { envFile, type Paths } from '../../store/files/paths.ts'

export type Display = {
  /** The secrets of loopd, and of this loop if one is named. */
  secrets(loop: string | null): readonly Secret[]
  /** A value as JSON. `exact`: only secrets are removed. */
  json(value: unknown, about?: { loop?: string | null; exact?: boolean | undefined }): string
}

type KnownSecrets = { secrets: Secret[]; at: number }

/** An environment is kept when a loop is queued or resumed, so the cached one is read again after a while. */
const freshMs = 10_000
const mostKnown = 64

export function displayOf(paths: Paths, env: NodeJS.ProcessEnv, now: () => number): Display {
  const own = secretsIn(env)
  const known = new Map<string, KnownSecrets>()
  const secrets = (loop: string | null): readonly Secret[] => {
    if (loop === null) return own
    const before = known.get(loop)
    if (before && now() - before.at < freshMs) return before.secrets
    const found = { secrets: both(own, keptSecrets(paths, loop)), at: now() }
    known.delete(loop)
    known.set(loop, found)
    const [oldest] = known.keys()
    if (known.size > mostKnown && oldest !== undefined) known.delete(oldest)
    return found.secrets
  }
  return {
    secrets,
    json(value, { loop = null, exact = false } = {}) {
      const text = JSON.stringify(exact ? value : safeStrings(value))
      return redactText(text, asInJson(secrets(loop)))
    },
  }
}

function both(own: readonly Secret[], kept: readonly Secret[]): Secret[] {
  const names = new Set(own.map(({ value }) => value))
  return [...own, ...kept.filter(({ value }) => !names.has(value))]
}

/** Empty if no environment was kept, or it is damaged: then the loop runs in that of loopd. */
function keptSecrets(paths: Paths, loop: string): Secret[] {
  try {
    const stored: unknown = JSON.parse(readFileSync(envFile(paths, loop), 'utf8'))
    return typeof stored === 'object' && stored !== null ? secretsIn(stored as NodeJS.ProcessEnv) : []
  } catch {
    return []
  }
}

/** In JSON a value can stand as it is, or with escaped quotes and backslashes. */
function asInJson(secrets: readonly Secret[]): Secret[] {
  return secrets.flatMap(secret => {
    const escaped = JSON.stringify(secret.value).slice(1, -1)
    return escaped === secret.value ? [secret] : [secret, { ...secret, value: escaped }]
  })
}

/** Field names too: the name of a criterion is one. */
function safeStrings(value: unknown, safe = safeText): unknown {
  if (typeof value === 'string') return safe(value)
  if (Array.isArray(value)) return value.map(item => safeStrings(item, safe))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      safe(key),
      key === 'answer' && typeof item === 'string' ? safeAnswer(item) : safeStrings(item, safe),
    ]),
  )
}

/**
 * A recorded answer of a model is a JSON document in a string, which a reader parses: it is made safe inside and stays
 * a document. Other answers are words of people.
 */
function safeAnswer(text: string): string {
  if (!text.startsWith('{')) return safeText(text)
  try {
    return JSON.stringify(safeStrings(JSON.parse(text), withoutHidden))
  } catch {
    return safeText(text)
  }
}

/** Without dropping what follows an ESC: the identity of a finding is made of its text (core/plan/findings). */
function withoutHidden(text: string): string {
  return safeText(text.replaceAll('\u001B', ''))
}

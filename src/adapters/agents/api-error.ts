/**
 * The meaning of a model API's error, as an agent quotes it in its own error field: which errors concern the
 * account, and which pass by themselves. It knows status codes and the exact beginnings of messages of providers and
 * HTTP clients. It is given that field only, never other text.
 */
import type { LimitKind } from '../../model/agent.ts'

/** `auth`: a person has to sign in or pay. A limit kind: to be waited for. Null: an ordinary failure. */
type Meaning = 'auth' | LimitKind | null

/** `status` is 0 if there was no status, or no answer at all. */
export function meaningOf({ status, message }: { status: number; message: string }): Meaning {
  if (status === 401 || status === 402 || status === 403 || emptyAccount.test(message)) return 'auth'
  if (status === 429) return 'usage-limit'
  if (isOverload(status)) return 'overload'
  if (status !== 0) return null
  if (noConnection.test(message)) return 'network'
  if (overload.test(message)) return 'overload'
  return rateLimit.test(message) ? 'usage-limit' : null
}

/** 500 is excluded: this very request can be the cause, and then waiting does not help. */
export function isOverload(status: number): boolean {
  return [502, 503, 504, 529].includes(status)
}

/**
 * An account without credit gets 429 from OpenAI, 400 from Anthropic, 402 from OpenRouter, DeepSeek and others.
 * Google's message about an ordinary rate limit begins like OpenAI's, but continues after it.
 */
const emptyAccount =
  /^(You exceeded your current quota, please check your plan and billing details\.(?=$| For more information on this error, read the docs: https:\/\/platform\.openai\.com)|Your credit balance is too low to access the Anthropic API|Insufficient (credits|balance)\b|This request requires more credits)/i

/** The messages of node, bun, the AI SDK and the providers' clients about a failed connection. */
const noConnection =
  /^(Cannot connect to API|Unable to connect|Connection error\.|Connection refused|fetch failed|exception TypeError: fetch failed|(request to \S+ failed, reason: )?((connect|getaddrinfo) )?(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH)\b)/i

const overload =
  /^(overloaded|Provider is overloaded|The (model|server|engine) is (currently )?overloaded|Service Unavailable|Bad Gateway|Gateway Time-?out|(502|503|504|529)\b)/i

const rateLimit = /^(429\b|rate limit (reached|exceeded)|too many requests|you exceeded your current quota)/i

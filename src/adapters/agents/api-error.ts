/**
 * The answer of a model's API, as an agent quotes it in its own field for errors: which refusals are a matter of
 * the account, which pass by themselves. Knows status codes and the exact openings of sentences that providers and
 * HTTP clients use. Only ever given that field, never other text.
 */
import type { LimitKind } from '../../model/agent.ts'

/** `auth`: a person has to sign in or pay. A kind of limit: to be waited for. Null: an ordinary failure. */
type Meaning = 'auth' | LimitKind | null

/** No `status` (0): the answer is known by its words alone, or there was none. */
export function meaningOf({ status, message }: { status: number; message: string }): Meaning {
  if (status === 401 || status === 402 || status === 403 || emptyAccount.test(message)) return 'auth'
  if (status === 429) return 'usage-limit'
  if (isOverload(status)) return 'overload'
  if (status !== 0) return null
  if (noConnection.test(message)) return 'network'
  if (overload.test(message)) return 'overload'
  return rateLimit.test(message) ? 'usage-limit' : null
}

/** 500 is left out: it may be the fault of this very request, and then no waiting helps. */
export function isOverload(status: number): boolean {
  return [502, 503, 504, 529].includes(status)
}

/**
 * OpenAI answers an account without credit with 429, Anthropic with 400; OpenRouter, DeepSeek and others with 402.
 * Google begins a sentence about an ordinary rate limit like OpenAI's, but goes on after it.
 */
const emptyAccount =
  /^(You exceeded your current quota, please check your plan and billing details\.(?=$| For more information on this error, read the docs: https:\/\/platform\.openai\.com)|Your credit balance is too low to access the Anthropic API|Insufficient (credits|balance)\b|This request requires more credits)/i

/** What node, bun, the AI SDK and the clients of the model makers say of a connection that they do not get. */
const noConnection =
  /^(Cannot connect to API|Unable to connect|Connection error\.|Connection refused|fetch failed|exception TypeError: fetch failed|(request to \S+ failed, reason: )?((connect|getaddrinfo) )?(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH)\b)/i

const overload =
  /^(overloaded|Provider is overloaded|The (model|server|engine) is (currently )?overloaded|Service Unavailable|Bad Gateway|Gateway Time-?out|(502|503|504|529)\b)/i

const rateLimit = /^(429\b|rate limit (reached|exceeded)|too many requests|you exceeded your current quota)/i

/** Refusals of model APIs: a usage limit, an invalid key, an overload; each in the form of the agent's API. */
import type { Turn } from './model-server.ts'
import type { RealAgent } from './real.ts'

export const refusal: Record<RealAgent, (kind: 'limit' | 'key') => NonNullable<Turn['error']>> = {
  claude: kind =>
    kind === 'limit'
      ? {
          status: 429,
          headers: { 'retry-after': '3600' },
          body: anthropicError('rate_limit_error', 'too many'),
        }
      : { status: 401, body: anthropicError('authentication_error', 'invalid x-api-key') },
  opencode: openaiError,
  codex: openaiError,
  cline: openaiError,
  gemini: kind =>
    kind === 'limit'
      ? {
          status: 429,
          body: { error: { code: 429, message: 'quota', status: 'RESOURCE_EXHAUSTED', details: perDay } },
        }
      : {
          status: 401,
          body: { error: { code: 401, message: 'API key not valid', status: 'UNAUTHENTICATED' } },
        },
}

const perDay = [
  {
    '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
    violations: [{ quotaId: 'GenerateRequestsPerDay' }],
  },
]

function anthropicError(type: string, message: string) {
  return { type: 'error', error: { type, message } }
}

function openaiError(kind: 'limit' | 'key'): NonNullable<Turn['error']> {
  return kind === 'limit'
    ? {
        status: 429,
        // Twice as long as loop lets opencode wait by itself: under load, loop may notice the wait seconds late.
        headers: { 'retry-after': '20' },
        body: {
          error: {
            message: 'Rate limit reached for requests',
            type: 'requests',
            code: 'rate_limit_exceeded',
          },
        },
      }
    : { status: 401, body: { error: { message: 'Incorrect API key provided', code: 'invalid_api_key' } } }
}

const openai = (status: number, message: string, headers: Record<string, string>) => ({
  status,
  headers,
  body: { error: { message, type: 'server_error', code: 'server_is_overloaded' } },
})

export const overload: Record<RealAgent, NonNullable<Turn['error']>> = {
  claude: {
    status: 529,
    body: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
  },
  // Longer than loop lets opencode wait by itself.
  opencode: openai(529, 'Overloaded', { 'retry-after': '20' }),
  codex: openai(503, 'The server is overloaded.', {}),
  cline: openai(503, 'The server is currently overloaded with other requests.', { 'retry-after': '0' }),
  gemini: {
    status: 503,
    body: { error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } },
  },
}

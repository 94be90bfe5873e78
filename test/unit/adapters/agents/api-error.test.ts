/** The meaning of errors of model APIs, as agents quote them, and texts that only look like one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { meaningOf } from '../../../../src/adapters/agents/api-error.ts'

const quota = 'You exceeded your current quota, please check your plan and billing details.'

const rows: [status: number, message: string, meaning: ReturnType<typeof meaningOf>][] = [
  [401, 'Incorrect API key provided', 'auth'],
  [402, 'Insufficient Balance', 'auth'],
  [403, '', 'auth'],
  [400, 'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing.', 'auth'],
  [429, quota, 'auth'],
  [
    429,
    `${quota} For more information on this error, read the docs: https://platform.openai.com/docs`,
    'auth',
  ],
  [429, `${quota} For more information on this error, head to: https://ai.google.dev/`, 'usage-limit'],
  [429, 'Rate limit reached for requests', 'usage-limit'],
  [0, 'Rate limit reached for requests', 'usage-limit'],
  [0, 'Too Many Requests', 'usage-limit'],
  [529, 'Overloaded', 'overload'],
  [503, 'upstream connect error', 'overload'],
  [502, '<html>', 'overload'],
  [504, '', 'overload'],
  [0, 'Provider is overloaded', 'overload'],
  [0, 'The server is currently overloaded with other requests.', 'overload'],
  [0, 'Service Unavailable: upstream connect error', 'overload'],
  [0, 'Cannot connect to API: Unable to connect. Is the computer able to access the url?', 'network'],
  [0, 'fetch failed', 'network'],
  [0, 'Connection error.', 'network'],
  [0, 'connect ECONNREFUSED 127.0.0.1:9', 'network'],
  [0, 'getaddrinfo ENOTFOUND api.example.com', 'network'],
  [0, 'request to http://x/v1 failed, reason: connect ECONNREFUSED 127.0.0.1:9', 'network'],
  [500, 'Internal server error', null],
  [400, 'Overloaded operator in line 3', null],
  [404, 'fetch failed', null],
  [0, '', null],
  [0, 'the test says: 429 rate limit reached', null],
  [0, 'could not connect to API', null],
  [0, 'connect the wires', null],
]

for (const [status, message, meaning] of rows) {
  test(`${status} ${message}: ${meaning}`, () => assert.equal(meaningOf({ status, message }), meaning))
}

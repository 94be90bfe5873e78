/**
 * The expected results for recorded streams of real programs that were refused: not signed in, an empty account, a
 * model that could not be reached, or was overloaded.
 */
import type { RunEnding, told } from '../../../../src/core/loop/run-report.ts'
import type { LimitKind } from '../../../../src/model/agent.ts'

export type Case = { file: string; given?: Partial<RunEnding>; comes: Partial<ReturnType<typeof told>> }

export function refusals(): Case[] {
  const quota = 'You exceeded your current quota, please check your plan and billing details.'
  const credits = 'Insufficient credits. Add more at the billing page.'
  const offline = 'Reconnecting... waiting for network (Connection failed: error sending request)'
  const typo = 'Cannot connect to API: Was there a typo in the url or port?'
  const auth: Record<string, string> = {
    'claude-login.out': 'Not logged in · Please run /login',
    'claude-credit.out': 'Credit balance is too low',
    'claude-402.out': 'API Error: 402 Your account has no credit.',
    'codex-login.out': 'Missing environment variable: `LOCAL_KEY`.',
    'codex-credit.out': 'Quota exceeded. Check your plan and billing details.',
    'codex-402.out': `unexpected status 402 Payment Required: ${credits}, url: http://127.0.0.1:35183/v1/responses`,
    'gemini-login.err':
      'Please set an Auth method in your /home/user/.gemini/settings.json or specify one of the following environment variables before running: GEMINI_API_KEY, GOOGLE_GENAI_USE_VERTEXAI, GOOGLE_GENAI_USE_GCA',
    'gemini-402.out':
      '[API Error: {"error":{"code":402,"message":"Payment required","status":"FAILED_PRECONDITION"}}]',
    'cline-login.out': 'Incorrect API key provided',
    'cline-credit.out': quota,
    'cline-402.out': credits,
    'opencode-key.out': 'Incorrect API key provided',
    'opencode-credit.out': quota,
    'opencode-402.out': credits,
    'aider-credit.out': `litellm.RateLimitError: RateLimitError: OpenAIException - ${quota}`,
  }
  const limits: Record<string, [LimitKind, string]> = {
    'claude-network.out': [
      'network',
      'Connection refused — a firewall or proxy may be blocking it (ECONNREFUSED)',
    ],
    'claude-network-2.1.197.out': ['network', 'Unable to connect to API (ConnectionRefused)'],
    'claude-network-2.1.327.out': [
      'network',
      'Connection refused — a firewall or proxy may be blocking it (ECONNREFUSED)',
    ],
    'claude-dns.out': ['network', "Can't reach the API server — check your internet or DNS (EAI_AGAIN)"],
    'codex-overload.out': ['overload', 'Selected model is at capacity. Please try a different model.'],
    'codex-529.out': [
      'overload',
      'unexpected status 529 <unknown status code>: Overloaded, url: http://127.0.0.1:41233/v1/responses',
    ],
    'gemini-network.out': ['network', '[API Error: exception TypeError: fetch failed sending request]'],
    'aider-network.out': [
      'network',
      'litellm.APIConnectionError: APIConnectionError: OpenAIException - Connection error.',
    ],
    'cline-network.out': ['network', `${typo}: Was there a typo in the url or port? (FailedToOpenSocket)`],
    'cline-overload.out': ['overload', 'The server is currently overloaded with other requests.'],
    'acp-network.out': [
      'network',
      'Internal error: Cannot connect to API: Unable to connect. Is the computer able to access the url?',
    ],
    'opencode-network.out': [
      'network',
      'Cannot connect to API: Unable to connect. Is the computer able to access the url?',
    ],
    'opencode-overload.out': ['overload', 'Provider is overloaded'],
  }
  // These programs retry for minutes, or for ever: loop has ended their runs.
  const cut: typeof limits = {
    'codex-network.out': ['network', offline],
    'codex-dns.out': ['network', offline],
    'gemini-network.err': [
      'network',
      'Attempt 9 failed. Retrying with backoff... Error: exception TypeError: fetch failed sending request',
    ],
    'gemini-overload.err': [
      'overload',
      'Attempt 6 failed with status 503. Retrying with backoff... _ApiError: {"error":{"code":503,"message":"The model is overloaded. Please try again later.","status":"UNAVAILABLE"}}',
    ],
  }
  const limited = (of: typeof limits, given: Partial<RunEnding>): Case[] =>
    Object.entries(of).map(([file, [kind, why]]) => ({
      file,
      given,
      comes: { limit: { until: null, why, kind } },
    }))
  return [
    ...Object.entries(auth).map(([file, why]) => ({ file, comes: { auth: why } })),
    ...limited(limits, {}),
    ...limited(cut, { endsItself: false, how: 'timeout' as const }),
  ]
}

/** The meaning of Claude Code's errors, by their own names and by the status of the API. */
import type { LimitKind } from '../../model/agent.ts'
import { meaningOf } from './api-error.ts'

/** Its own error kinds `api_error` and `error`, from its schema, and the types of the API. */
const meanings: Record<string, 'auth' | LimitKind> = {
  authentication_failed: 'auth',
  oauth_org_not_allowed: 'auth',
  account_on_hold: 'auth',
  verification_required: 'auth',
  billing_error: 'auth',
  cloud_credential_error: 'auth',
  stored_login_refused: 'auth',
  provider_credentials: 'auth',
  gateway_signin_required: 'auth',
  gateway_session_expired: 'auth',
  api_key_auth_disabled: 'auth',
  org_disabled_credential: 'auth',
  invalid_credential_header: 'auth',
  model_requires_usage_credits: 'auth',
  usage_limit_reached: 'usage-limit',
  rate_limit: 'usage-limit',
  overloaded: 'overload',
  overloaded_error: 'overload',
  connection_failed: 'network',
  computer_slept: 'network',
}

/** Versions before `connection_failed` call a failed connection `server_error`: there only the message tells. */
export function meaningOfError(
  kinds: string[],
  { status, message }: { status: number; message: string },
): 'auth' | LimitKind | null {
  const known = kinds.find(kind => Object.hasOwn(meanings, kind))
  return (known && meanings[known]) || meaningOf({ status, message })
}

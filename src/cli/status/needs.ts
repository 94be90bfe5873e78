/** Below the table of `loop status` and below a history: what loops that need a person need, and what to type. */
import { needsOf } from '../../engine/shown/detail.ts'
import type { Store } from '../../store/contract.ts'
import { redactAll, secretsIn } from '../../views/secrets/redact.ts'

/** More would hide the table. */
const most = 4

/** After an empty line; nothing if none of them needs a person. */
export function needsOfLoops(store: Store, ids: readonly string[], env: NodeJS.ProcessEnv): string[] {
  const needs = ids.map(id => needsOf(store, id, Date.now())).filter(lines => lines.length > 0)
  if (needs.length === 0) return []
  const more = needs.length - most
  const rest = more > 0 ? [`${more} more: loop status <id> says what each needs.`] : []
  return ['', ...redactAll(needs.slice(0, most).flat(), secretsIn(env)), ...rest]
}

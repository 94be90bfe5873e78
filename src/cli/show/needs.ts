/** Below the table of `loop status` and below a history: what loops that need a person need, and what to type. */
import { needsOf } from '../../engine/shown/detail.ts'
import { redactAll, secretsIn } from '../../secrets/redact.ts'
import type { Store } from '../../store/contract.ts'

/** More would hide the table. */
const most = 4

/** After an empty line; nothing if none of them needs a person. Loops beyond those that are shown are not read. */
export function needsOfLoops(store: Store, ids: readonly string[], env: NodeJS.ProcessEnv): string[] {
  const shown: string[][] = []
  let read = 0
  while (read < ids.length && shown.length < most) {
    const lines = needsOf(store, ids[read] ?? '', Date.now())
    if (lines.length > 0) shown.push(lines)
    read += 1
  }
  if (shown.length === 0) return []
  const more = ids.length - read
  const rest = more > 0 ? [`${more} more at rest: loop status <id> says whether it needs you.`] : []
  return ['', ...redactAll(shown.flat(), secretsIn(env)), ...rest]
}

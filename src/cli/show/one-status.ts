/** `loop status <id>`: one loop or group in detail. */
import { isActive } from '../../core/loop/summary.ts'
import type { AnySummary } from '../../core/summary.ts'
import { jsonText } from '../../core/text/plain-text.ts'
import { loopJson } from '../../documents/loop.ts'
import { shownWhole } from '../../engine/shown/detail.ts'
import { ok, type Result } from '../../model/failure.ts'
import type { CriterionResult } from '../../model/loop/event.ts'
import { redactAll, secretsIn } from '../../secrets/redact.ts'
import type { Store } from '../../store/contract.ts'
import { detailLines } from '../../views/faces/detail.ts'
import { hung } from '../../views/layout/columns.ts'
import type { Input } from '../command-table.ts'
import { findLoop, noLoops } from '../find-loop.ts'
import { outputWidth } from '../terminal.ts'
import { timeless, type View } from './loops.ts'

/** `rests`: there is nothing to wait for. */
export type StatusView = View & { rests: boolean }

export function viewOfOne(store: Store | null, input: Input): Result<StatusView> {
  if (!store) return noLoops(input)
  const found = findLoop(store, input)
  if (!found.ok) return found
  const one = shownWhole(store, found.value)
  const now = Date.now()
  const secrets = secretsIn(input.env)
  const lines = () => detailLines({ shown: one, now, results: () => resultsOf(store, found.value) })
  return ok({
    text: input.given('json')
      ? jsonText(redactAll(loopJson(one, now), secrets))
      : redactAll(lines(), secrets)
          .flatMap(line => hung(line, outputWidth()))
          .join('\n'),
    facts: () => JSON.stringify(loopJson(timeless(one), 0)),
    ends: ok(0),
    rests: !isActive(found.value.status) || one.orphaned,
  })
}

/** What each criterion came to when the promise was last run. */
function resultsOf({ journals }: Store, { id }: AnySummary): Map<string, CriterionResult> {
  const last = journals.ofKinds(id, ['promise.verified'], 0).at(-1)?.data
  const results = last && 'results' in last ? last.results : []
  return new Map(results.map(result => [result.name, result]))
}

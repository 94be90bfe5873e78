/** Prints loops as a table or as JSON: shared by `status` and `list`. */
import type { Summary } from '../core/summary.ts'
import { fail, ok, type Result } from '../model/failure.ts'
import { shown } from '../server/api/detail.ts'
import type { Store } from '../store/database.ts'
import { hostFinder } from '../store/lease.ts'
import type { Listed } from '../store/summary.ts'
import { listJson, table } from '../views/status.ts'
import type { Input } from './command.ts'
import { out } from './terminal.ts'

const noLoops = 'No loops. Start one with: loop start "…" -p "…", or see: loop demo'

/** `none` is said where there are none. */
export async function printLoops(
  store: Store | null,
  input: Input,
  { choose, none = noLoops }: { choose(store: Store): Listed; none?: string },
): Promise<Result<number>> {
  const listed = store ? choose(store) : { summaries: [], damaged: [] }
  const summaries = await withoutSecrets(listed.summaries, input.env)
  const find = store && hostFinder(store)
  const rows = store && find ? summaries.map(summary => shown(store, summary, find)) : []
  const now = Date.now()
  if (input.given('json')) out(JSON.stringify(rows.map(row => listJson(row, now))))
  else if (rows.length > 0) out(table(rows, now).join('\n'))
  else if (listed.damaged.length === 0) out(none)
  if (listed.damaged.length === 0) return ok(0)
  return fail('store-damaged', `The journals of these loops are damaged: ${listed.damaged.join(', ')}.`)
}

/** `npm test` holds no secret; what looks for them is loaded only where one might, and looks at each text once. */
async function withoutSecrets(summaries: Summary[], env: NodeJS.ProcessEnv): Promise<Summary[]> {
  const texts = new Set(summaries.flatMap(({ promise, detail }) => [promise, detail]))
  const doubtful = [...texts].filter(text => /\S{8}/.test(text))
  if (doubtful.length === 0) return summaries
  const { redactText, secretsIn } = await import('../views/redact.ts')
  const secrets = secretsIn(env)
  const clean = new Map(doubtful.map(text => [text, redactText(text, secrets)]))
  const cleaned = (text: string) => clean.get(text) ?? text
  return summaries.map(summary => ({
    ...summary,
    promise: cleaned(summary.promise),
    detail: cleaned(summary.detail),
  }))
}

/** Loops as a table or as JSON: shared by `status` and `list`. */
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

type Choice = { choose(store: Store): Listed; none?: string }

/** What is printed of these loops, the same without times for who looks whether anything has changed, and how it ends. */
export type View = { text: string; facts(): string; ends: Result<number> }

/** `none` is said where there are none. */
export async function viewOfLoops(
  store: Store | null,
  input: Input,
  { choose, none = noLoops }: Choice,
): Promise<View> {
  const listed = store ? choose(store) : { summaries: [], damaged: [] }
  const summaries = await withoutSecrets(listed.summaries, input.env)
  const find = store && hostFinder(store)
  const rows = store && find ? summaries.map(summary => shown(store, summary, find)) : []
  const now = Date.now()
  const words = () =>
    rows.length > 0 ? table(rows, now).join('\n') : listed.damaged.length === 0 ? none : ''
  return {
    text: input.given('json') ? JSON.stringify(rows.map(row => listJson(row, now))) : words(),
    facts: () => JSON.stringify(rows.map(row => ({ ...listJson(row, 0), elapsedMs: 0, totalMs: 0 }))),
    ends:
      listed.damaged.length === 0
        ? ok(0)
        : fail('store-damaged', `The journals of these loops are damaged: ${listed.damaged.join(', ')}.`),
  }
}

export async function printLoops(store: Store | null, input: Input, choice: Choice): Promise<Result<number>> {
  const { text, ends } = await viewOfLoops(store, input, choice)
  if (text !== '') out(text)
  return ends
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

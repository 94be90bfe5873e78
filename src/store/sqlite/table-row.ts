/**
 * What a line of `loop status` shows of each loop, in two small tables: `brief` has what changes, `about` the work tree
 * and the first words of the prompt. So the status of a thousand loops reads a tenth of the bytes of their summaries.
 * Triggers keep both tables, so they are right whichever version of loop writes a summary. Each text is stored twice,
 * to detect damage without a checksum; where both differ, the summary is read (store/sqlite/head).
 */
import type { DatabaseSync } from 'node:sqlite'
import type { Brief } from '../../core/loop/summary.ts'

/** Are there as many table rows as summaries, and as many open ones? */
export function areComplete(db: DatabaseSync): boolean {
  const same = (some: string) =>
    `(select count(*) from brief ${some}) = (select count(*) from summary ${some})`
  const row = db.prepare(`select ${same('')} and ${same('where open = 1')} as same`).get()
  return row?.['same'] === 1
}

export const briefColumns = `brief.loop,
  iif(line = copy and words = again, '[' || line || ',' || words || ']', null) as texts`

/** Null where a text is missing, its copies differ, or it belongs to another loop or to a group. */
export function readBrief(row: Record<string, unknown>): Brief | null {
  if (row['texts'] === null) return null
  const [values, about] = JSON.parse(String(row['texts']))
  // Journals of other kinds have no iterations.
  if (values[0] !== row['loop'] || about[0] !== row['loop'] || values[2] === null) return null
  // Spelled out in the order of briefFields: a loop over the fields takes six times as long.
  return {
    id: values[0],
    status: values[1],
    iteration: values[2],
    maxIterations: values[3],
    costUsd: values[4],
    costEstimated: values[5],
    promise: values[6],
    agent: values[7],
    createdAt: values[8],
    endedAt: values[9],
    activeMs: values[10],
    activeSince: values[11],
    session: values[12] ?? undefined,
    costIncomplete: values[13],
    cwd: about[1],
    prompt: about[2] ?? '',
  }
}

/**
 * What a table shows of each loop, in two small tables: `brief` has what changes, `about` its work tree and the first
 * words of its prompt. So `loop status` of a thousand loops reads a tenth of the bytes of their summaries. The database
 * itself keeps both (triggers), so they are right whichever version of loop writes a summary. Each text is there
 * twice, which tells damage at no cost; where there is none to believe, the summary is read (store/sqlite/head).
 */
import type { DatabaseSync } from 'node:sqlite'
import type { Brief } from '../../core/loop/summary.ts'
import { hasTable } from './migrations.ts'

/** Whether there is one for each summary, and one that is open for each that is. */
export function areComplete(db: DatabaseSync): boolean {
  if (!hasTable(db, 'brief') || !hasTable(db, 'about')) return false
  const same = (some: string) =>
    `(select count(*) from brief ${some}) = (select count(*) from summary ${some})`
  const row = db.prepare(`select ${same('')} and ${same('where open = 1')} as same`).get()
  return row?.['same'] === 1
}

export const briefColumns = `brief.loop,
  iif(line = copy and words = again, '[' || line || ',' || words || ']', null) as texts`

/** Null where a text is missing, or its copies differ, or it is of another loop or no loop at all. */
export function readBrief(row: Record<string, unknown>): Brief | null {
  if (row['texts'] === null) return null
  const [values, about] = JSON.parse(String(row['texts']))
  // A journal of another kind has no iterations.
  if (values[0] !== row['loop'] || about[0] !== row['loop'] || values[2] === null) return null
  // One by one and in the order of briefFields: a thousand times, anything shorter takes six times as long.
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
    activeMs: values[10] ?? undefined,
    activeSince: values[11],
    session: values[12] ?? undefined,
    costIncomplete: values[13] ?? undefined,
    cwd: about[1],
    prompt: about[2] ?? '',
  }
}

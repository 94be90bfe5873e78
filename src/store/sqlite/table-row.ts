/**
 * What a table shows of each loop, in a small table of its own: `loop status` of a thousand loops reads a tenth of
 * the bytes of their summaries. The database itself keeps it (triggers), so it is right whichever version of loop
 * writes a summary. Each line is there twice, which tells damage at no cost; where there is no line to believe, the
 * summary is read (store/sqlite/summary).
 */
import type { DatabaseSync } from 'node:sqlite'
import { type Brief, briefFields } from '../../core/loop/summary.ts'

const line = `json_array(${briefFields.map(field => `new.body -> '$.${field}'`).join(', ')})`

/** Loops of before have no line until they are written again. */
const schema = `
  create table brief (
    open integer not null, created_at real not null, loop text not null unique, status text not null,
    line text, copy text, primary key (open, created_at, loop)
  ) without rowid;
  create trigger brief_kept after insert on summary begin
    delete from brief where loop = new.loop;
    insert into brief select new.open, new.created_at, new.loop, new.status, line, line
      from (select ${line} as line);
  end;
  create trigger brief_dropped after delete on summary begin
    delete from brief where loop = old.loop;
  end;
  insert into brief select open, created_at, loop, status, null, null from summary;
`

/** Inside a transaction. */
export function makeBriefs(db: DatabaseSync): void {
  db.exec(schema)
}

export function hasBriefs(db: DatabaseSync): boolean {
  return db.prepare("select 1 from sqlite_master where type = 'table' and name = 'brief'").get() !== undefined
}

/** Whether there is one for each summary, and one that is open for each that is. */
export function areComplete(db: DatabaseSync): boolean {
  if (!hasBriefs(db)) return false
  const same = (some: string) =>
    `(select count(*) from brief ${some}) = (select count(*) from summary ${some})`
  const row = db.prepare(`select ${same('')} and ${same('where open = 1')} as same`).get()
  return row?.['same'] === 1
}

export const briefColumns = 'loop, iif(line = copy, line, null) as line'

/** Null where there is no line, or its copies differ, or it is of another loop. */
export function readBrief(row: Record<string, unknown>): Brief | null {
  if (row['line'] === null) return null
  const values = JSON.parse(String(row['line']))
  if (values[0] !== row['loop']) return null
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
  }
}

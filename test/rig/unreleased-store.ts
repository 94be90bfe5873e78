/** A store as the versions before the first release wrote it: without an application id, and with version 1. */
import { mkdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { TestContext } from 'node:test'

const tables = `
  pragma journal_mode = wal;
  create table events (
    loop text not null, seq integer not null, v integer not null, at real not null, epoch integer not null,
    cause text, kind text not null, data text not null, sum text not null, primary key (loop, seq)
  ) without rowid;
  create table summary (
    loop text primary key, seq integer not null, status text not null, open integer not null,
    cwd text not null, created_at real not null, body text not null, sum text not null
  ) without rowid;
  insert into events values ('aaaaaa', 1, 1, 0, 1, null, 'loop.created', '{}', 'x');
  pragma user_version = 1;
`

/** All of it is in the file, which replaces one that is there. A backup has the mode `delete`. */
export function writeUnreleased(file: string, mode: 'wal' | 'delete' = 'wal'): void {
  rmSync(file, { force: true })
  const db = written(file)
  db.exec(`pragma journal_mode = ${mode}`)
  db.close()
}

/** The connection stays open until the end of the test, so its tables are in its log. */
export function unreleasedStore(t: TestContext, file: string): string {
  const db = written(file)
  t.after(() => db.close())
  return file
}

function written(file: string): DatabaseSync {
  mkdirSync(dirname(file), { recursive: true })
  const db = new DatabaseSync(file)
  db.exec(tables)
  return db
}

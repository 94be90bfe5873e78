/**
 * The tables of the store, and numbered migrations. A migration only adds tables, indexes and triggers: an older
 * version of loop may be running and go on writing, so `events`, `summary`, `inbox` and `leases` keep their columns
 * and `user_version` stays. Triggers fill the new tables, whichever version writes. If a store is locked, full or
 * damaged, it is used without the migration, and the next process that opens it tries again.
 */
import type { DatabaseSync } from 'node:sqlite'
import { briefFields } from '../../core/loop/summary.ts'

export const schemaVersion = 1

const firstTables = `
  create table events (
    loop text not null, seq integer not null, v integer not null, at real not null, epoch integer not null,
    cause text, kind text not null, data text not null, sum text not null,
    primary key (loop, seq)
  ) without rowid;
  create table summary (
    loop text primary key, seq integer not null, status text not null, open integer not null,
    cwd text not null, created_at real not null, body text not null, sum text not null
  ) without rowid;
  create index summary_open on summary (open, cwd);
  create index summary_created on summary (created_at);
  create table inbox (id text primary key, loop text not null, at real not null, command text not null);
  create index inbox_loop on inbox (loop);
  create table leases (loop text primary key, epoch integer not null, host text) without rowid;
  pragma user_version = ${schemaVersion};
`

/** The fields of a table row, as a JSON array (store/sqlite/table-row). */
const line = `json_array(${briefFields.map(field => `new.body -> '$.${field}'`).join(', ')})`

const briefKept = `
  create trigger brief_kept after insert on summary begin
    delete from brief where loop = new.loop;
    insert into brief select new.open, new.created_at, new.loop, new.status, line, line
      from (select ${line} as line);
  end;`

/** Loops of an older store have no line until they are written again. */
const briefTable = `
  create table brief (
    open integer not null, created_at real not null, loop text not null unique, status text not null,
    line text, copy text, primary key (open, created_at, loop)
  ) without rowid;
  ${briefKept}
  create trigger brief_dropped after delete on summary begin
    delete from brief where loop = old.loop;
  end;
  insert into brief select open, created_at, loop, status, null, null from summary;
`

/** Everything that is in the store before this table exists counts as told. */
const toldTable = `
  create table told (loop text primary key, seq integer not null) without rowid;
  insert into told select loop, seq from summary;
`

/** Id, kind and group of a journal, from the row of its first event; `row` is the name of that row in SQL. */
const journalOf = (row: string) => `
  ${row}.loop, substr(${row}.kind, 1, instr(${row}.kind, '.') - 1),
  iif(json_valid(${row}.data), ${row}.data ->> '$.spec.group', null)`

const journalsTable = `
  create table journals (id text primary key, kind text not null, group_id text) without rowid;
  create index journals_group on journals (group_id) where group_id is not null;
  create trigger journals_kept after insert on events when new.seq = 1 begin
    insert or replace into journals values (${journalOf('new')});
  end;
  insert into journals select ${journalOf('events')} from events where seq = 1;
`

/** One row for each journal and not for each change: a reader never reads more rows than there are journals. */
const changesTable = `
  create table changes (rev integer primary key autoincrement, id text not null unique, seq integer not null);
  create trigger changes_kept after insert on summary begin
    delete from changes where id = new.loop;
    insert into changes (id, seq) values (new.loop, new.seq);
  end;
  insert into changes (id, seq) select loop, seq from summary order by created_at, loop;
`

/** Adds a field to the end of a line. Older versions ignore it; older lines do not have it. */
const longerLines = `drop trigger if exists brief_kept; ${briefKept}`

/** What never changes about a loop: its tree and the first words of its prompt (store/sqlite/table-row). */
const about = (row: string) =>
  `json_array(${row}.loop, ${row}.cwd, substr(${row}.body ->> '$.prompt', 1, 100))`

const aboutTable = `
  create table about (
    loop text primary key, tree text not null, begun real not null, words text, again text
  ) without rowid;
  create index about_tree on about (tree, begun);
  create trigger about_kept after insert on summary
    when not exists (
      select 1 from about where loop = new.loop and words = again and words = ${about('new')}
        and tree = new.cwd and begun = new.created_at
    ) begin
    insert or replace into about select new.loop, new.cwd, new.created_at, words, words
      from (select ${about('new')} as words);
  end;
  create trigger about_dropped after delete on summary begin
    delete from about where loop = old.loop;
  end;
  insert into about select loop, cwd, created_at, words, words
    from (select *, iif(json_valid(body), ${about('summary')}, null) as words from summary);
`

/** In order, never renumbered. Versions without numbers created the tables of the first two. */
const migrations: { table?: string; sql: string }[] = [
  { table: 'brief', sql: briefTable },
  { table: 'told', sql: toldTable },
  { table: 'journals', sql: journalsTable },
  { table: 'changes', sql: changesTable },
  { table: 'about', sql: aboutTable },
  { sql: longerLines },
]

export function versionOf(db: DatabaseSync): number {
  return Number(db.prepare('pragma user_version').get()?.['user_version'])
}

export function hasTable(db: DatabaseSync, name: string): boolean {
  return db.prepare(`select 1 from sqlite_master where type = 'table' and name = ?`).get(name) !== undefined
}

/** Are all migrations applied? The table `migrations` must exist. */
export function isUpToDate(db: DatabaseSync): boolean {
  return lastApplied(db) >= migrations.length
}

/** The caller has begun a transaction: only inside it is it certain that no other process migrates. */
export function migrate(db: DatabaseSync, at: number): void {
  if (versionOf(db) === 0) db.exec(firstTables)
  db.exec('create table if not exists migrations (n integer primary key, at real not null)')
  for (const [i, { table, sql }] of migrations.entries()) {
    if (i < lastApplied(db)) continue
    if (table === undefined || !hasTable(db, table)) db.exec(sql)
    db.prepare('insert into migrations values (?, ?)').run(i + 1, at)
  }
}

function lastApplied(db: DatabaseSync): number {
  return Number(db.prepare('select max(n) as n from migrations').get()?.['n'] ?? 0)
}

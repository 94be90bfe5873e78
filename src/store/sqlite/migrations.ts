/**
 * The tables of the store, and numbered migrations: the first creates everything, each later one only adds tables,
 * indexes and triggers. An older version of loop may be running and continue to write, so the tables it writes keep
 * their columns, and triggers fill the new ones, whichever version writes. If a store is locked, full or damaged, it is
 * used without the migration, and the next process that opens it tries again.
 */
import type { DatabaseSync } from 'node:sqlite'
import { briefFields } from '../../core/loop/summary.ts'
import { applicationId, identityOf, isEmpty, storeVersion } from './identity.ts'

const journalTables = `
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
  create table told (loop text primary key, seq integer not null) without rowid;
`

/** The fields of a table row, as a JSON array (store/sqlite/listing). */
const line = `json_array(${briefFields.map(field => `new.body -> '$.${field}'`).join(', ')})`

/** What never changes about a loop: its tree and the first words of its prompt (store/sqlite/listing). */
const about = `json_array(new.loop, new.cwd, substr(new.body ->> '$.prompt', 1, 100))`

const tableRows = `
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
  create table about (
    loop text primary key, tree text not null, begun real not null, words text, again text
  ) without rowid;
  create index about_tree on about (tree, begun);
  create trigger about_kept after insert on summary
    when not exists (
      select 1 from about where loop = new.loop and words = again and words = ${about}
        and tree = new.cwd and begun = new.created_at
    ) begin
    insert or replace into about select new.loop, new.cwd, new.created_at, words, words
      from (select ${about} as words);
  end;
  create trigger about_dropped after delete on summary begin
    delete from about where loop = old.loop;
  end;
`

/** Id, kind and group of each journal, from the row of its first event. */
const journals = `
  create table journals (id text primary key, kind text not null, group_id text) without rowid;
  create index journals_group on journals (group_id) where group_id is not null;
  create trigger journals_kept after insert on events when new.seq = 1 begin
    insert or replace into journals values (
      new.loop, substr(new.kind, 1, instr(new.kind, '.') - 1),
      iif(json_valid(new.data), new.data ->> '$.spec.group', null));
  end;
`

/** One row for each journal and not for each change: a reader never reads more rows than there are journals. */
const changes = `
  create table changes (rev integer primary key autoincrement, id text not null unique, seq integer not null);
  create trigger changes_kept after insert on summary begin
    delete from changes where id = new.loop;
    insert into changes (id, seq) values (new.loop, new.seq);
  end;
`

const create = `
  create table migrations (n integer primary key, at real not null);
  ${journalTables} ${tableRows} ${journals} ${changes}
  pragma application_id = ${applicationId};
  pragma user_version = ${storeVersion};
`

/** SQL, in order, never renumbered. */
export const migrations: readonly string[] = [create]

/** The query for the number of the last migration. */
export const lastMigration = 'select max(n) as n from migrations'

/** The caller has begun a transaction: only inside it is it certain that no other process migrates. */
export function migrate(db: DatabaseSync, all: readonly string[], at: number): void {
  const done = isEmpty(identityOf(db)) ? 0 : Number(db.prepare(lastMigration).get()?.['n'] ?? 0)
  for (const [i, text] of all.entries()) {
    if (i < done) continue
    db.exec(text)
    db.prepare('insert into migrations values (?, ?)').run(i + 1, at)
  }
}

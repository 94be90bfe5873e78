/**
 * The inbox: commands for a journal, kept until its host has handled them. A command is removed in the transaction that
 * records its effect (store/sqlite/append).
 */
import type { Inbox } from '../contract.ts'
import { type Database, sql } from './database.ts'

export function inboxIn(database: Database): Inbox {
  return {
    send({ id, loop, at, command }) {
      sql(database, 'insert into inbox values (?, ?, ?, ?)').run(id, loop, at, JSON.stringify(command))
    },
    withdraw: id => sql(database, 'delete from inbox where id = ?').run(id).changes === 1,
    pending: journal =>
      sql(database, 'select * from inbox where loop = ? order by rowid')
        .all(journal)
        .map(row => ({
          id: String(row['id']),
          loop: String(row['loop']),
          at: Number(row['at']),
          command: parse(String(row['command'])),
        })),
    waiting: () =>
      sql(database, 'select distinct loop from inbox')
        .all()
        .map(row => String(row['loop'])),
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null // damaged: the host will refuse it
  }
}

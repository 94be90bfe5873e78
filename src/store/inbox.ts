/**
 * The inbox: commands for a loop, kept until its host has admitted them.
 * A command leaves in the transaction that records what became of it (store/journal).
 */
import type { Command, Sent } from '../model/command.ts'
import { type Store, sql } from './database.ts'

export function send(store: Store, sent: Sent): void {
  sql(store, 'insert into inbox values (?, ?, ?, ?)').run(
    sent.id,
    sent.loop,
    sent.at,
    JSON.stringify(sent.command),
  )
}

export function pending(store: Store, loop: string): Sent[] {
  const rows = sql(store, 'select * from inbox where loop = ? order by at, rowid').all(loop)
  return rows.map(row => ({
    id: String(row['id']),
    loop: String(row['loop']),
    at: Number(row['at']),
    command: JSON.parse(String(row['command'])) as Command,
  }))
}

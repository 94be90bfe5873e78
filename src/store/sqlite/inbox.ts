/**
 * The inbox: commands for a loop, kept until its host has admitted them.
 * A command leaves in the transaction that records what became of it (store/sqlite/append).
 */
import { command as commandSchema, type Received, type Sent } from '../../model/loop/command.ts'
import { type Store, sql } from './database.ts'

export function send(store: Store, sent: Sent): void {
  sql(store, 'insert into inbox values (?, ?, ?, ?)').run(
    sent.id,
    sent.loop,
    sent.at,
    JSON.stringify(sent.command),
  )
}

/** Takes a command back; false when its host has been faster. */
export function withdraw(store: Store, id: string): boolean {
  return sql(store, 'delete from inbox where id = ?').run(id).changes === 1
}

/** In the order they were sent, whatever the clock said. */
export function pending(store: Store, loop: string): Received[] {
  const rows = sql(store, 'select * from inbox where loop = ? order by rowid').all(loop)
  return rows.map(row => ({
    id: String(row['id']),
    loop: String(row['loop']),
    at: Number(row['at']),
    command: parse(String(row['command'])),
  }))
}

function parse(text: string): Received['command'] {
  try {
    return commandSchema.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null // not JSON: damage, which the host answers by refusing it
  }
}

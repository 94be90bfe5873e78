/** The rows behind the contract, for tests that damage them, copy them elsewhere or read what triggers wrote. */
import { DatabaseSync } from 'node:sqlite'
import type { JournalRow, Store } from '../../../src/store/contract.ts'

export function past<T>({ paths }: Pick<Store, 'paths'>, work: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(paths.database, { timeout: 5_000 })
  try {
    return work(db)
  } finally {
    db.close()
  }
}

export function tamper(store: Store, statement: string): void {
  past(store, db => db.exec(statement))
}

export function rowsOf(store: Store, id: string): JournalRow[] {
  return past(store, db =>
    db
      .prepare('select * from events where loop = ? order by seq')
      .all(id)
      .map(row => ({ ...row }) as JournalRow),
  )
}

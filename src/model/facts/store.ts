/** Facts about failures: the store and its journals. Their sentences: views/words/failure/store. */
import type { Nothing } from './all.ts'

export type StoreFailures = {
  'store-damaged': { database: string; why: string }
  'store-locked': { database: string }
  'store-unusable': { database: string; why: string }
  'store-in-use': { pids: string[] }
  'no-backup': { backups: string; database: string }
  'store-gone': { database: string; backups: string }
  'store-foreign': { path: string }
  'store-newer': { database: string; version: number; known: number }
  'journal-damaged': { id: string; seq: number }
  'journals-not-counted': { ids: string[] }
  'agents-at-work': { pids: number[] }
  'store-unsound': { found: string }
  'store-sound': Nothing
  'lease-lost': { why: string; id: string }
  'store-replaced': { database: string; id: string }
  'journal-unwritable': { id: string; why: string }
  'foreign-events': { why: string }
  'journals-damaged': { ids: string[] }
  'loop-unreadable': { id: string }
  'group-unreadable': { id: string }
  'loop-without-journal': { id: string }
}

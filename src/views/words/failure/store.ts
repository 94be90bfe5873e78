/** Sentences about the store and its journals. */
import type { StoreFailures } from '../../../model/facts/store.ts'
import type { Sentences } from './words.ts'

export const storeSentences: Sentences<StoreFailures> = {
  'store-damaged': ({ database, why }) =>
    `The store ${database} is damaged (${why}). Nothing was changed. Bring back its newest backup with: loop doctor --restore. The trees, checkpoints and outputs are not in it.`,
  'store-locked': ({ database }) =>
    `The store ${database} has been locked by another process for too long: is a loop stopped or hung in the middle of a write? Let it go on (kill -CONT) or end it, then try again. Nothing is lost.`,
  'store-unusable': ({ database, why }) =>
    `The store ${database} cannot be used: ${why}. Check that the directory is writable and the disk not full.`,
  'store-in-use': ({ pids }) =>
    `The store is in use by process ${pids.join(', ')}. End it first, then restore.`,
  'no-backup': ({ backups, database }) =>
    `There is no sound backup in ${backups}. Nothing was changed. To start afresh, move ${database} away with its -wal and -shm files; the trees, checkpoints and outputs are not in it.`,
  'store-gone': ({ database, backups }) =>
    `The store ${database} is gone or empty, but there are backups of it. Bring it back with: loop doctor --restore. To begin anew, move both away, the store and ${backups}.`,
  'store-foreign': ({ path }) =>
    `${path} is not a plain file, so it is not the store of loop. Nothing was changed. Move it away, then try again.`,
  'store-newer': ({ database, version, known }) =>
    `${database} was written by a newer loop (store version ${version}, this one knows ${known}). Update loop.`,
  'journal-damaged': ({ id, seq }) =>
    `The journal of loop ${id} is damaged at event ${seq}. It is not driven any further; its output and checkpoints are still there. Other loops are not affected.`,
  'journals-not-counted': ({ ids }) =>
    `The journals of these loops are damaged, and are not counted: ${ids.join(', ')}.`,
  'agents-at-work': ({ pids }) =>
    `Agents are still at work: process ${pids.join(', ')}. End them first, then restore.`,
  'store-unsound': ({ found }) => found,
  'store-sound': () => 'The store is sound: there is nothing to restore.',
  'lease-lost': ({ why, id }) => `${why}; this one stops. See it with: loop status ${id}`,
  'store-replaced': ({ database, id }) =>
    `The store ${database} was removed or replaced while loop ${id} ran; what happened since cannot be recorded, so this stops. A running agent goes on: end it yourself.`,
  'journal-unwritable': ({ id, why }) =>
    `The journal of loop ${id} cannot be written (${why}). What is recorded is safe and a running agent goes on. Make room or mend the disk, then: loop resume ${id}`,
  'foreign-events': ({ why }) => `${why}.`,
  'journals-damaged': ({ ids }) => `The journals of these loops are damaged: ${ids.join(', ')}.`,
  'loop-unreadable': ({ id }) => `Loop ${id} cannot be read. See: loop doctor`,
  'group-unreadable': ({ id }) => `Group ${id} has no journal that can be read.`,
  'loop-without-journal': ({ id }) => `Loop ${id} has no journal that can be read.`,
}

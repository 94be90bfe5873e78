/** Failures: the store and its journals. */

export const storeFailures = {
  'store-damaged': (d: { database: string; why: string }) =>
    `The store ${d.database} is damaged (${d.why}). Nothing was changed. Bring back its newest backup with: loop doctor --restore. The trees, checkpoints and outputs are not in it.`,
  'store-locked': (d: { database: string }) =>
    `The store ${d.database} has been locked by another process for too long: is a loop stopped or hung in the middle of a write? Let it go on (kill -CONT) or end it, then try again. Nothing is lost.`,
  'store-unusable': (d: { database: string; why: string }) =>
    `The store ${d.database} cannot be used: ${d.why}. Check that the directory is writable and the disk not full.`,
  'store-in-use': (d: { pids: string[] }) =>
    `The store is in use by process ${d.pids.join(', ')}. End it first, then restore.`,
  'no-backup': (d: { backups: string; database: string }) =>
    `There is no sound backup in ${d.backups}. Nothing was changed. To start afresh, move ${d.database} away with its -wal and -shm files; the trees, checkpoints and outputs are not in it.`,
  'store-gone': (d: { database: string; backups: string }) =>
    `The store ${d.database} is gone or empty, but there are backups of it. Bring it back with: loop doctor --restore. To begin anew, move both away, the store and ${d.backups}.`,
  'store-foreign': (d: { path: string }) =>
    `${d.path} is not a plain file, so it is not the store of loop. Nothing was changed. Move it away, then try again.`,
  /** Written before the first release; `data`: the directory of everything that belongs to it. */
  'store-unreleased': (d: { file: string; data: string }) =>
    `${d.file} was written by a loop from before the first release, and this loop cannot read it. Nothing was changed. End what still uses it, then move its directory away: mv ${d.data} ${d.data}-unreleased`,
  'store-newer': (d: { database: string; version: number; known: number }) =>
    `${d.database} was written by a newer loop (store version ${d.version}, this one knows ${d.known}). Update loop.`,
  'journal-damaged': (d: { id: string; seq: number }) =>
    `The journal of loop ${d.id} is damaged at event ${d.seq}. It is not driven any further; its output and checkpoints are still there. Other loops are not affected.`,
  'journals-not-counted': (d: { ids: string[] }) =>
    `The journals of these loops are damaged, and are not counted: ${d.ids.join(', ')}.`,
  'agents-at-work': (d: { pids: number[] }) =>
    `Agents are still at work: process ${d.pids.join(', ')}. End them first, then restore.`,
  'store-unsound': (d: { found: string }) => d.found,
  'store-sound': () => 'The store is sound: there is nothing to restore.',
  'lease-lost': (d: { why: string; id: string }) =>
    `${d.why}; this one stops. See it with: loop status ${d.id}`,
  'store-replaced': (d: { database: string; id: string }) =>
    `The store ${d.database} was removed or replaced while loop ${d.id} ran; what happened since cannot be recorded, so this stops. A running agent goes on: end it yourself.`,
  'journal-unwritable': (d: { id: string; why: string }) =>
    `The journal of loop ${d.id} cannot be written (${d.why}). What is recorded is safe and a running agent goes on. Make room or mend the disk, then: loop resume ${d.id}`,
  'foreign-events': (d: { why: string }) => `${d.why}.`,
  'journals-damaged': (d: { ids: string[] }) =>
    `The journals of these loops are damaged: ${d.ids.join(', ')}.`,
  'loop-unreadable': (d: { id: string }) => `Loop ${d.id} cannot be read. See: loop doctor`,
  'group-unreadable': (d: { id: string }) => `Group ${d.id} has no journal that can be read.`,
  'loop-without-journal': (d: { id: string }) => `Loop ${d.id} has no journal that can be read.`,
}

/**
 * Files that become durable together. The disk is waited for twice however many there are: once for the bytes
 * of all of them, then they get their names, objects before what names them, and once for the directories.
 * So a name never stands for bytes that a power cut could still take.
 */
import { closeSync, existsSync, fsync, openSync, renameSync, rmSync, symlinkSync, writeSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

type Draft = { file: number; temporary: string; path: string }

export type Batch = {
  /** Whole or not at all under `path`, whatever was there before. */
  replace(path: string, content: Buffer): void
  /** An object: it gets its name before what refers to it. */
  add(draft: Draft): void
  holds(file: number): boolean
  /** A link that holds a few words, made after all else has its name: one step instead of a file's four. */
  note(path: string, words: string): void
  /** A file, or a directory, that is there already. */
  sync(path: string): void
  syncDirectory(path: string): void
  /** Throws what the system says, or that it was aborted: then nothing has its name yet. */
  settle(signal?: AbortSignal): Promise<void>
  /** Forgets what has no name yet. */
  discard(): void
}

export function openBatch(): Batch {
  let objects: Draft[] = []
  let drafts: Draft[] = []
  let notes: { path: string; words: string }[] = []
  let present = new Set<string>()
  let directories = new Set<string>()

  function discard(): void {
    for (const { file, temporary } of [...objects, ...drafts]) {
      closeSync(file)
      rmSync(temporary, { force: true })
    }
    objects = []
    drafts = []
    notes = []
  }

  return {
    add: draft => void objects.push(draft),
    holds: file => objects.some(draft => draft.file === file),
    discard,
    replace(path, content) {
      // Git passes over names with a leading dot where it lists refs.
      const temporary = join(dirname(path), `.tmp-${process.pid}-${basename(path)}`)
      const file = openSync(temporary, 'w', 0o600)
      drafts.push({ file, temporary, path })
      writeAll(file, content)
    },
    note(path, words) {
      notes.push({ path, words })
      directories.add(dirname(path))
    },
    sync(path) {
      present.add(path)
      directories.add(dirname(path))
    },
    syncDirectory: path => void directories.add(path),
    async settle(signal) {
      const named = [...objects, ...drafts]
      await all([...named.map(({ file }) => synced(file)), ...[...present].map(syncedAt)])
      signal?.throwIfAborted()
      const replaces = drafts.some(({ path }) => existsSync(path))
      const [first, later] = [objects, drafts]
      objects = []
      drafts = []
      for (const { file } of named) closeSync(file)
      for (const { temporary, path } of first) renameSync(temporary, path)
      // What is replaced must not go before what it is replaced by is there, whatever the disk does first.
      if (replaces) await all(directoriesOf(first).map(syncedAt))
      for (const { temporary, path } of later) renameSync(temporary, path)
      for (const { path, words } of notes) symlinkSync(words, path)
      notes = []
      await all([...new Set([...directories, ...directoriesOf(named)])].map(syncedAt))
      present = new Set()
      directories = new Set()
    },
  }
}

function directoriesOf(drafts: readonly Draft[]): string[] {
  return [...new Set(drafts.map(({ path }) => dirname(path)))]
}

/** Waits for each, also when one fails: a file must not be closed while it is being synced. */
async function all(work: Promise<void>[]): Promise<void> {
  await Promise.allSettled(work)
  await Promise.all(work)
}

function synced(file: number): Promise<void> {
  return new Promise((resolve, reject) => {
    fsync(file, error => (error ? reject(error) : resolve()))
  })
}

async function syncedAt(path: string): Promise<void> {
  const file = openSync(path, 'r')
  try {
    await synced(file)
  } finally {
    closeSync(file)
  }
}

/** At the file's own position unless `at` is given. */
export function writeAll(file: number, bytes: Buffer, at: number | null = null): void {
  for (let done = 0; done < bytes.length; )
    done += writeSync(file, bytes, done, bytes.length - done, at === null ? null : at + done)
}

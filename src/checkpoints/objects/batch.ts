/**
 * Files that become durable together, with two waits for the disk however many there are: all contents are synced at
 * once, then the files get their names (objects before the refs that name them), then all directories are synced.
 * So after a power cut a name never stands for content that is lost.
 */
import { closeSync, existsSync, fsync, openSync, renameSync, rmSync, symlinkSync, writeSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

type Draft = { file: number; temporary: string; path: string }

export type Batch = {
  /** The file at `path` gets this content, or stays as it was. */
  replace(path: string, content: Buffer): void
  /** A file with objects: it gets its name before the files of `replace`. */
  add(draft: Draft): void
  /** Is this open file part of the batch? */
  holds(file: number): boolean
  /** A short text as the target of a symlink, made last: a link is one system call, a durable file takes four. */
  note(path: string, words: string): void
  /** Syncs a file that has its name already. */
  sync(path: string): void
  syncDirectory(path: string): void
  /** Throws the system's error, or an AbortError; then no file of the batch has its name yet. */
  settle(signal?: AbortSignal): Promise<void>
  /** Removes the files that have no name yet. */
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
      // With a leading dot, so that git does not take it for a ref.
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
      // An old ref must not be replaced on the disk before the new objects have their names there.
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

/** Waits for all, even if one fails: a file must not be closed while it is being synced. */
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

/** Writes at the current position of the file unless `at` is given. */
export function writeAll(file: number, bytes: Buffer, at: number | null = null): void {
  for (let done = 0; done < bytes.length; )
    done += writeSync(file, bytes, done, bytes.length - done, at === null ? null : at + done)
}

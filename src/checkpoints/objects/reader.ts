/**
 * Reads objects of the store: from packs in this process, and the rest through one `git cat-file --batch`, started on
 * first need. Questions to it are sent at once and answered in order, so that many reads can be under way.
 */
import { type Conversation, converse } from '../../platform/exec.ts'
import { Unable } from '../errors.ts'
import { writeAll } from './batch.ts'
import type { Objects } from './objects.ts'
import type { Packed, PackedObject } from './pack-reader.ts'
import { type Repository } from './repository.ts'

export type Reader = {
  read(id: string): Promise<PackedObject>
  /** Null where only git can read the object. */
  readStart: Packed['readStart']
  /** Writes the content into an open file, piece by piece: it may be larger than memory. */
  copyTo(id: string, file: number): Promise<void>
  close(): Promise<void>
}

/** Its functions throw Unable where an object is missing. */
export function openReader(repository: Repository, objects: Objects): Reader {
  const packed = objects.open()
  let asked: GitReader | null = null
  const git = () => {
    asked ??= openGitReader(repository)
    return asked
  }
  return {
    async read(id) {
      return packed.read(id) ?? git().read(id)
    },
    readStart: packed.readStart,
    async copyTo(id, file) {
      const found = packed.readStart(id)
      if (found && found.start.length === found.size) writeAll(file, found.start)
      else await git().copyTo(id, file)
    },
    async close() {
      packed.close()
      await asked?.close()
    },
  }
}

type GitReader = Omit<Reader, 'readStart'>

function openGitReader(repository: Repository): GitReader {
  const { dir, env, tree } = repository
  const git: Conversation = converse({ argv: ['git', 'cat-file', '--batch'], cwd: dir, env })
  let held: Buffer = Buffer.alloc(0)
  let turn: Promise<unknown> = Promise.resolve()
  /** An answer could not be taken to its end (the disk is full): what follows would be read as the next one. */
  let isLost = false
  const ended = () => new Unable({ kind: 'git-ended', tree })

  async function more(): Promise<void> {
    const value = await git.next()
    if (!value) throw ended()
    held = held.length === 0 ? value : Buffer.concat([held, value])
  }

  /** Sends the question now, and calls `answer` when all questions before it are answered. */
  function inOrder<T>(id: string, answer: () => Promise<T>): Promise<T> {
    git.ask(`${id}\n`)
    const mine = turn.then(() => (isLost ? Promise.reject(ended()) : answer()))
    turn = mine.catch(error => {
      isLost ||= !(error instanceof Unable)
    })
    return mine
  }

  async function header(id: string): Promise<{ kind: string; size: number }> {
    while (!held.includes(10)) await more()
    const end = held.indexOf(10)
    const [, kind = '', size] = held.subarray(0, end).toString().split(' ')
    held = held.subarray(end + 1)
    if (size === undefined) throw new Unable({ kind: 'object-gone', id, tree })
    return { kind, size: Number(size) }
  }

  async function body(size: number, take: (piece: Buffer) => void): Promise<void> {
    for (let left = size; left > 0; ) {
      if (held.length === 0) await more()
      const piece = held.subarray(0, left)
      held = held.subarray(piece.length)
      left -= piece.length
      take(piece)
    }
    // A newline ends each answer.
    if (held.length === 0) await more()
    held = held.subarray(1)
  }

  return {
    read: id =>
      inOrder(id, async () => {
        const { kind, size } = await header(id)
        const pieces: Buffer[] = []
        await body(size, piece => pieces.push(piece))
        return { kind, content: Buffer.concat(pieces) }
      }),
    copyTo: (id, file) =>
      inOrder(id, async () => body((await header(id)).size, piece => writeAll(file, piece))),
    close: () => git.end(),
  }
}

/**
 * The notes of a checkpoint: what git has no place for, as the message of the commit object. A line for each path
 * with unusual permissions, for each empty directory, for the owner of each setuid or setgid file and for each path
 * that could not be saved, and one with a hash of the ignore rules from outside the tree. Most checkpoints have
 * nothing unusual, and so only the first line. A line with an unknown word is ignored: newer versions may add some.
 *
 *   usual 644 755 755          permissions that need no line: of files, executable files, directories
 *   600 ".env"
 *   4755 "bin/su"
 *   owner 0:0 "bin/su"
 *   empty "var/cache"
 *   rules 6c7e3c5d…
 *   skipped "var/socket"
 */
import { ancestorsOf, isDirectory } from './file.ts'

/** Permissions that need no note. */
export type Usual = { file: number; exec: number; dir: number }

export function usualFor(mode: number, usual: Usual): number {
  if (isDirectory(mode)) return usual.dir
  return mode & 0o100 ? usual.exec : usual.file
}

export type Notes = {
  usual: Usual
  modes: Map<string, number>
  empty: Set<string>
  /** Only of setuid and setgid files. */
  owners: Map<string, string>
  /** Paths that could not be saved; a directory stands for everything below it. */
  skipped: Set<string>
  /** A hash of the ignore rules from outside the tree; empty for none. */
  rules: string
}

/** The bits setuid and setgid. */
export const setIdBits = 0o6000

export function ownerOf({ uid, gid }: { uid: number; gid: number }): string {
  return `${uid}:${gid}`
}

export function parseMessage(message: string): Notes {
  const notes: Notes = {
    usual: { file: 0o644, exec: 0o755, dir: 0o755 },
    modes: new Map(),
    empty: new Set(),
    owners: new Map(),
    skipped: new Set(),
    rules: '',
  }
  for (const line of message.split('\n')) {
    const [word = '', ...rest] = line.split(' ')
    if (word === 'usual') {
      const [file = 0, exec = 0, dir = 0] = rest.map(text => Number.parseInt(text, 8))
      notes.usual = { file, exec, dir }
    } else if (word === 'empty') notes.empty.add(JSON.parse(rest.join(' ')))
    else if (word === 'skipped') notes.skipped.add(JSON.parse(rest.join(' ')))
    else if (word === 'rules') notes.rules = rest[0] ?? ''
    else if (word === 'owner') notes.owners.set(JSON.parse(rest.slice(1).join(' ')), rest[0] ?? '')
    else if (/^[0-7]+$/.test(word)) notes.modes.set(JSON.parse(rest.join(' ')), Number.parseInt(word, 8))
  }
  for (const path of notes.skipped) forgetEmpty(notes, path)
  return notes
}

/** A directory that could not be listed looked empty to the scan. Its content is unknown, so it is not created. */
function forgetEmpty({ empty }: Notes, path: string): void {
  const above = ancestorsOf(path).at(-1)
  if (empty.delete(path) && above !== undefined) empty.add(above)
}

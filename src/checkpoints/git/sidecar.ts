/**
 * What git has no place for, kept as the message of the commit object that is the checkpoint: permission bits
 * beyond exec, empty directories, the owner of a setuid or setgid file, the paths that could not be saved, and
 * which rules from outside the tree were followed.
 * Only what is unusual is listed, so that most checkpoints say nothing. A word that is not known is passed over.
 *
 *   usual 644 755 755
 *   600 ".env"
 *   4755 "bin/su"
 *   owner 0:0 "bin/su"
 *   empty "var/cache"
 *   rules 6c7e3c5d…
 *   skipped "var/socket"
 */
import { ancestorsOf, lstatOrNull } from '../scan/listing.ts'
import { type Alike, type Dir, type Snapshot, type Usual, usualFor } from '../scan/snapshot.ts'
import { isDirectory, isLink, permissions } from '../scan/stat.ts'

/** Null `usual`: the checkpoint says nothing about permissions (one of an older version of loop). */
export type Notes = {
  usual: Usual | null
  modes: Map<string, number>
  empty: Set<string>
  /** Of setuid and setgid files alone. */
  owners: Map<string, string>
  /** What could not be saved; a directory stands for everything below it. */
  skipped: Set<string>
  /** Which rules from outside the tree were followed; empty for none, and where an older version of loop did not say. */
  rules: string
}

export const setIdBits = 0o6000

export function ownerOf({ uid, gid }: { uid: number; gid: number }): string {
  return `${uid}:${gid}`
}

/** `tree`: where the files are that it is about. */
export function messageOf({ root, usual, skipped, rules }: Snapshot, tree: string): string {
  const lines = [`usual ${octal(usual.file)} ${octal(usual.exec)} ${octal(usual.dir)}`]
  collect(root, { tree, path: '', usual, lines })
  if (rules !== '') lines.push(`rules ${rules}`)
  for (const path of skipped) lines.push(`skipped ${JSON.stringify(path)}`)
  return `${lines.sort().join('\n')}\n`
}

function collect(dir: Dir, at: { tree: string; path: string; usual: Usual; lines: string[] }): void {
  const { tree, path, usual, lines } = at
  if (!isOdd(dir, usual)) return
  if (permissions(dir.mode) !== usual.dir)
    lines.push(`${octal(permissions(dir.mode))} ${JSON.stringify(`${path}/`)}`)
  if (path !== '' && isEmpty(dir)) lines.push(`empty ${JSON.stringify(path)}`)
  const prefix = path === '' ? '' : `${path}/`
  for (const [name, file] of dir.files) {
    if (!isUnusual(file.mode, usual)) continue
    const named = JSON.stringify(prefix + name)
    lines.push(`${octal(permissions(file.mode))} ${named}`)
    const stat = file.mode & setIdBits ? lstatOrNull(tree, prefix + name) : null
    if (stat) lines.push(`owner ${ownerOf(stat)} ${named}`)
  }
  for (const [name, child] of dir.dirs) collect(child, { ...at, path: prefix + name })
}

function isOdd(dir: Dir, usual: Usual): boolean {
  dir.odd ??= dir.alike
    ? modesOf(dir.alike).some(([mode]) => isUnusual(mode, usual))
    : isUnusual(dir.mode, usual) || isEmpty(dir) || hasOdd(dir, usual)
  return dir.odd
}

function hasOdd(dir: Dir, usual: Usual): boolean {
  for (const { mode } of dir.files.values()) if (isUnusual(mode, usual)) return true
  for (const child of dir.dirs.values()) if (isOdd(child, usual)) return true
  return false
}

function isEmpty(dir: Dir): boolean {
  return dir.files.size === 0 && dir.dirs.size === 0
}

function isUnusual(mode: number, usual: Usual): boolean {
  return !isLink(mode) && permissions(mode) !== usualFor(mode, usual)
}

export function parseMessage(message: string): Notes {
  const notes: Notes = {
    usual: null,
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

/** A directory that could not be listed looked empty. Nothing is known of it, so it is not made anew. */
function forgetEmpty({ empty }: Notes, path: string): void {
  const above = ancestorsOf(path).at(-1)
  if (empty.delete(path) && above !== undefined) empty.add(above)
}

/** The permissions that most files have: they need no line. */
export function usualOf(root: Dir): Usual {
  const counts = { files: new Map<number, number>(), execs: new Map(), dirs: new Map() }
  const countAll = (dir: Dir): void => {
    if (dir.alike) {
      for (const [mode, times] of modesOf(dir.alike)) count(counts, mode, times)
      return
    }
    count(counts, dir.mode, 1)
    for (const { mode } of dir.files.values()) if (!isLink(mode)) count(counts, mode, 1)
    for (const child of dir.dirs.values()) countAll(child)
  }
  countAll(root)
  const { files, execs, dirs } = counts
  return { file: most(files, 0o644), exec: most(execs, 0o755), dir: most(dirs, 0o755) }
}

/** But for links; and how many have it. */
function modesOf({ file, files, exec, execs, dir, dirs }: Alike): [mode: number, times: number][] {
  const all: [number, number][] = [
    [file, files],
    [exec, execs],
    [dir, dirs],
  ]
  return all.filter(([, times]) => times > 0)
}

type Counts = Record<'files' | 'execs' | 'dirs', Map<number, number>>

function count({ files, execs, dirs }: Counts, mode: number, times: number): void {
  const those = isDirectory(mode) ? dirs : mode & 0o100 ? execs : files
  // With setuid or setgid a file always needs a line: its owner has one too.
  const usual = permissions(mode) & (isDirectory(mode) ? ~0 : ~setIdBits)
  those.set(usual, (those.get(usual) ?? 0) + times)
}

function most(counts: Map<number, number>, otherwise: number): number {
  return [...counts].sort(([a, x], [b, y]) => y - x || a - b)[0]?.[0] ?? otherwise
}

function octal(mode: number): string {
  return mode.toString(8)
}

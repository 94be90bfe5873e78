/**
 * Makes the notes of a checkpoint from a snapshot: the lines that format/notes describes, for everything git has no
 * place for. A directory with nothing unusual below it (`odd` is false) is not looked into.
 */

import { isDirectory, isLink, permissions } from '../format/file.ts'
import { ownerOf, setIdBits, type Usual, usualFor } from '../format/notes.ts'
import { lstatOrNull } from '../scan/listing.ts'
import { type Alike, type Dir, type Snapshot } from '../scan/snapshot.ts'

/** `tree`: where the files can be found, for their owners. */
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

/** The permissions that most files have. They need no line in the notes. */
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

/** The modes in a subtree and how often each occurs, without those of links. */
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
  // Setuid and setgid are never usual: such a file needs a line in any case, because of its owner.
  const usual = permissions(mode) & (isDirectory(mode) ? ~0 : ~setIdBits)
  those.set(usual, (those.get(usual) ?? 0) + times)
}

function most(counts: Map<number, number>, otherwise: number): number {
  return [...counts].sort(([a, x], [b, y]) => y - x || a - b)[0]?.[0] ?? otherwise
}

function octal(mode: number): string {
  return mode.toString(8)
}

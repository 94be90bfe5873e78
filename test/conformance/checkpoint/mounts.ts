/**
 * Mounts inside a work tree, for random trees: a tmpfs, a read-only tmpfs, a bound directory, a bound file. Only for a
 * private mount namespace: a mount of one case stays until the next case.
 */
import { execFileSync } from 'node:child_process'
import { lstatSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const mounted: string[] = []

export const mountKinds = 4

/** Mounts over the path. A missing directory is made; if that is not possible, nothing is mounted. */
export function mountAt(root: string, path: string, kind: number): void {
  const stat = statOf(path)
  if (!stat && statOf(dirname(path))?.isDirectory()) mkdirSync(path)
  else if (kind === 3 ? !stat?.isFile() : !stat?.isDirectory()) return
  if (kind === 3 && !stat) return
  const from = mkdtempSync(join(root, 'mount-'))
  writeFileSync(join(from, 'a'), 'mounted')
  mkdirSync(join(from, 'b'))
  writeFileSync(join(from, 'b', 'c'), 'mounted too')
  if (kind <= 1) {
    mount('-t', 'tmpfs', 'none', path)
    execFileSync('cp', ['-a', `${from}/.`, path])
    if (kind === 1) mount('-o', 'remount,ro', path)
  } else mount('--bind', kind === 2 ? from : join(from, 'a'), path)
  mounted.push(path)
}

export function mountCount(): number {
  return mounted.length
}

export function unmountAll(): void {
  for (const path of mounted.splice(0).toReversed()) execFileSync('umount', ['-l', path])
}

function mount(...args: string[]): void {
  execFileSync('mount', args)
}

function statOf(path: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined // a file is in the way of a directory
  }
}

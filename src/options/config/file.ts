/**
 * Reads a configuration file as bytes: once, bounded, and only if it is a regular file. A file in a work tree can
 * have been planted there, so no symbolic link is followed. Parsing is not done here. Writing is all or nothing.
 */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Facts } from '../../failures/all.ts'
import { type Failure, fail, ok, type Result } from '../../model/failure.ts'
import { fsyncPath, makeDirectory } from '../../store/files/directory.ts'

/** The owner of the file: the user (whose links are followed, for instance to a dotfiles repository) or a project. */
export type ConfigPlace = { path: string; of: 'user' | 'project' }

export type ConfigFile = ConfigPlace & { bytes: Buffer }

const mostBytes = 65_536

/** Null if there is none. */
export function readConfigFile(place: ConfigPlace): Result<ConfigFile | null> {
  const { path } = place
  let fd: number
  try {
    if (place.of === 'project' && isLink(dirname(path))) return unusable(dirname(path), 'link')
    if (isAbsent(path)) return ok(null)
    const noFollow = place.of === 'project' ? constants.O_NOFOLLOW : 0
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | noFollow)
  } catch (error) {
    return notOpened(path, error)
  }
  try {
    return readOpen(place, fd)
  } finally {
    closeSync(fd)
  }
}

function readOpen(place: ConfigPlace, fd: number): Result<ConfigFile | null> {
  const stat = fstatSync(fd)
  if (stat.isDirectory()) return unusable(place.path, 'directory')
  if (!stat.isFile()) return unusable(place.path, 'not-a-file')
  const large = overSize(place, stat.size)
  if (large) return large
  // One byte more than allowed, because the file can grow while it is read.
  const buffer = Buffer.alloc(mostBytes + 1)
  let length = 0
  for (let read = 1; read > 0; length += read)
    read = readSync(fd, buffer, length, buffer.length - length, null)
  return overSize(place, length) ?? ok({ ...place, bytes: buffer.subarray(0, length) })
}

function notOpened(path: string, error: unknown): Result<null> {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ELOOP') return unusable(path, 'link')
  if (code !== 'ENOENT' && code !== 'ENOTDIR') {
    return fail('invalid-config', { kind: 'config-unreadable', path, why: message })
  }
  return isLink(path) ? unusable(path, 'dangling') : ok(null)
}

/** Asked first: mostly there is none, and an exception takes longer than all the rest here. */
function isAbsent(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) === undefined
  } catch {
    return false // opening it tells why
  }
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
  } catch {
    return false // below a directory that cannot be searched
  }
}

export function overSize({ path }: ConfigPlace, bytes: number): { ok: false; failure: Failure } | null {
  if (bytes <= mostBytes) return null
  return fail('invalid-config', { kind: 'config-too-large', path, bytes, most: mostBytes })
}

type Problem = Extract<Facts, { kind: 'config-unusable' }>['why']

function unusable(path: string, why: Problem): { ok: false; failure: Failure } {
  return fail('invalid-config', { kind: 'config-unusable', path, why })
}

/** Writes a small file completely or not at all, even across a power failure: temporary file, fsync, rename. */

type Content = { text: string; fileMode: number; directoryMode: number }

/** Creates its directories too. Both modes are subject to the umask. */
export function writeWhole(path: string, content: Content): Result<null> {
  const directory = dirname(path)
  const temporary = join(directory, `.${basename(path)}.${process.pid}.tmp`)
  try {
    makeDirectory(directory, content.directoryMode)
    rmSync(temporary, { force: true })
    writeFileSync(temporary, content.text, { mode: content.fileMode, flag: 'wx', flush: true })
    renameSync(temporary, path)
    fsyncPath(directory)
    return ok(null)
  } catch (error) {
    rmSync(temporary, { force: true })
    const { message } = error as NodeJS.ErrnoException
    return fail('system', { kind: 'config-unwritable', path, why: message })
  }
}

/**
 * A configuration file as bytes: read once, bounded, and only if it is a regular file. What a work tree holds
 * may have been planted there: no symbolic link is followed in it. Says nothing about what the text means.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Failure, fail, ok, type Result } from '../../model/failure.ts'
import { formatBytes } from '../../model/units.ts'

/** Who put it there: the user (links are theirs, for instance to a repository of dotfiles) or a project. */
export type ConfigPlace = { path: string; of: 'user' | 'project' }

export type ConfigFile = ConfigPlace & { bytes: Buffer }

const mostBytes = 65_536

/** Null when there is none. */
export function readConfigFile(place: ConfigPlace): Result<ConfigFile | null> {
  const { path } = place
  let fd: number
  try {
    if (place.of === 'project' && isLink(dirname(path))) return unusable(dirname(path), linkWords)
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
  if (stat.isDirectory()) return unusable(place.path, 'is a directory, not a file. Move it away')
  if (!stat.isFile()) return unusable(place.path, 'is not a regular file. Move it away')
  const large = overSize(place, stat.size)
  if (large) return large
  // One byte more than may be: the file can grow while it is read.
  const buffer = Buffer.alloc(mostBytes + 1)
  let length = 0
  for (let read = 1; read > 0; length += read)
    read = readSync(fd, buffer, length, buffer.length - length, null)
  return overSize(place, length) ?? ok({ ...place, bytes: buffer.subarray(0, length) })
}

function notOpened(path: string, error: unknown): Result<null> {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ELOOP') return unusable(path, linkWords)
  if (code !== 'ENOENT' && code !== 'ENOTDIR') {
    return unusable(path, `cannot be read (${message}). Mend its permissions`)
  }
  return isLink(path) ? unusable(path, 'is a symbolic link to nothing. Mend or remove it') : ok(null)
}

const linkWords = 'is a symbolic link, and none is followed here. Put a file in its place'

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink()
  } catch {
    return false // nothing there, or below what is no directory
  }
}

export function overSize({ path }: ConfigPlace, bytes: number): { ok: false; failure: Failure } | null {
  if (bytes <= mostBytes) return null
  const sizes = `${formatBytes(bytes)}, and a configuration has at most ${formatBytes(mostBytes)}`
  return unusable(path, `has ${sizes}. Make it smaller, or move it away`)
}

function unusable(path: string, words: string): { ok: false; failure: Failure } {
  return fail('invalid-config', `${path} ${words}.`)
}

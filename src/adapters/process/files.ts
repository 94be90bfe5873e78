/**
 * Reads the files of a run, which its shim writes (file protocol 1; platform/linux/README.md lists them). An agent can
 * change these files, so a file that does not parse counts as missing, and nothing here throws for its content.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { containments, type Exit, type RunIdentity } from '../../model/run.ts'

/** The identity that the run claims; null where its claim is missing or incomplete. */
export function identify(dir: string): RunIdentity | null {
  const claim = readFields(join(dir, 'claim'))
  const mode = containments.find(known => known === claim?.['mode'])
  const shim = identityIn(claim)
  if (!claim || !mode || !shim || !claim['boot'] || !claim['ns']) return null
  const pid = readFields(join(dir, 'pid'))
  return {
    shim,
    inner: pid?.['child'] === undefined ? null : identityIn(pid),
    child: wholeNumber(pid?.['child']) ?? 0,
    boot: claim['boot'],
    ns: claim['ns'],
    mode,
    locked: claim['lock'] === 'yes',
    verified: false,
  }
}

/** Is there a claim, whatever its content? Then the run must not be launched again. */
export function isClaimed(dir: string): boolean {
  return unlessGone(() => lstatSync(join(dir, 'claim'))) !== null
}

/** A directory above may have been replaced by a file or a circular link, and the file itself by a socket. */
const goneCodes: (string | undefined)[] = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO']

/** Null where the file is not there, or is none. Throws errors that may be temporary. */
function unlessGone<T>(look: () => T): T | null {
  try {
    return look()
  } catch (error) {
    if (goneCodes.includes((error as NodeJS.ErrnoException).code)) return null
    throw error
  }
}

/** Claims a run for nobody, so that no shim will ever start it; false where a shim was faster. */
export function claimForNobody(dir: string): boolean {
  try {
    writeFileSync(join(dir, 'claim'), 'v 1\nmode never\n', { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return false
    // The directory is gone: no shim can claim the run either.
    if (goneCodes.includes(code)) return true
    throw error
  }
}

export function readExit(dir: string): Exit | null {
  const fields = readFields(join(dir, 'exit'))
  const code = wholeNumber(fields?.['code'])
  const seconds = Number(fields?.['ended']) - Number(fields?.['began'])
  if (code === null || Number.isNaN(seconds)) return null
  return {
    code,
    timedOut: fields?.['timeout'] === 'yes',
    durationMs: Math.max(0, Math.round(seconds * 1_000)),
  }
}

type Fields = Record<string, string | undefined>

function identityIn(fields: Fields | null): RunIdentity['shim'] | null {
  const pid = wholeNumber(fields?.['pid'])
  const start = wholeNumber(fields?.['start'])
  return pid === null || start === null || pid < 2 ? null : { pid, start }
}

function wholeNumber(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null
}

function readFields(path: string): Fields | null {
  const text = readSmall(path)
  // Each file is written in one piece: one that does not end with a line end is incomplete.
  if (!text?.endsWith('\n')) return null
  return Object.fromEntries(
    text
      .trim()
      .split('\n')
      .map(line => {
        const space = line.indexOf(' ')
        return [line.slice(0, space), line.slice(space + 1)]
      }),
  )
}

const mostBytes = 10_000
const openFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** Opened once and then looked at: an agent may remove or replace the file at any moment. No link, no pipe. */
function readSmall(path: string): string | null {
  const fd = unlessGone(() => openSync(path, openFlags))
  if (fd === null) return null
  try {
    const stat = fstatSync(fd)
    return stat.isFile() && stat.size <= mostBytes ? readFileSync(fd, 'utf8') : null
  } finally {
    closeSync(fd)
  }
}

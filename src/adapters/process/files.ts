/**
 * The files a run leaves, read back (file protocol 1; written by shim.sh). They lie where the agent can reach
 * them: what does not read as it should is no answer, and nothing here throws for it.
 */
import { lstatSync, readFileSync, type Stats, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { containments, type Exit, type RunIdentity } from '../../model/run.ts'

/** Who the run says it is; null where it does not say so in full. */
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

/** Whether there is a claim, whatever is in it: then the run must not be launched again. */
export function isClaimed(dir: string): boolean {
  return statOf(join(dir, 'claim')) !== null
}

/** Null also where a directory above it was replaced by a file, or by a link to itself. What may pass is thrown. */
function statOf(path: string): Stats | null {
  try {
    return lstatSync(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP') return null
    throw error
  }
}

/** Claims a run so that no shim will ever start it; false when a shim was faster. */
export function claimForNobody(dir: string): boolean {
  try {
    writeFileSync(join(dir, 'claim'), 'v 1\nmode never\n', { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'EEXIST') return false
    // Without its directory no shim can claim it either.
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP') return true
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
  const stat = statOf(path)
  if (!stat?.isFile() || stat.size > mostBytes) return null
  const text = readFileSync(path, 'utf8')
  // Each file is written at once: what does not end a line is cut off, or about to be written.
  if (!text.endsWith('\n')) return null
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

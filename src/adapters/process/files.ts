/**
 * The files a run leaves, read back (file protocol 1; written by shim.sh). A host knows about a run only what
 * stands here, so that any host can take over at any moment.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Exit } from '../../model/run.ts'
import type { Containment } from './contain.ts'
import type { Identity } from './proc.ts'

export type Claim = Identity & { boot: string; ns: string; mode: Containment | 'never'; locked: boolean }

export function readClaim(dir: string): Claim | null {
  const fields = readFields(join(dir, 'claim'))
  if (!fields) return null
  return {
    pid: Number(fields['pid']),
    start: Number(fields['start']),
    boot: fields['boot'] ?? '',
    ns: fields['ns'] ?? '',
    mode: (fields['mode'] ?? 'group') as Claim['mode'],
    locked: fields['lock'] === 'yes',
  }
}

/** Claims a run so that no shim will ever start it; false when a shim was faster. */
export function claimForNobody(dir: string): boolean {
  try {
    writeFileSync(join(dir, 'claim'), 'v 1\npid 0\nstart 0\nmode never\n', { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** The process to signal, and the command's own process as numbered inside the run. */
export function readPid(dir: string): (Identity & { child: number }) | null {
  const fields = readFields(join(dir, 'pid'))
  if (fields?.['child'] === undefined) return null
  return { pid: Number(fields['pid']), start: Number(fields['start']), child: Number(fields['child']) }
}

export function readExit(dir: string): Exit | null {
  const fields = readFields(join(dir, 'exit'))
  if (fields?.['ended'] === undefined) return null
  const seconds = Number(fields['ended']) - Number(fields['began'])
  return {
    code: Number(fields['code']),
    timedOut: fields['timeout'] === 'yes',
    durationMs: Math.max(0, Math.round(seconds * 1_000)),
  }
}

function readFields(path: string): Record<string, string> | null {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
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

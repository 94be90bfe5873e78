/**
 * The markers of loops that run inside a session, in the data directory, where the agent's work tree is not. A
 * marker is four lines: the work tree, the session (may be empty), the program, and the rest as JSON, so that a
 * shell script can tell without any program whether there is something to do. The hook's counter lies beside it.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Counter, noBlocks, type SessionLoop } from '../core/session/stop.ts'
import { sumOf } from './checksum.ts'
import type { Paths } from './paths.ts'

/** `name`: the id of the loop, or what stands for it where it is in no journal. */
export type Marker = { name: string; program: string; loop: SessionLoop }

export function sessionsDir({ data }: Pick<Paths, 'data'>): string {
  return join(data, 'sessions')
}

/** Of a state file that nobody has set up with loop: one for each work tree. */
export function unboundName(tree: string): string {
  return `tree-${sumOf(tree)}`
}

export function readMarkers(paths: Pick<Paths, 'data'>): Marker[] {
  return namesIn(sessionsDir(paths)).flatMap(name => readMarker(paths, name) ?? [])
}

export function readMarker(paths: Pick<Paths, 'data'>, name: string): Marker | null {
  try {
    const text = readFileSync(join(sessionsDir(paths), `${name}.loop`), 'utf8')
    const [tree = '', session = '', program = '', ...rest] = text.split('\n')
    const known = JSON.parse(rest.join('\n')) as Omit<SessionLoop, 'tree' | 'session'>
    return { name, program, loop: { ...known, tree, session: session === '' ? null : session } }
  } catch {
    return null // gone meanwhile, or not one of ours: either way there is no such loop
  }
}

export function writeMarker(paths: Pick<Paths, 'data'>, { name, program, loop }: Marker): void {
  const { tree, session, ...known } = loop
  const lines = [tree, session ?? '', program, JSON.stringify(known)]
  replace(paths, `${name}.loop`, `${lines.join('\n')}\n`)
}

export function removeMarker(paths: Pick<Paths, 'data'>, name: string): void {
  for (const end of ['loop', 'count']) rmSync(join(sessionsDir(paths), `${name}.${end}`), { force: true })
}

export function readCounter(paths: Pick<Paths, 'data'>, name: string): Counter {
  try {
    const found = JSON.parse(readFileSync(join(sessionsDir(paths), `${name}.count`), 'utf8'))
    return { ...noBlocks, ...found }
  } catch {
    return noBlocks // none yet
  }
}

export function writeCounter(paths: Pick<Paths, 'data'>, name: string, counter: Counter): void {
  replace(paths, `${name}.count`, JSON.stringify(counter))
}

/** Somebody asked to go on: it is counted anew. */
export function resetCounter(paths: Pick<Paths, 'data'>, name: string): void {
  writeCounter(paths, name, { ...noBlocks, told: readCounter(paths, name).told })
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir).flatMap(file => (file.endsWith('.loop') ? file.slice(0, -'.loop'.length) : []))
  } catch {
    return [] // no session had a loop yet
  }
}

function replace(paths: Pick<Paths, 'data'>, file: string, text: string): void {
  const dir = sessionsDir(paths)
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const next = join(dir, `.${file}.${process.pid}`)
  writeFileSync(next, text, { mode: 0o600 })
  renameSync(next, join(dir, file))
}

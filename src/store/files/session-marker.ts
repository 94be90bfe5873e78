/**
 * The markers of loops inside a session (core/session/state-file), in the data directory, outside of the agent's work tree.
 * The marker of a resting loop ends in `.rest`, so that the shell script of the plugin, which reads every `.loop` file,
 * ignores it. The counter of the hook is beside it.
 */
import { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { countOf, markerText, objectOf, parseJson, parseMarker } from '../../core/session/state-file.ts'
import { type Counter, noBlocks, type SessionLoop } from '../../core/session/stop.ts'
import { sumOf } from './checksum.ts'
import type { Paths } from './paths.ts'

/** `name`: the id of the loop, or a generated name for a loop without a journal. */
export type Marker = { name: string; program: string; loop: SessionLoop }

const mostBytes = 16_000_000

function sessionsDir({ data }: Pick<Paths, 'data'>): string {
  return join(data, 'sessions')
}

/** The name for a state file that was not set up with loop: one per work tree. */
export function unboundName(tree: string): string {
  return `tree-${sumOf(tree)}`
}

/** Markers of running loops come first. */
export function readMarkers(paths: Pick<Paths, 'data'>): Marker[] {
  const markers = namesIn(sessionsDir(paths)).flatMap(name => readMarker(paths, name) ?? [])
  return [...markers.filter(isUnderWay), ...markers.filter(marker => !isUnderWay(marker))]
}

export function isUnderWay({ loop }: Marker): boolean {
  return loop.status === 'in_progress'
}

export function readMarker(paths: Pick<Paths, 'data'>, name: string): Marker | null {
  const text = read(paths, `${name}.loop`) ?? read(paths, `${name}.rest`)
  const marked = text === null ? null : parseMarker(text)
  return marked && { name, ...marked }
}

export function writeMarker(paths: Pick<Paths, 'data'>, marker: Marker): void {
  const [end, other] = isUnderWay(marker) ? ['loop', 'rest'] : ['rest', 'loop']
  replace(paths, `${marker.name}.${end}`, markerText(marker))
  rmSync(join(sessionsDir(paths), `${marker.name}.${other}`), { force: true })
}

export function removeMarker(paths: Pick<Paths, 'data'>, name: string): void {
  for (const end of ['loop', 'rest', 'count'])
    rmSync(join(sessionsDir(paths), `${name}.${end}`), { force: true })
}

export function readCounter(paths: Pick<Paths, 'data'>, name: string): Counter {
  const found = objectOf(parseJson(read(paths, `${name}.count`) ?? ''))
  if (!found) return noBlocks // none yet, or spoilt
  const { blocks, idle, seen, told } = found
  return {
    blocks: countOf(blocks),
    idle: countOf(idle),
    seen: typeof seen === 'string' ? seen : '',
    told: countOf(told),
  }
}

export function writeCounter(paths: Pick<Paths, 'data'>, name: string, counter: Counter): void {
  replace(paths, `${name}.count`, JSON.stringify(counter))
}

/** A person asked to continue: the count starts again. */
export function resetCounter(paths: Pick<Paths, 'data'>, name: string): void {
  writeCounter(paths, name, { ...noBlocks, told: readCounter(paths, name).told })
}

function namesIn(dir: string): string[] {
  try {
    return [
      ...new Set(readdirSync(dir).flatMap(file => /^(.+)\.(?:loop|rest)$/.exec(file)?.[1] ?? [])),
    ].sort()
  } catch {
    return [] // no session had a loop yet
  }
}

/** Null if it is missing or no plain file: reading a FIFO would block. */
function read(paths: Pick<Paths, 'data'>, file: string): string | null {
  try {
    const path = join(sessionsDir(paths), file)
    const stat = lstatSync(path)
    return stat.isFile() && stat.size <= mostBytes ? readFileSync(path, 'utf8') : null
  } catch {
    return null
  }
}

function replace(paths: Pick<Paths, 'data'>, file: string, text: string): void {
  const dir = sessionsDir(paths)
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const next = join(dir, `.${file}.${process.pid}`)
  writeFileSync(next, text, { mode: 0o600 })
  renameSync(next, join(dir, file))
}

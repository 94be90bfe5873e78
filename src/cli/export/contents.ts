/**
 * The content of a loop's export: small things as text, outputs as files to be read. Missing things are named with
 * the reason. Times are those of the events, so that the same loop gives the same archive.
 */

import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { wholeDiff } from '../../checkpoints/contract.ts'
import { gitCheckpoints } from '../../checkpoints/git/backend.ts'
import { begin, evolve } from '../../core/loop/evolve.ts'
import { history } from '../../core/loop/history.ts'
import { treeOf } from '../../core/loop/parts/tree.ts'
import type { State } from '../../core/loop/state.ts'
import { summarize } from '../../core/loop/summary.ts'
import { savedTree } from '../../engine/garbage/discarded.ts'
import { failureWords } from '../../failures/words.ts'
import { allOf } from '../../model/failure.ts'
import type { Recorded } from '../../model/loop/event.ts'
import { checkpointName } from '../../model/units.ts'
import { redactAll, redactText, type Secret } from '../../secrets/redact.ts'
import { checkpointStore, loopDir, type Paths } from '../../store/files/paths.ts'
import { announce } from '../../views/text/announce.ts'
import { historyTable } from '../../views/text/history.ts'
import { receipt } from '../../views/text/receipt.ts'

export type ExportEntry = { path: string; at: number } & (
  | { text: string }
  | { bytes: Buffer }
  | { file: string }
)
export type LeftOut = { what: string; why: string }

export type ExportSource = {
  id: string
  paths: Paths
  /** The events that chain correctly, and the numbers of damaged or missing ones. */
  events: Recorded[]
  bad: number[]
  secrets: Secret[]
  /** The same secrets as bytes. */
  secretBytes: Secret[]
}

export async function* contentsOf(source: ExportSource): AsyncGenerator<ExportEntry | LeftOut> {
  const { events, secrets } = source
  const lastAt = events.at(-1)?.at ?? 0
  const text = (path: string, content: string) => ({ path, at: lastAt, text: content })
  yield* journalOf(source)
  const told = tellable(source)
  if (told) {
    const { state, log } = told
    const summary = redactAll(summarize(state), secrets)
    yield text('summary.json', `${JSON.stringify(summary, null, 2)}\n`)
    yield text('log.txt', `${redactAll(log, secrets).join('\n')}\n`)
    yield text('history.txt', `${historyTable(history(events)).join('\n')}\n`)
    yield text('receipt.txt', `${redactAll(receipt(state, lastAt), secrets).join('\n')}\n`)
  } else yield { what: 'summary, log, history and receipt', why: 'the first event cannot be read' }
  yield* outputs(source)
  if (told) yield* diffs(source, told.state)
}

/** For any kind of journal. */
export function* journalOf({ events, bad, secrets }: ExportSource): Generator<ExportEntry | LeftOut> {
  const lines = events.map(event => `${JSON.stringify(redactAll(event, secrets))}\n`)
  yield { path: 'journal.ndjson', at: events.at(-1)?.at ?? 0, text: lines.join('') }
  for (const seq of bad) yield { what: `event ${seq} of the journal`, why: 'damaged or missing' }
}

/** The state up to the first unreadable event. */
function tellable({ events, bad }: ExportSource): { state: State; log: string[] } | null {
  const [first, ...rest] = events.filter(({ seq }) => seq < (bad[0] ?? Number.POSITIVE_INFINITY))
  if (!first) return null
  let state = begin(first)
  const log = announce(first, state, null)
  for (const event of rest) {
    const before = state
    state = evolve(state, event)
    log.push(...announce(event, state, before))
  }
  return { state, log }
}

function* outputs({ id, paths, events }: ExportSource): Generator<ExportEntry | LeftOut> {
  const root = loopDir(paths, id)
  const lastAt = events.at(-1)?.at ?? 0
  const times = timesOf(events)
  const found = new Set<string>()
  const parts: [string, RegExp, string[]][] = [
    ['runs', /^\d+(\.unrecorded)?$/, ['prompt', 'out', 'err']],
    ['verify', /^\d+-\d+$/, ['out']],
    ['hooks', /^\d+$/, ['out']],
  ]
  for (const [part, pattern, names] of parts) {
    for (const dir of directoriesIn(join(root, part), pattern).map(name => `${part}/${name}`)) {
      found.add(dir)
      for (const name of names) {
        yield { path: `${dir}/${name}`, at: times.get(dir) ?? lastAt, file: join(root, dir, name) }
      }
    }
  }
  for (const dir of times.keys()) if (!found.has(dir)) yield { what: dir, why: 'not on disk' }
}

/** The end times of runs and verifications, by directory. */
function timesOf(events: Recorded[]): Map<string, number> {
  const times = new Map<string, number>()
  const dirs = new Map<number, string>()
  for (const event of events) {
    if (event.kind === 'run.started') dirs.set(event.data.run, event.data.dir)
    if (event.kind === 'run.started' || event.kind === 'run.ended' || event.kind === 'run.lost')
      times.set(dirs.get(event.data.run) ?? `runs/${event.data.run}`, event.at)
    if (event.kind === 'hook.started') times.set(event.data.dir, event.at)
    if (event.kind === 'promise.verified')
      for (const index of event.data.results.keys())
        times.set(`verify/${event.data.iteration}-${index}`, event.at)
  }
  return times
}

/** In numeric order; only real directories, since an agent can put a link there. */
function directoriesIn(dir: string, pattern: RegExp): string[] {
  const isDirectory = (path: string) => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  if (!isDirectory(dir)) return []
  return readdirSync(dir)
    .filter(name => pattern.test(name) && isDirectory(join(dir, name)))
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
}

async function* diffs(source: ExportSource, state: State): AsyncGenerator<ExportEntry | LeftOut> {
  const { cwd, copy, checkpoint } = state.spec
  if (checkpoint === 'none') {
    yield { what: 'diffs', why: 'the loop was started with --checkpoint none' }
    return
  }
  const backend = gitCheckpoints({ tree: cwd, store: checkpointStore(source.paths, { cwd, copy }) })
  for (const { n } of history(source.events)) {
    const [before, after] = [checkpointName(n), checkpointName(n, true)]
    const [from, to] = [treeOf(state.tree.checkpoints, before), treeOf(state.tree.checkpoints, after)]
    const path = `diffs/${before}.patch`
    if (!from || !to) {
      yield { what: path, why: 'the iteration has not come to its end' }
      continue
    }
    const saved = allOf({
      from: savedTree(source.paths, state, { name: before }),
      to: savedTree(source.paths, state, { name: after }),
    })
    const diff = saved.ok ? await wholeDiff(backend, saved.value) : saved
    const taken = (event: Recorded) => event.kind === 'checkpoint.taken' && event.data.name === after
    if (!diff.ok) yield { what: path, why: failureWords(diff.failure) }
    else {
      const at = source.events.findLast(taken)?.at ?? state.lastAt
      const clean = redactText(diff.value.toString('latin1'), source.secretBytes)
      yield { path, at, bytes: Buffer.from(clean, 'latin1') }
    }
  }
}

/**
 * The tabs of a loop, each as numbered lines about one iteration, so that one window serves all of them and long texts
 * cost no more than short ones. Generated text (a diff, the output of a promise with its headings) is written to a
 * spool file.
 */

import { join } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import type { Iteration } from '../core/loop/history.ts'
import { type OutputLines, shownLines } from '../engine/feed/lines.ts'
import { type Spool, spoolIn } from '../engine/feed/spool.ts'
import { linesOfRun } from '../engine/shown/runs.ts'
import type { Watched } from '../engine/watched.ts'
import { failureWords } from '../failures/words.ts'
import type { Result } from '../model/failure.ts'
import type { Recorded } from '../model/loop/event.ts'
import type { Secret } from '../secrets/redact.ts'
import { linesOf } from '../store/files/lines.ts'
import { loopDir, type Paths } from '../store/files/paths.ts'
import { criteriaLines } from '../views/screen/loop-panes.ts'
import { tabSays } from '../views/screen/messages.ts'
import { numbersBeside } from '../views/text/diff-numbers.ts'
import type { Beside } from './pager.ts'

export const tabNames = ['Output', 'Promise', 'Diff', 'Prompt', 'Criteria'] as const

export type TabName = (typeof tabNames)[number]

/** `follows`: the window begins at the end. `link`: the command that prints a line of this tab, counted from 1. */
export type Tab = {
  lines: OutputLines
  follows: boolean
  isProse?: boolean
  beside?: Beside
  link: ((line: number) => string) | null
  /** What the window says while there are no lines. */
  none?: string
}

export type TabSources = {
  paths: Paths
  secrets: readonly Secret[]
  /** The diff of an iteration, in pieces. */
  diff(range: { from: string; to: string }, take: (piece: Buffer) => boolean): Promise<Result<null>>
  /** The output of the promise in an iteration, in the form of `loop logs --promise`. */
  promise(events: readonly Recorded[], iteration: number): Iterable<string>
  /** Called when more text of a tab has arrived. */
  changed(): void
}

/** `n` is the iteration, 0 for the baseline. */
type Wanted = { watched: Watched; n: number; stream: 'out' | 'err' }

export function openTab(name: TabName, wanted: Wanted, sources: TabSources): Tab {
  const { watched, n } = wanted
  switch (name) {
    case 'Output':
      return outputTab(wanted, sources)
    case 'Prompt':
      return promptTab(watched, watched.iterations[n - 1], sources)
    case 'Promise':
      return promiseTab(watched, n, sources)
    case 'Diff':
      return diffTab(watched, n, sources)
    case 'Criteria':
      return madeOf(criteriaLines(watched.shown.summary, watched.state), sources)
  }
}

function madeOf(lines: readonly string[], { paths, secrets }: TabSources): Tab {
  const spool = spoolIn(paths.cache)
  spool.add(lines.map(line => `${line}\n`).join(''))
  return { lines: shownLines(spool.lines, secrets), follows: false, link: null }
}

function outputTab({ watched, n, stream }: Wanted, sources: TabSources): Tab {
  const { state, shown, iterations } = watched
  const iteration = iterations[n - 1]
  const run = iteration?.runs.at(-1)
  if (!iteration || !run) return madeOf([tabSays.noRun], sources)
  const { paths, secrets } = sources
  const dir = join(loopDir(paths, state.id), run.dir)
  const isNow = () => shown.summary.iteration === iteration.n && state.work.stage === 'running'
  const lines =
    stream === 'err'
      ? shownLines(linesOf(join(dir, 'err')), secrets)
      : linesOfRun({ dir, agent: run.agent }, { cache: paths.cache, secrets, ended: () => !isNow() })
  const link = (line: number) => `loop logs ${state.id} --iteration ${iteration.n} --line ${line}`
  if (stream === 'err')
    return {
      lines,
      follows: true,
      link: null,
      none: tabSays.noErrors(isNow()),
    }
  return { lines, follows: true, link, none: tabSays.noOutput(isNow()) }
}

function promptTab({ state }: Watched, iteration: Iteration | undefined, sources: TabSources): Tab {
  const run = iteration?.runs.at(-1)
  if (!run) return madeOf(tabSays.noPrompt(state.spec.prompt), sources)
  const file = join(loopDir(sources.paths, state.id), run.dir, 'prompt')
  return {
    lines: shownLines(linesOf(file, null), sources.secrets),
    follows: false,
    isProse: true,
    link: null,
  }
}

function promiseTab({ state, events }: Watched, n: number, sources: TabSources): Tab {
  const { paths, secrets, promise } = sources
  const spool = spoolIn(paths.cache)
  let isEmpty = true
  for (const text of promise(events, n)) {
    spool.add(text)
    isEmpty = false
  }
  if (isEmpty) spool.add(`${tabSays.noPromise(n)}\n`)
  const link = (line: number) => `loop logs ${state.id} --promise --iteration ${n} --line ${line}`
  return { lines: shownLines(spool.lines, secrets), follows: false, link: isEmpty ? null : link }
}

function diffTab(watched: Watched, n: number, sources: TabSources): Tab {
  const range = rangeOf(watched, n)
  if (typeof range === 'string') return madeOf([range], sources)
  const { cache } = sources.paths
  const patch = { text: spoolIn(cache), numbers: spoolIn(cache) }
  fill(patch, range, sources).then(sources.changed, sources.changed)
  const lines = shownLines(patch.text.lines, sources.secrets)
  const close = () => {
    lines.close()
    patch.numbers.lines.close()
  }
  return { lines: { ...lines, close }, beside: besideOf(patch.numbers), follows: false, link: null }
}

/** A patch, and in another file the line numbers for each of its lines. */
type Patch = { text: Spool; numbers: Spool }

async function fill(
  { text, numbers }: Patch,
  range: { from: string; to: string },
  { diff }: TabSources,
): Promise<void> {
  let bytes = 0
  const numbersFor = numbersBeside()
  const decoder = new StringDecoder('utf8')
  const done = await diff(range, piece => {
    bytes += piece.length
    // First the numbers: a line that is there has its own.
    numbers.add(numbersFor(decoder.write(piece)))
    return text.add(piece)
  })
  if (!done.ok) text.add(`${failureWords(done.failure)}\n`)
  else if (bytes === 0) text.add(`${tabSays.noChange}\n`)
}

const numberBytes = 1 << 16

function besideOf({ lines }: Spool): Beside {
  return (from, many) => {
    while (lines.count().lines < from + many && lines.grow(numberBytes));
    return lines.read(from, many, numberBytes).map(({ bytes }) => bytes.toString())
  }
}

/** For the baseline, the changes of the whole loop so far. */
function rangeOf({ iterations, state }: Watched, n: number): { from: string; to: string } | string {
  if (state.spec.checkpoint === 'none') return tabSays.noCheckpoints
  const last = iterations.findLast(({ after }) => after !== null)
  if (n === 0) return last?.after ? { from: 'initial', to: last.after } : tabSays.noChangeYet
  const one = iterations[n - 1]
  if (!one) return tabSays.noIteration
  if (one.after) return { from: one.checkpoint, to: one.after }
  return tabSays.noDiff(n)
}

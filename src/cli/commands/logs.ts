/**
 * `loop logs`: what the agent printed, its stdout on stdout and its stderr on stderr, as safe text.
 * Read in pieces, so that any size takes the same memory; `-f` goes on until the loop rests.
 */
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { isActive } from '../../core/summary.ts'
import type { EventOf, Recorded } from '../../model/event.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import { readBytes, sizeOf } from '../../store/artifact.ts'
import type { Store } from '../../store/database.ts'
import { readAfter } from '../../store/journal.ts'
import { loopDir } from '../../store/paths.ts'
import { find } from '../../store/summary.ts'
import { count } from '../../views/message.ts'
import { plainText } from '../../views/plain-text.ts'
import type { Input, Run } from '../command.ts'
import { openJournal, shown } from '../loops.ts'
import { write } from '../terminal.ts'

const pieceBytes = 1 << 16
const pollMs = 100

const logs: Run = async input => {
  const opened = openJournal(input)
  if (!opened.ok) return opened
  const { store, id, events, paths } = opened.value
  const runs = chosen(events, input)
  if (!runs.ok) return runs
  const root = loopDir(paths, id)
  const pours = runs.value.flatMap(run => poursOf(root, run))
  for (const pour of pours) pour()
  return input.given('follow') ? follow(store, { id, root, pours, after: events.length }) : ok(0)
}

type RunStarted = EventOf<'run.started'>['data']

/** The runs of the iteration asked for, else the newest run. */
function chosen(events: Recorded[], input: Input): Result<RunStarted[]> {
  const runs = events.filter(event => event.kind === 'run.started').map(event => event.data)
  const wanted = input.value('iteration')
  if (wanted === null) return ok(runs.slice(-1))
  const found = runs.filter(run => String(run.iteration) === wanted)
  if (found.length > 0) return ok(found)
  return fail(
    'invalid-arguments',
    `No agent ran in iteration ${wanted}; it has had ${count(runs.length, 'run')}.`,
  )
}

/** Each call prints what has been added to the file since the last one. */
function poursOf(root: string, run: RunStarted): (() => void)[] {
  return [pourInto(1, join(root, run.dir, 'out')), pourInto(2, join(root, run.dir, 'err'))]
}

function pourInto(fd: 1 | 2, file: string): () => void {
  const plain = plainText()
  const decoder = new TextDecoder()
  let at = 0
  return () => {
    for (let size = sizeOf(file); at < size; ) {
      const bytes = readBytes(file, at, Math.min(size, at + pieceBytes))
      if (bytes.length === 0) return
      at += bytes.length
      write(fd, plain(decoder.decode(bytes, { stream: true })))
    }
  }
}

type Following = { id: string; root: string; pours: (() => void)[]; after: number }

async function follow(store: Store, { id, root, pours, after }: Following): Promise<Result<number>> {
  let seen = after
  for (;;) {
    const summary = find(store, id)
    if (!summary.ok) return summary
    // Asked before the last look at the files: what is written before the end is then never missed.
    const rests = !isActive(summary.value.status) || shown(store, summary.value).orphaned
    const events = readAfter(store, id, seen)
    if (!events.ok) return events
    for (const event of events.value) {
      seen = event.seq
      if (event.kind !== 'run.started') continue
      for (const pour of pours) pour()
      pours.splice(0, pours.length, ...poursOf(root, event.data))
    }
    for (const pour of pours) pour()
    if (rests) return ok(0)
    await delay(pollMs)
  }
}

export default logs

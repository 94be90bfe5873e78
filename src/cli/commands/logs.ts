/**
 * `loop logs`: what the agent said and did; where loop can not read its output, and with `--raw`, what it
 * printed, its stdout on stdout and its stderr on stderr. Always as safe text without secrets.
 * Read in pieces, so that any size takes the same memory; `-f` goes on until the loop rests.
 */
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { isActive } from '../../core/summary.ts'
import type { EventOf, Recorded } from '../../model/event.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import { shown } from '../../server/api/detail.ts'
import { growing } from '../../store/artifact.ts'
import type { Store } from '../../store/database.ts'
import { readAfter } from '../../store/journal.ts'
import { loopDir } from '../../store/paths.ts'
import { find } from '../../store/summary.ts'
import { count } from '../../views/message.ts'
import { plainText } from '../../views/plain-text.ts'
import { redactor, type Secret, secretsIn } from '../../views/redact.ts'
import type { Input, Run } from '../command.ts'
import { openJournal } from '../loops.ts'
import { piecesOf, type Words, wordsOfRun } from '../run-text.ts'
import { write } from '../terminal.ts'

const pieceBytes = 1 << 15
const pollMs = 100

const logs: Run = async input => {
  const opened = openJournal(input)
  if (!opened.ok) return opened
  const { store, id, events, paths } = opened.value
  const runs = chosen(events, input)
  if (!runs.ok) return runs
  const root = loopDir(paths, id)
  const secrets = secretsIn(input.env)
  const [created] = events
  const named = created?.kind === 'loop.created' ? created.data.spec.agent : 'custom'
  const open = (run: RunStarted) => {
    const dir = join(root, run.dir)
    const words = input.given('raw') ? null : wordsOfRun(dir, run.agent ?? named, secrets)
    return words ? [pourWords(words)] : poursOf(dir, secrets)
  }
  const pours = runs.value.flatMap(open)
  for (const pour of pours) pour.more()
  if (input.given('follow')) return follow(store, { id, open, pours, after: events.length })
  for (const pour of pours) pour.end()
  return ok(0)
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

/** `more` prints what has been added to the file since the last time, to the end of a word; `end` the rest. */
type Pour = { more(): void; end(): void }

function poursOf(dir: string, secrets: Secret[]): Pour[] {
  return [pourInto(1, join(dir, 'out'), secrets), pourInto(2, join(dir, 'err'), secrets)]
}

function pourWords(words: Words): Pour {
  const more = () => {
    for (const text of piecesOf(words)) write(1, text)
  }
  const end = () => {
    more()
    write(1, words.end())
  }
  return { more, end }
}

function pourInto(fd: 1 | 2, file: string, secrets: Secret[]): Pour {
  const plain = plainText()
  const redact = redactor(secrets)
  const decoder = new TextDecoder()
  const source = growing(file, pieceBytes)
  const more = () => {
    for (const bytes of source.pieces())
      write(fd, redact.push(plain(decoder.decode(bytes, { stream: true }))))
  }
  const end = () => {
    more()
    source.close()
    write(fd, redact.end())
  }
  return { more, end }
}

type Following = { id: string; open(run: RunStarted): Pour[]; pours: Pour[]; after: number }

async function follow(store: Store, { id, open, pours, after }: Following): Promise<Result<number>> {
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
      for (const pour of pours) pour.end()
      pours.splice(0, pours.length, ...open(event.data))
    }
    for (const pour of pours) pour[rests ? 'end' : 'more']()
    if (rests) return ok(0)
    await delay(pollMs)
  }
}

export default logs

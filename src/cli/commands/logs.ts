/**
 * `loop logs`: the agent's words and actions; with `--promise` the promise's output and
 * `--hook` that of hooks (cli/show/outputs). If loop cannot read an agent's output, and with `--raw`, it prints stdout
 * to stdout and stderr to stderr. Secrets are always removed, and text is made safe, except for `--raw` into a pipe
 * or a file, which is exact; `--json` prints lines of JSON. Output is read in pieces, in constant memory; `-f`
 * continues until the loop rests.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { lookMs } from '../../engine/feed/lookout.ts'
import { outputsDiscardedAt } from '../../engine/garbage/discarded.ts'
import { secretBytes } from '../../engine/perform/loop/redaction.ts'
import { linesOfRun, piecesOf, type Words, wordsOfRun } from '../../engine/shown/runs.ts'
import { fail, invalid, ok, type Result } from '../../model/failure.ts'
import type { EventOf, Recorded } from '../../model/loop/event.ts'
import { type Secret, secretsIn } from '../../secrets/redact.ts'
import type { Store } from '../../store/contract.ts'
import { loopDir } from '../../store/files/paths.ts'
import type { CommandRun, Input } from '../command-table.ts'
import { openJournal } from '../find-loop.ts'
import { followJournal } from '../show/follow.ts'
import { hookLogs, promiseLogs } from '../show/outputs.ts'
import {
  exactLog,
  jsonLogs,
  type LoggedRun,
  lineRange,
  printLines,
  type RunLog,
  textLog,
} from '../show/run-log.ts'
import { isForProgram, write, writeExactly } from '../terminal.ts'

const logs: CommandRun = async input => {
  const typed = input.value('iteration')
  if (typed !== null && !/^\d{1,9}$/.test(typed)) {
    return invalid({ kind: 'bad-iteration', text: typed })
  }
  const range = lineRange(input)
  if (!range.ok) return range
  if (input.given('announcements'))
    return (await import('../show/announcements.ts')).printAnnouncements(input)
  const opened = openJournal(input)
  if (!opened.ok) return opened
  if (input.given('promise')) return promiseLogs(opened.value, input)
  if (input.given('hook')) return hookLogs(opened.value, input)
  const { store, id, events, paths } = opened.value
  const runs = chosen(events, input)
  if (!runs.ok) return runs
  const root = loopDir(paths, id)
  if (runs.value.length > 0 && !existsSync(join(root, 'runs'))) {
    return fail('not-allowed', { kind: 'output-discarded', id, at: outputsDiscardedAt(paths, id) })
  }
  const secrets = secretsIn(input.env)
  const [created] = events
  const named = created?.kind === 'loop.created' ? created.data.spec.agent : 'custom'
  const open = ({ run, iteration, agent = named, dir }: RunStarted) =>
    logsOf({ run, iteration, agent, dir: join(root, dir) }, secrets, input)
  const [run] = runs.value.slice(-1)
  if (range.value && run) {
    const agent = run.agent ?? named
    const ended = () => true
    return printLines(
      linesOfRun({ dir: join(root, run.dir), agent }, { cache: paths.cache, secrets, ended }),
      range.value,
      input,
    )
  }
  const current = runs.value.flatMap(open)
  if (input.given('follow')) return follow(store, { id, open, logs: current, after: events.length })
  print(current, 'end')
  return ok(0)
}

type RunStarted = EventOf<'run.started'>['data']

/** The runs of the given iteration, otherwise the newest run. */
function chosen(events: Recorded[], input: Input): Result<RunStarted[]> {
  const runs = events.filter(event => event.kind === 'run.started').map(event => event.data)
  const wanted = input.value('iteration')
  if (wanted === null) return ok(runs.slice(-1))
  const found = runs.filter(run => run.iteration === Number(wanted))
  if (found.length > 0) return ok(found)
  return invalid({ kind: 'no-run-in-iteration', iteration: wanted, runs: runs.length })
}

function logsOf(run: LoggedRun, secrets: Secret[], input: Input): RunLog[] {
  const raw = input.given('raw')
  if (input.given('json')) return jsonLogs(run, secrets, raw)
  const words = raw ? null : wordsOfRun(run.dir, run.agent, secrets)
  if (words) return [wordLog(words)]
  return ([1, 2] as const).map(fd => {
    const file = join(run.dir, fd === 1 ? 'out' : 'err')
    const exact = raw && isForProgram(fd)
    return { fd, ...(exact ? exactLog(file, secretBytes(input.env)) : textLog(file, secrets)) }
  })
}

function wordLog(words: Words): RunLog {
  return {
    fd: 1,
    more: () => piecesOf(words),
    *end() {
      yield* piecesOf(words)
      yield words.end()
    },
  }
}

/** False if nobody reads any more. */
function print(all: RunLog[], how: 'more' | 'end'): boolean {
  for (const { fd, [how]: pieces } of all) {
    for (const piece of pieces()) {
      const printed = typeof piece === 'string' ? write(fd, piece) : writeExactly(fd, piece)
      if (!printed && fd === 1) return false
    }
  }
  return true
}

type Following = { id: string; open(run: RunStarted): RunLog[]; logs: RunLog[]; after: number }

function follow(store: Store, { id, open, logs: first, after }: Following): Promise<Result<number>> {
  let current = first
  return followJournal(store, id, {
    after,
    tell(event) {
      if (event.kind !== 'run.started') return true
      const isRead = print(current, 'end')
      current = open(event.data)
      return isRead
    },
    looked: rests => print(current, rests ? 'end' : 'more'),
    withinMs: lookMs,
  })
}

export default logs

/**
 * Prints the iterations of one loop: as a table, as JSON, or with prompts and answers. For `loop history` of a loop,
 * and of each loop of a group.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fold } from '../../core/loop/evolve.ts'
import { history, hooksIn, type Iteration, ownCheckpoints } from '../../core/loop/history.ts'
import { namesOf } from '../../core/loop/parts/tree.ts'
import type { State } from '../../core/loop/state.ts'
import { safeLine, safeText } from '../../core/text/plain-text.ts'
import { historyJson } from '../../documents/loop.ts'
import { type Discarded, discardedOf, outputsDiscardedAt } from '../../engine/garbage/discarded.ts'
import { piecesOf, wordsOfRun } from '../../engine/shown/runs.ts'
import { discardedWords, outputsGoneWords } from '../../failures/discarded.ts'
import type { AgentName } from '../../model/agent.ts'
import { redactText, type Secret, secretsIn } from '../../secrets/redact.ts'
import { readBytes, sizeOf } from '../../store/files/artifact.ts'
import { loopDir } from '../../store/files/paths.ts'
import { historyTable, savedAfterWords } from '../../views/text/history.ts'
import { hookWords } from '../../views/words/hook.ts'
import type { OpenJournal } from '../find-loop.ts'
import { out, write } from '../terminal.ts'
import { textLog } from './run-log.ts'

const mostBytes = 1_000_000

export function historyDocument({ id, events, paths }: OpenJournal) {
  return historyJson(id, events, discardedOf(paths, fold(events)))
}

export function historyLines({ events, paths }: OpenJournal): string[] {
  const iterations = history(events)
  const state = fold(events)
  const discarded = discardedOf(paths, state)
  const own = ownCheckpoints(events)
  const notes = [
    ...hooksIn(events).map(hook => safeLine(`After the end: ${hookWords(hook)}`)),
    ...savedAfterWords(iterations, discarded),
    ...(own.length > 0 ? [`Your checkpoints: ${own.join(', ')}`] : []),
    ...discardedWords(discarded, leftOf(state, discarded)),
  ]
  return [...historyTable(iterations), ...(notes.length > 0 ? ['', ...notes] : [])]
}

/** With prompts and answers; false if nobody reads any more. */
export function printWhole({ id, events, paths }: OpenJournal, env: NodeJS.ProcessEnv): boolean {
  const root = loopDir(paths, id)
  const iterations = history(events)
  const isGone = iterations.some(({ runs }) => runs.length > 0) && !existsSync(join(root, 'runs'))
  if (isGone && !out(`${outputsGoneWords(id, outputsDiscardedAt(paths, id))}\n`)) return false
  const secrets = secretsIn(env)
  return iterations.every(
    row => out(historyTable([row]).join('\n')) && (isGone || (out('') && printVerbose(row, root, secrets))),
  )
}

/** The names of those that can still be restored. */
function leftOf({ tree: { checkpoints } }: State, discarded: readonly Discarded[]): string[] {
  return namesOf(checkpoints).filter(name => discarded.every(one => one.name !== name))
}

/** False if nobody reads any more. */
function printVerbose(row: Iteration, root: string, secrets: readonly Secret[]): boolean {
  const isRead = row.runs.every(run => {
    const dir = join(root, run.dir)
    return (
      printPart(`--- prompt of iteration ${row.n}`, textLog(join(dir, 'prompt'), secrets).end()) &&
      printPart('--- what the agent printed', printed(dir, run.agent, secrets))
    )
  })
  return isRead && out('')
}

function printPart(title: string, pieces: Iterable<string>): boolean {
  if (!out(title)) return false
  let last = '\n'
  for (const text of pieces) {
    if (!write(1, text)) return false
    last = text || last
  }
  return last.endsWith('\n') || out('')
}

/** The agent's words if loop understands its output, otherwise the output; the newest part if it is very long. */
function printed(dir: string, agent: AgentName, secrets: readonly Secret[]): string[] {
  const words = wordsOfRun(dir, agent, secrets)
  if (!words) return ['out', 'err'].map(name => newestText(join(dir, name), secrets))
  let all = ''
  for (const more of piecesOf(words)) all = (all + more).slice(-mostBytes)
  return [all + words.end()]
}

function newestText(file: string, secrets: readonly Secret[]): string {
  const bytes = sizeOf(file)
  if (bytes === 0) return ''
  const newest = readBytes(file, Math.max(0, bytes - mostBytes), bytes)
  if (bytes <= mostBytes) return redactText(safeText(newest.toString()), secrets)
  // The first word is dropped: half of a secret would not be recognised.
  const cut = newest.findIndex(byte => byte === 0x20 || byte === 0x0a)
  const whole = newest.subarray(cut === -1 ? newest.length : cut + 1)
  const left = `… ${bytes - whole.length} bytes before this: see loop logs …\n`
  return left + redactText(safeText(whole.toString()), secrets)
}

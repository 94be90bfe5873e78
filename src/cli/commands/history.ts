/** `loop history`: the iterations of a loop; with `--diff` what they changed, with `--verbose` what was said. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fold } from '../../core/loop/evolve.ts'
import { history, hooksIn, type Iteration, ownCheckpoints } from '../../core/loop/history.ts'
import { namesOf } from '../../core/loop/parts/tree.ts'
import type { State } from '../../core/loop/state.ts'
import { type Discarded, discardedOf, outputsDiscardedAt } from '../../engine/garbage/discarded.ts'
import type { AgentName } from '../../model/agent.ts'
import { fail, ok } from '../../model/failure.ts'
import { checkpointName } from '../../model/units.ts'
import { readBytes, sizeOf } from '../../store/files/artifact.ts'
import { loopDir, pathsFrom } from '../../store/files/paths.ts'
import { openStoreToRead } from '../../store/sqlite/open.ts'
import { redactText, type Secret, secretsIn } from '../../views/secrets/redact.ts'
import { historyJson, historyTable, savedAfterWords } from '../../views/text/history.ts'
import { jsonText, safeLine, safeText } from '../../views/text/plain-text.ts'
import { discardedWords, outputsGoneWords } from '../../views/words/discarded.ts'
import { hookWords } from '../../views/words/hook.ts'
import type { CommandRun } from '../command-table.ts'
import { findLoop, openJournal } from '../find-loop.ts'
import { printDiff } from '../print-diff.ts'
import { textLog } from '../run-json.ts'
import { piecesOf, wordsOfRun } from '../run-text.ts'
import { out, write } from '../terminal.ts'

const mostBytes = 1_000_000

const historyOf: CommandRun = async input => {
  const store = openStoreToRead(pathsFrom(input.env))
  const found = store.ok && store.value ? findLoop(store.value, input) : null
  if (store.ok && store.value && found?.ok && found.value.kind === 'group') {
    const { historyOfGroup } = await import('../group/show.ts')
    return historyOfGroup(store.value, found.value.id, input)
  }
  const opened = openJournal(input)
  if (!opened.ok) return opened
  const { id, events, paths } = opened.value
  const asked = input.value('diff')
  if (asked !== null) {
    const after = input.given('after')
    const one = /^\d+$/.test(asked)
    if (one && after) return fail('invalid-arguments', `--diff ${asked} has what iteration ${asked} left.`)
    const range = one ? `${asked}..${checkpointName(Number(asked), true)}` : asked
    return printDiff(opened.value, { range, after, json: input.given('json') })
  }
  const iterations = history(events)
  const state = fold(events)
  const discarded = discardedOf(paths, state)
  const own = ownCheckpoints(events)
  const hooks = hooksIn(events)
  if (input.given('json'))
    out(
      jsonText({
        ...historyJson(id, iterations),
        checkpoints: own,
        discarded,
        ...(hooks.length > 0 && { hooks }),
      }),
    )
  else if (input.given('verbose')) {
    const root = loopDir(paths, id)
    const isGone = iterations.some(({ runs }) => runs.length > 0) && !existsSync(join(root, 'runs'))
    if (isGone) out(`${outputsGoneWords(id, outputsDiscardedAt(paths, id))}\n`)
    const secrets = secretsIn(input.env)
    for (const row of iterations) {
      if (!out(historyTable([row]).join('\n'))) break
      if (!isGone && !(out('') && printVerbose(row, root, secrets))) break
    }
  } else {
    const notes = [
      ...hooks.map(hook => safeLine(`After the end: ${hookWords(hook)}`)),
      ...savedAfterWords(iterations, discarded),
      ...(own.length > 0 ? [`Your checkpoints: ${own.join(', ')}`] : []),
      ...discardedWords(discarded, leftOf(state, discarded)),
    ]
    out([...historyTable(iterations), ...(notes.length > 0 ? ['', ...notes] : [])].join('\n'))
  }
  return ok(0)
}

/** Those that can still be restored, by name. */
function leftOf({ tree: { checkpoints } }: State, discarded: readonly Discarded[]): string[] {
  return namesOf(checkpoints).filter(name => discarded.every(one => one.name !== name))
}

/** False when nobody reads any more. */
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

/** The words of an agent whose output loop can read, else its output; the newest if there is very much of it. */
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
  // The first word is cut: half of a secret is not known for one.
  const cut = newest.findIndex(byte => byte === 0x20 || byte === 0x0a)
  const whole = newest.subarray(cut === -1 ? newest.length : cut + 1)
  const left = `… ${bytes - whole.length} bytes before this: see loop logs …\n`
  return left + redactText(safeText(whole.toString()), secrets)
}

export default historyOf

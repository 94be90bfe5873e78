/** `loop history`: the iterations of a loop; with `--diff` what they changed, with `--verbose` what was said. */
import { join } from 'node:path'
import { history, type Iteration, ownCheckpoints } from '../../core/loop/history.ts'
import type { AgentName } from '../../model/agent.ts'
import { ok } from '../../model/failure.ts'
import { checkpointName } from '../../model/units.ts'
import { readSlice, sizeOf } from '../../store/files/artifact.ts'
import { loopDir } from '../../store/files/paths.ts'
import { redactAll, secretsIn } from '../../views/secrets/redact.ts'
import { historyJson, historyTable, savedAfterWords } from '../../views/text/history.ts'
import { jsonText, safeText } from '../../views/text/plain-text.ts'
import type { CommandRun } from '../command-table.ts'
import { openJournal } from '../find-loop.ts'
import { printDiff } from '../print-diff.ts'
import { piecesOf, wordsOfRun } from '../run-text.ts'
import { out } from '../terminal.ts'

const mostBytes = 1_000_000
/** A prompt is shown whole: nothing else shows it. `loop start` takes none of more than 10 MB. */
const mostPromptBytes = 32_000_000

const historyOf: CommandRun = async input => {
  const opened = openJournal(input)
  if (!opened.ok) return opened
  const { id, events, paths } = opened.value
  const asked = input.value('diff')
  if (asked !== null) {
    const range = /^\d+$/.test(asked) ? `${asked}..${checkpointName(Number(asked), true)}` : asked
    return printDiff(opened.value, range, input.given('json'))
  }
  const iterations = history(events)
  const own = ownCheckpoints(events)
  if (input.given('json')) out(jsonText({ ...historyJson(id, iterations), checkpoints: own }))
  else if (input.given('verbose')) {
    const secrets = secretsIn(input.env)
    for (const row of iterations) if (!out(redactAll(verbose(row, loopDir(paths, id)), secrets))) break
  } else {
    const notes = [
      ...savedAfterWords(iterations),
      ...(own.length > 0 ? [`Your checkpoints: ${own.join(', ')}`] : []),
    ]
    out([...historyTable(iterations), ...(notes.length > 0 ? ['', ...notes] : [])].join('\n'))
  }
  return ok(0)
}

function verbose(row: Iteration, root: string): string {
  const texts = row.runs.flatMap(({ dir, agent }) => [
    `--- prompt of iteration ${row.n}`,
    text(join(root, dir, 'prompt'), mostPromptBytes),
    `--- what the agent printed`,
    spoken(join(root, dir), agent) ?? text(join(root, dir, 'out')) + text(join(root, dir, 'err')),
  ])
  return [...historyTable([row]), '', ...texts.map(part => part.trimEnd()), ''].join('\n')
}

/** The words of an agent whose output loop can read, the newest if there are very many. */
function spoken(dir: string, agent: AgentName): string | null {
  const words = wordsOfRun(dir, agent, [])
  if (!words) return null
  let all = ''
  for (const more of piecesOf(words)) all = (all + more).slice(-mostBytes)
  return all + words.end()
}

function text(file: string, most = mostBytes): string {
  const bytes = sizeOf(file)
  if (bytes === 0) return ''
  const newest = readSlice(file, Math.max(0, bytes - most), bytes)
  if (bytes <= most) return safeText(newest)
  // The first line is cut: half of a secret is not known for one.
  const whole = newest.slice(newest.indexOf('\n') + 1)
  const left = bytes - Buffer.byteLength(whole)
  return `… ${left} bytes before this: see loop logs …\n${safeText(whole)}`
}

export default historyOf

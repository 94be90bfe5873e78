/**
 * `loop check`: the checks in the promises of templates. It runs inside a promise, compares the tree with loop's
 * saved states, and runs commands itself. It exits with 0, with 1 and the reason, or with 126 if the step cannot be
 * judged.
 */
import { safeLine } from '../../core/text/plain-text.ts'
import { failureWords } from '../../failures/words.ts'
import { invalid, ok } from '../../model/failure.ts'
import { nearest } from '../../options/nearest.ts'
import { change, documented, lint } from '../check/code.ts'
import { findings, soundReport, verified } from '../check/reports.ts'
import { bench, faster } from '../check/speed.ts'
import { green, pins, proof, red } from '../check/tests.ts'
import { cannot, type Judgement, type StepCheck, situationOf, workIn } from '../check/work.ts'
import type { CommandRun } from '../command-table.ts'
import { out, outDocument } from '../terminal.ts'

const checks: Record<string, StepCheck> = {
  red,
  green,
  proof,
  pins,
  change,
  lint,
  documented,
  report: soundReport,
  findings,
  verified,
  bench,
  faster,
}

const cannotBeJudged = 126

const check: CommandRun = async input => {
  const [name = '', ...more] = input.positionals
  const asked = Object.hasOwn(checks, name) ? checks[name] : undefined
  if (!asked || more.length > 0) {
    const names = Object.keys(checks)
    const near = nearest(name, names)
    return invalid({ kind: 'unknown-check', name, near, known: names })
  }
  const situation = situationOf(input.env, process.cwd())
  if (!situation.ok) return situation
  const work = workIn(situation.value)
  // The time is up: temporary files are removed.
  process.once('SIGTERM', () => void work.end().finally(() => process.exit(cannotBeJudged)))
  try {
    const value = (flag: string) =>
      input.flag(flag).takes ? input.value(flag) : input.given(flag) ? 'true' : null
    const found = await asked({ work, value, values: flag => input.values(flag) })
    const judged = 'holds' in found ? found : cannot(failureWords(found.failure))
    if (input.given('json')) outDocument<'check'>({ check: name, ...judged })
    else out(judged.lines.map(line => safeLine(`check ${name}: ${line}`)).join('\n'))
    return ok(exitOf(judged))
  } finally {
    await work.end()
  }
}

function exitOf({ holds, unrunnable }: Judgement): number {
  return holds ? 0 : unrunnable ? cannotBeJudged : 1
}

export default check

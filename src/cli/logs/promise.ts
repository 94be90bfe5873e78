/**
 * `loop logs --promise`: what the promise printed in one iteration, criterion by criterion, each under a heading.
 * Exactly what is stored, as safe text without secrets; where the files are gone, the end that the journal keeps.
 */
import { join } from 'node:path'
import { fail, ok, type Result } from '../../model/failure.ts'
import type { Artifact, CriterionResult, EventOf, Recorded } from '../../model/loop/event.ts'
import { sizeOf } from '../../store/files/artifact.ts'
import { loopDir } from '../../store/files/paths.ts'
import { redactText, type Secret, secretsIn } from '../../views/secrets/redact.ts'
import { jsonText, safeLine, safeText } from '../../views/text/plain-text.ts'
import { verdictLine } from '../../views/words/message.ts'
import type { Input } from '../command-table.ts'
import type { OpenJournal } from '../find-loop.ts'
import { cutter, textLog } from '../run-json.ts'
import { out, write } from '../terminal.ts'

type Verified = EventOf<'promise.verified'>['data']

/** One command that was run: of the promise, or of what must not be. */
type Judged = { result: CriterionResult; isForbidden: boolean }

export function promiseLogs({ id, events, paths }: OpenJournal, input: Input): Result<number> {
  const wrong = ['follow', 'raw'].find(flag => input.given(flag))
  if (wrong)
    return fail('invalid-arguments', `--${wrong} is for what the agent prints; leave it or --promise out.`)
  const verified = verifiedIn(events, input.value('iteration'))
  if (!verified.ok) return verified
  const secrets = secretsIn(input.env)
  const { results, mustNot = [] } = verified.value
  const judged = [
    ...results.map(result => ({ result, isForbidden: false })),
    ...mustNot.map(result => ({ result, isForbidden: true })),
  ]
  const print = input.given('json') ? printJson : printText
  for (const one of judged) {
    const pieces = () => storedOutput(loopDir(paths, id), one.result.output, secrets)
    if (!print(one, { iteration: verified.value.iteration, secrets, pieces })) break
  }
  return ok(0)
}

/** Of the iteration asked for, else of the newest; where it was run again in it, the last time. */
function verifiedIn(events: Recorded[], wanted: string | null): Result<Verified> {
  const all = events.flatMap(event => (event.kind === 'promise.verified' ? event.data : []))
  const found = wanted === null ? all.at(-1) : all.findLast(({ iteration }) => iteration === Number(wanted))
  if (found) return ok(found)
  if (all.length === 0) return fail('not-allowed', 'The promise has not been run to its end yet.')
  const run = [...new Set(all.map(({ iteration }) => iteration))]
  return fail(
    'invalid-arguments',
    `The promise was not run in iteration ${wanted}. It was run in: ${run.join(', ')} (0 is the baseline).`,
  )
}

type Printing = { iteration: number; secrets: readonly Secret[]; pieces(): Iterable<string> }

function printText({ result, isForbidden }: Judged, { iteration, secrets, pieces }: Printing): boolean {
  const when = iteration === 0 ? 'baseline' : `iteration ${iteration}`
  const what = isForbidden ? `must not ${result.name}` : 'promise'
  const heading = redactText(safeLine(`--- ${when}, ${what}: ${verdictLine(result)}`), secrets)
  if (!out(heading)) return false
  let ends = '\n'
  for (const text of pieces()) {
    if (!write(1, text)) return false
    ends = text.at(-1) ?? ends
  }
  return ends === '\n' || write(1, '\n')
}

function printJson({ result, isForbidden }: Judged, { iteration, secrets, pieces }: Printing): boolean {
  const { verdict } = result
  const criterion = redactText(result.name, secrets)
  const about = { iteration, criterion, ...(isForbidden && { mustNot: true }), verdict, kind: 'output' }
  const split = cutter()
  const rows = (texts: string[]) => texts.every(text => out(jsonText({ ...about, text })))
  for (const text of pieces()) if (!rows(split.add(text))) return false
  return rows(split.rest())
}

/** From the file; `loop gc` may have thrown it away, and then the journal still has the end of it. */
export function* storedOutput(root: string, output: Artifact, secrets: readonly Secret[]): Generator<string> {
  const file = join(root, output.path)
  if (output.bytes === 0 || sizeOf(file) > 0) {
    for (const text of textLog(file, secrets).end()) if (text !== '') yield text
    return
  }
  yield `… the output is gone (loop gc); its last lines:\n`
  yield redactText(safeText(output.tail), secrets)
}

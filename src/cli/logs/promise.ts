/**
 * `loop logs --promise`: the promise's output in one iteration, criterion by criterion, each under a heading. It
 * prints what is stored, as safe text without secrets; if the files are gone, the ends that the journal keeps.
 */
import { join } from 'node:path'
import { safeLine, safeText } from '../../core/text/plain-text.ts'
import { shownLines } from '../../engine/feed/lines.ts'
import { spoolIn } from '../../engine/feed/spool.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import type { Artifact, CriterionResult, EventOf, Recorded } from '../../model/loop/event.ts'
import { redactText, type Secret, secretsIn } from '../../secrets/redact.ts'
import { sizeOf } from '../../store/files/artifact.ts'
import { loopDir } from '../../store/files/paths.ts'
import { verdictLine } from '../../views/words/message.ts'
import type { Input } from '../command-table.ts'
import type { OpenJournal } from '../find-loop.ts'
import { cutter, textLog } from '../run-json.ts'
import { outDocument, write } from '../terminal.ts'
import { lineRange, printLines } from './line.ts'

type Verified = EventOf<'promise.verified'>['data']

/** One command that was run: a criterion or a forbidden thing. */
type Judged = { result: CriterionResult; isForbidden: boolean }

export function promiseLogs({ id, events, paths }: OpenJournal, input: Input): Result<number> {
  const wrong = ['follow', 'raw'].find(flag => input.given(flag))
  if (wrong) return fail('invalid-arguments', { kind: 'flag-of-agent-logs', flag: wrong, other: 'promise' })
  const verified = verifiedIn(events, input.value('iteration'))
  if (!verified.ok) return verified
  const secrets = secretsIn(input.env)
  const judged = judgedIn(verified.value)
  const { iteration } = verified.value
  const printing = (one: Judged): Printing => ({
    iteration,
    secrets,
    pieces: () => storedOutput(loopDir(paths, id), one.result.output, secrets),
  })
  const range = lineRange(input)
  if (!range.ok) return range
  if (range.value) {
    const { lines, add } = spoolIn(paths.cache)
    for (const one of judged) for (const text of textsOf(one, printing(one))) add(text)
    return printLines(shownLines(lines, secrets), range.value, input)
  }
  const print = input.given('json') ? printJson : printText
  for (const one of judged) if (!print(one, printing(one))) break
  return ok(0)
}

/** The text of an iteration, in pieces; empty if the promise did not run in it. */
export function* promiseTexts(
  { root, events, secrets }: { root: string; events: readonly Recorded[]; secrets: readonly Secret[] },
  wanted: number,
): Generator<string> {
  const verified = verifiedIn(events, String(wanted))
  if (!verified.ok) return
  const { iteration } = verified.value
  for (const one of judgedIn(verified.value)) {
    const pieces = () => storedOutput(root, one.result.output, secrets)
    yield* textsOf(one, { iteration, secrets, pieces })
  }
}

function judgedIn({ results, mustNot = [] }: Verified): Judged[] {
  return [
    ...results.map(result => ({ result, isForbidden: false })),
    ...mustNot.map(result => ({ result, isForbidden: true })),
  ]
}

/** The given iteration, otherwise the newest; if the promise ran twice in it, the last run. */
function verifiedIn(events: readonly Recorded[], wanted: string | null): Result<Verified> {
  const all = events.flatMap(event => (event.kind === 'promise.verified' ? event.data : []))
  const found = wanted === null ? all.at(-1) : all.findLast(({ iteration }) => iteration === Number(wanted))
  if (found) return ok(found)
  if (all.length === 0) return fail('not-allowed', { kind: 'promise-not-run' })
  const run = [...new Set(all.map(({ iteration }) => iteration))]
  return fail('invalid-arguments', { kind: 'promise-not-run-in', iteration: wanted ?? '', known: run })
}

type Printing = { iteration: number; secrets: readonly Secret[]; pieces(): Iterable<string> }

function printText(judged: Judged, printing: Printing): boolean {
  for (const text of textsOf(judged, printing)) if (!write(1, text)) return false
  return true
}

/** A heading, the output, and the end of its last line. */
function* textsOf(
  { result, isForbidden }: Judged,
  { iteration, secrets, pieces }: Printing,
): Generator<string> {
  const when = iteration === 0 ? 'baseline' : `iteration ${iteration}`
  const what = isForbidden ? `must not ${result.name}` : 'promise'
  yield `${redactText(safeLine(`--- ${when}, ${what}: ${verdictLine(result)}`), secrets)}\n`
  let ends = '\n'
  for (const text of pieces()) {
    yield text
    ends = text.at(-1) ?? ends
  }
  if (ends !== '\n') yield '\n'
}

function printJson({ result, isForbidden }: Judged, { iteration, secrets, pieces }: Printing): boolean {
  const { verdict } = result
  const criterion = redactText(result.name, secrets)
  const mustNot = isForbidden && { mustNot: true as const }
  const about = { iteration, criterion, ...mustNot, verdict, kind: 'output' as const }
  const split = cutter()
  const rows = (texts: string[]) => texts.every(text => outDocument<'logPromise'>({ ...about, text }))
  for (const text of pieces()) if (!rows(split.add(text))) return false
  return rows(split.rest())
}

/** From the file; if `loop gc` has removed it, the journal still has its end. */
export function* storedOutput(root: string, output: Artifact, secrets: readonly Secret[]): Generator<string> {
  const file = join(root, output.path)
  if (output.bytes === 0 || sizeOf(file) > 0) {
    for (const text of textLog(file, secrets).end()) if (text !== '') yield text
    return
  }
  yield `… the output is gone (loop gc); its last lines:\n`
  yield redactText(safeText(output.tail), secrets)
}

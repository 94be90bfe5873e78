/**
 * `loop logs --promise` and `--hook`: the promise's output in one iteration, criterion by criterion, and that of a loop's
 * hooks, each under a heading. They print what is stored, as safe text without secrets; if a file is gone, the end that
 * the journal keeps.
 */
import { join } from 'node:path'
import { hooksIn } from '../../core/loop/history.ts'
import { safeLine, safeText } from '../../core/text/plain-text.ts'
import { shownLines } from '../../engine/feed/lines.ts'
import { spoolIn } from '../../engine/feed/spool.ts'
import { fail, invalid, ok, type Result } from '../../model/failure.ts'
import type { Artifact, CriterionResult, EventOf, Recorded } from '../../model/loop/event.ts'
import { redactText, type Secret, secretsIn } from '../../secrets/redact.ts'
import { sizeOf } from '../../store/files/artifact.ts'
import { loopDir } from '../../store/files/paths.ts'
import { failureLines } from '../../views/text/promise-output.ts'
import { hookWords } from '../../views/words/hook.ts'
import { verdictLine } from '../../views/words/message.ts'
import type { Input } from '../command-table.ts'
import type { OpenJournal } from '../find-loop.ts'
import { outDocument, write } from '../terminal.ts'
import { cutter, lineRange, printLines, textLog } from './run-log.ts'

type Verified = EventOf<'promise.verified'>['data']

/** One command that was run: a criterion or a forbidden thing. */
type Judged = { result: CriterionResult; isForbidden: boolean }

/** An output under a heading. `row`: prints a piece of it for a program. */
type Section = { heading: string; pieces(): Iterable<string>; row(text: string): boolean }

/** What a section needs to know: where the files of the loop are. */
type From = { root: string; secrets: readonly Secret[] }

export function promiseLogs({ id, events, paths }: OpenJournal, input: Input): Result<number> {
  const wrong = ['follow', 'raw'].find(flag => input.given(flag))
  if (wrong) return invalid({ kind: 'flag-of-agent-logs', flag: wrong, other: 'promise' })
  const verified = verifiedIn(events, input.value('iteration'))
  if (!verified.ok) return verified
  const secrets = secretsIn(input.env)
  const sections = sectionsOf(verified.value, { root: loopDir(paths, id), secrets })
  const range = lineRange(input)
  if (!range.ok) return range
  if (!range.value) return printed(sections, input)
  const { lines, add } = spoolIn(paths.cache)
  for (const section of sections) for (const text of textsOf(section)) add(text)
  return printLines(shownLines(lines, secrets), range.value, input)
}

/** The text of an iteration, in pieces; empty if the promise did not run in it. */
export function* promiseTexts(
  { events, ...from }: From & { events: readonly Recorded[] },
  wanted: number,
): Generator<string> {
  const verified = verifiedIn(events, String(wanted))
  if (verified.ok) for (const section of sectionsOf(verified.value, from)) yield* textsOf(section)
}

/** The given iteration, otherwise the newest; if the promise ran twice in it, the last run. */
function verifiedIn(events: readonly Recorded[], wanted: string | null): Result<Verified> {
  const all = events.flatMap(event => (event.kind === 'promise.verified' ? event.data : []))
  const found = wanted === null ? all.at(-1) : all.findLast(({ iteration }) => iteration === Number(wanted))
  if (found) return ok(found)
  if (all.length === 0) return fail('not-allowed', { kind: 'promise-not-run' })
  const run = [...new Set(all.map(({ iteration }) => iteration))]
  return invalid({ kind: 'promise-not-run-in', iteration: wanted ?? '', known: run })
}

function sectionsOf({ iteration, results, mustNot = [] }: Verified, from: From): Section[] {
  const judged: Judged[] = [
    ...results.map(result => ({ result, isForbidden: false })),
    ...mustNot.map(result => ({ result, isForbidden: true })),
  ]
  const when = iteration === 0 ? 'baseline' : `iteration ${iteration}`
  return judged.map(({ result, isForbidden }) => {
    const what = isForbidden ? `must not ${result.name}` : 'promise'
    const criterion = redactText(result.name, from.secrets)
    const mustNotField = isForbidden && { mustNot: true as const }
    const about = { iteration, criterion, ...mustNotField, verdict: result.verdict, kind: 'output' as const }
    return {
      heading: [headingOf(`${when}, ${what}: ${verdictLine(result)}`, from), ...namesOf(result, from)].join(
        '\n',
      ),
      pieces: () => storedOutput(result.output, from),
      row: text => outDocument<'logPromise'>({ ...about, text }),
    }
  })
}

const mostNamed = 20

/** What fails, by name, above an output in which it has to be searched for. */
function namesOf(result: CriterionResult, { secrets }: From): string[] {
  if (!result.fails) return []
  return [...failureLines(result, mostNamed).map(line => redactText(line, secrets)), '']
}

export function hookLogs({ id, events, paths }: OpenJournal, input: Input): Result<number> {
  const wrong = ['follow', 'raw', 'iteration'].find(flag => input.given(flag))
  if (wrong) return invalid({ kind: 'flag-of-agent-logs', flag: wrong, other: 'hook' })
  const sections = hookSections(events, { root: loopDir(paths, id), secrets: secretsIn(input.env) })
  return sections.length > 0 ? printed(sections, input) : fail('not-allowed', { kind: 'no-hook-run' })
}

function hookSections(events: Recorded[], from: From): Section[] {
  const ends = hooksIn(events)
  return events.flatMap(event => {
    if (event.kind !== 'hook.started') return []
    const { hook, on, command, dir } = event.data
    // Null while it runs.
    const ended = ends.find(one => one.hook === hook) ?? null
    const words = hookWords({ on, command, ...(ended ?? { how: null, why: 'it runs', durationMs: null }) })
    const about = { hook, on, exitCode: ended?.exitCode ?? null, kind: 'output' as const }
    const pieces = () =>
      ended?.output
        ? storedOutput(ended.output, from)
        : textLog(join(from.root, dir, 'out'), from.secrets).end()
    const row = (text: string) => outDocument<'logHook'>({ ...about, text })
    return { heading: headingOf(words, from), pieces, row }
  })
}

function headingOf(words: string, { secrets }: From): string {
  return redactText(safeLine(`--- ${words}`), secrets)
}

/** Until nobody reads any more. */
function printed(sections: Section[], input: Input): Result<number> {
  const isJson = input.given('json')
  sections.every(section => (isJson ? printRows(section) : printText(section)))
  return ok(0)
}

function printText(section: Section): boolean {
  for (const text of textsOf(section)) if (!write(1, text)) return false
  return true
}

/** A heading, the output, and the end of its last line. */
function* textsOf({ heading, pieces }: Section): Generator<string> {
  yield `${heading}\n`
  let ends = '\n'
  for (const text of pieces()) {
    yield text
    ends = text.at(-1) ?? ends
  }
  if (ends !== '\n') yield '\n'
}

function printRows({ pieces, row }: Section): boolean {
  const split = cutter()
  for (const text of pieces()) if (!split.add(text).every(row)) return false
  return split.rest().every(row)
}

/** From the file; if `loop gc` has removed it, the journal still has its end. */
function* storedOutput(output: Artifact, { root, secrets }: From): Generator<string> {
  const file = join(root, output.path)
  if (output.bytes === 0 || sizeOf(file) > 0) {
    for (const text of textLog(file, secrets).end()) if (text !== '') yield text
    return
  }
  yield `… the output is gone (loop gc); its last lines:\n`
  yield redactText(safeText(output.tail), secrets)
}

/**
 * The checks about reports. `report`: written in this step, with these non-empty sections, and entries that name
 * existing places and quote them. `findings`: every file that a finding names has changed code. `verified`: for
 * every finding an entry of the same name points to a test.
 */
import { isTestFile } from '../../core/change.ts'
import {
  entriesIn,
  isThere,
  ownWords,
  placesIn,
  quotesItsPlace,
  type ReportEntry,
  sectionNamed,
  substanceOf,
} from '../../core/check.ts'
import { someOf } from '../../model/units.ts'
import { isCodeChange } from './tests.ts'
import { type CheckRequest, type CheckWork, fails, holds, type Judged, type StepCheck } from './work.ts'

const sectionBytes = 80
const entryBytes = 40

export const soundReport: StepCheck = async ({ work, value, values }) => {
  const file = value('file') ?? 'report.md'
  const text = work.textOf(file)
  if (text === null)
    return fails(`There is no ${file}. Write it, with the sections: ${values('section').join(', ')}.`)
  const earlier = await before(work, file)
  if (earlier.text === text) return fails(`${file} is what it was before this step.`)
  const linesOf = (path: string) => work.textOf(path)?.split('\n') ?? null
  const thin = values('section').flatMap(title => thinSection(text, title))
  const problems = [
    ...thin,
    ...values('keep').flatMap(title =>
      sectionNamed(text, title) === sectionNamed(earlier.text ?? '', title)
        ? []
        : [`The section ${title} was changed. Put it back; this step adds its own.`],
    ),
    ...values('entries').flatMap(wanted => entryProblems(wanted, text, linesOf)),
  ]
  return problems.length > 0 ? fails(...problems.map(one => `${file}: ${one}`)) : holds(`${file} is sound.`)
}

/** The report in a saved tree; without one, the current report. */
async function before(work: CheckWork, file: string, since = work.before): Promise<{ text: string | null }> {
  if (since === null) return { text: work.textOf(file) }
  const changed = await work.changes(since)
  const own = changed.ok ? changed.value.find(({ path }) => path === file) : undefined
  return { text: own ? own.before : work.textOf(file) }
}

function thinSection(text: string, title: string): string[] {
  const body = sectionNamed(text, title)
  if (body === null) return [`there is no section "## ${title}".`]
  const bytes = substanceOf(body)
  return bytes >= sectionBytes
    ? []
    : [`the section ${title} says nearly nothing: ${bytes} of at least ${sectionBytes} characters.`]
}

/** `Findings=1`: at least one entry, and each names an existing place, quotes it and comments on it. */
function entryProblems(wanted: string, text: string, linesOf: (path: string) => string[] | null): string[] {
  const [, title = wanted, least = '1'] = /^(.*)=(\d+)$/.exec(wanted) ?? []
  const entries = entriesIn(sectionNamed(text, title) ?? '')
  const few =
    entries.length < Number(least)
      ? [
          `the section ${title} has ${entries.length} entries; at least ${least} is asked for, each an item "- F1 path/file.js:12 …".`,
        ]
      : []
  return [...few, ...entries.flatMap(entry => entryProblem(entry, linesOf))]
}

function entryProblem({ id, text }: ReportEntry, linesOf: (path: string) => string[] | null): string[] {
  const places = placesIn(text)
  if (places.length === 0) return [`"${id}" names no place. Write one as path/file.js:12.`]
  const missing = places.filter(place => !isThere(place, linesOf))
  if (missing.length > 0)
    return [
      `"${id}" names a place that does not exist: ${missing.map(({ path, line }) => `${path}:${line}`).join(', ')}.`,
    ]
  if (!quotesItsPlace(text, linesOf))
    return [`"${id}" quotes nothing that stands at its place. Put the code into backquotes.`]
  const words = ownWords(text)
  return words >= entryBytes
    ? []
    : [
        `"${id}" says nearly nothing: ${words} of at least ${entryBytes} characters beside its place and quote.`,
      ]
}

export const findings: StepCheck = async request => {
  const found = await findingsOf(request)
  if (!('entries' in found)) return found
  const { work } = request
  if (work.before === null) return fails('Nothing was mended yet.')
  const changed = await work.changes(work.before)
  if (!changed.ok) return changed
  const mended = new Set(changed.value.filter(isCodeChange).map(({ path }) => path))
  const open = found.entries.filter(({ text }) => !placesIn(text).some(({ path }) => mended.has(path)))
  return open.length > 0
    ? fails(`Nothing was changed where these findings are: ${someOf(open.map(({ id }) => id))}.`)
    : holds(`Where the findings are, the code was changed: ${someOf([...mended])}.`)
}

export const verified: StepCheck = async request => {
  const found = await findingsOf(request)
  if (!('entries' in found)) return found
  const { work, value } = request
  const title = value('section') ?? 'Verification'
  const entries = entriesIn(sectionNamed(found.text, title) ?? '')
  const linesOf = (path: string) => work.textOf(path)?.split('\n') ?? null
  const open = found.entries.filter(({ id }) => {
    const own = entries.find(entry => entry.id === id)
    return !own || !placesIn(own.text).some(place => isTestFile(place.path) && isThere(place, linesOf))
  })
  return open.length > 0
    ? fails(
        `The section ${title} has no entry with the place of a test for: ${someOf(open.map(({ id }) => id))}.`,
      )
    : holds('Every finding has its test.')
}

/** The findings to be closed: no step after the audit may change them. */
async function findingsOf({
  work,
  value,
}: CheckRequest): Promise<{ text: string; entries: ReportEntry[] } | Judged> {
  const file = value('file') ?? 'report.md'
  const text = work.textOf(file)
  if (text === null) return fails(`There is no ${file} any more.`)
  const since = work.since(value('since'))
  if (!since.ok) return since
  const body = sectionNamed(text, 'Findings')
  const earlier = await before(work, file, since.value)
  if (sectionNamed(earlier.text ?? '', 'Findings') !== body)
    return fails(`${file}: the findings were changed. Put them back as the audit left them.`)
  const entries = entriesIn(body ?? '')
  return entries.length === 0 ? fails(`${file} has no findings.`) : { text, entries }
}

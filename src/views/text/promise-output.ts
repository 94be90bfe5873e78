/**
 * What a promise printed, in a few lines: what fails, by name, place and error; where no runner names it, the lines
 * that were not there the last time, or the end of the output. Colour is removed, because a cut line would colour the
 * next one; `loop logs --promise` shows everything.
 */
import { clip, oneLine } from '../../core/text/plain-text.ts'
import { failingLine } from '../../core/text/runner.ts'
import type { CriterionResult } from '../../model/loop/event.ts'

const widest = 200

type Printed = Pick<CriterionResult, 'fails' | 'differs' | 'failing' | 'output'>
type Failing = NonNullable<CriterionResult['fails']>[number]

/** At most so many lines: `✗ trims numeric strings  test/trim.js:4  expected 3, got ' 3 '`. */
export function failureLines(result: Printed, most: number): string[] {
  const { fails = [], differs = [], failing, output } = result
  if (fails.length === 0)
    return differs.length > 0
      ? differs.slice(0, most).map(line => clip(oneLine(line), widest))
      : lastLines(output.tail, most)
  const all = Math.max(failing ?? 0, fails.length)
  const shown = all > most ? fails.slice(0, Math.max(1, most - 1)) : fails
  return [
    ...shown.map(one => clip(`✗ ${oneLine(failingLine(one))}`, widest)),
    ...(all > shown.length ? [`and ${all - shown.length} more`] : []),
  ]
}

/** `shipping is free from 50 (cart.test.js:31), empty cart (:40), 5 more`; empty if nothing is named. */
export function failingNames(results: readonly Printed[], most: number): string {
  const named = results.flatMap(({ fails = [] }) => fails)
  const all = Math.max(
    named.length,
    results.reduce((sum, { failing }) => sum + (failing ?? 0), 0),
  )
  const shown = named.slice(0, most)
  if (shown.length === 0) return ''
  const words = shown.map((one, i) => withPlace(one, shown[i - 1]))
  return [...words, ...(all > shown.length ? [`${all - shown.length} more`] : [])].map(oneLine).join(', ')
}

/** The directory is left out, and so is the file where it is that of the one before. */
export function withPlace({ name, file, line }: Failing, before: Failing | undefined): string {
  if (file === null || (line === null && file === before?.file)) return name
  const shown = file === before?.file ? '' : (file.split('/').at(-1) ?? file)
  const place = line === null ? shown : `${shown}:${line}`
  return place === name ? name : `${name} (${place})`
}

/** The last non-empty lines of an output, each made safe. */
export function lastLines(output: string, most: number): string[] {
  const lines = output.split(/\r\n|\r|\n/).map(line => oneLine(line).trimEnd())
  return lines
    .filter(line => line.trim() !== '')
    .slice(-most)
    .map(line => clip(line, widest))
}

/** Lines of an output among others. */
export function quoted(lines: readonly string[]): string[] {
  return lines.map(line => `  │ ${line}`)
}

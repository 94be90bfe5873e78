/**
 * Facts about what a command of the user printed: why it holds no measure, or that the command may never work. They
 * are recorded (`node.ended`, `promise.verified`), so a kind and its data are add-only, like an event.
 */
import type { Clauses, Nothing } from './all.ts'

type MeasureTroubles = {
  'measure-overdue': { ms: number }
  'measure-killed': Nothing
  'measure-unrecognised': { wanted: 'coverage' | 'problems'; exitCode: number }
}

/** `line`: its last line, clipped. */
type MetricTroubles = {
  'metric-killed': Nothing
  'metric-failed': { exitCode: number }
  'metric-silent': Nothing
  'metric-not-finite': { line: string }
  'metric-without-number': { line: string }
  'metric-with-numbers': { line: string; count: number }
  'metric-not-alone': { line: string }
  'metric-too-large': { line: string }
  'metric-repeated': { line: string; count: number }
}

type CommandDoubts = {
  'script-unknown': { program: string; script: string }
  'package-file-missing': Nothing
  'make-rule-missing': { target: string }
  'makefile-missing': Nothing
  'directory-missing': { path: string }
}

/** The facts of one doubt, tagged with its kind. */
export type CommandDoubt = { [K in keyof CommandDoubts]: { kind: K } & CommandDoubts[K] }[keyof CommandDoubts]

export type Readings = MeasureTroubles & MetricTroubles & CommandDoubts

const wantedReports = { coverage: 'coverage report', problems: 'linter or type checker' }

export const readingClauses: Clauses<Readings> = {
  'measure-overdue': ({ ms }) => `not known: its command took longer than ${ms / 60_000}m`,
  'measure-killed': () => 'not known: its command was killed',
  'measure-unrecognised': ({ wanted, exitCode }) =>
    `not known: no ${wantedReports[wanted]} is recognised in what its command left (exit ${exitCode})`,

  'metric-killed': () => 'its command was killed',
  'metric-failed': ({ exitCode }) => `its command failed: exit ${exitCode}`,
  'metric-silent': () => 'its command printed nothing',
  'metric-not-finite': ({ line }) => `its last line is not a finite number: "${line}"`,
  'metric-without-number': ({ line }) => `its last line has no number: "${line}"`,
  'metric-with-numbers': ({ line, count }) => `its last line has ${count} numbers: "${line}". Print one`,
  'metric-not-alone': ({ line }) => `its last line is not a number alone: "${line}". Print it without a unit`,
  'metric-too-large': ({ line }) => `its last line is too large a number: "${line}"`,
  'metric-repeated': ({ line, count }) =>
    `it printed ${count} lines like its last one: "${line}". Any of them can be the number: print one`,

  'script-unknown': ({ program, script }) => `${program} knows no script "${script}"`,
  'package-file-missing': () => 'npm finds no package.json',
  'make-rule-missing': ({ target }) => `make has no rule for "${target}"`,
  'makefile-missing': () => 'there is no makefile',
  'directory-missing': ({ path }) => `there is no directory ${path} to go into`,
}

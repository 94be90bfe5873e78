/** Sentences about what a command of the user printed. That of a measure goes on after its name. */
import type { Readings } from '../../../model/facts/recorded/reading.ts'
import type { Clauses } from './words.ts'

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

  'script-unknown': ({ program, script }) => `${program} knows no script "${script}"`,
  'package-file-missing': () => 'npm finds no package.json',
  'make-rule-missing': ({ target }) => `make has no rule for "${target}"`,
  'makefile-missing': () => 'there is no makefile',
  'directory-missing': ({ path }) => `there is no directory ${path} to go into`,
}

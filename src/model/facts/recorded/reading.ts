/**
 * Facts about what a command of the user printed: why it holds no measure, or that the command may never work. They
 * are recorded (`node.ended`, `promise.verified`), so a kind and its data are add-only, like an event. Their
 * sentences: views/words/recorded/reading.
 */
import type { Nothing } from '../all.ts'

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

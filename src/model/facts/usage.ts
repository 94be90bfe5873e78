/** Facts about failures: mistyped commands, arguments and flags. Their sentences: views/words/failure/usage. */
import type { Nothing } from './all.ts'

export type UsageFailures = {
  'empty-text': Nothing
  'unknown-status': { status: string; known: string[] }
  exclusive: { one: string; other: string }
  'check-outside-promise': Nothing
  'one-argument': { what: string }
  'empty-answer': { form: string }
  'unknown-check': { name: string; near: string | null; known: string[] }
  'one-checkpoint-name': Nothing
  'one-shell': Nothing
  'unknown-action': { command: string; name: string; near: string | null; known: string[] }
  'unknown-demo': { near: string | null }
  'one-range': Nothing
  'after-without-range': Nothing
  'no-arguments': { command: string }
  'archive-with-json': Nothing
  'archive-to-terminal': Nothing
  'no-directory-for-archive': { path: string }
  'archive-there': { path: string }
  'gc-takes-no-names': Nothing
  'bad-retention': { flag: string; text: string }
  'diff-with-after': { iteration: string }
  'run-name-missing': Nothing
  'one-text': Nothing
  'takes-no-names': { command: string }
  'bad-status-flag': { known: string[]; near: string | null; text: string }
  'bad-since': { text: string }
  'bad-limit': { text: string }
  'bad-iteration': { text: string }
  'service-action-missing': Nothing
  'group-and-attempt': Nothing
  'unknown-plugin': Nothing
  'plugin-action-missing': Nothing
  'one-checkpoint': Nothing
  'undo-with-checkpoint': Nothing
  'checkpoint-missing': Nothing
  'after-without-iteration': Nothing
  'text-to-score': Nothing
  'set-without-template': Nothing
  'prompt-in-pieces': { rest: string[] }
  form: { form: string }
  'from-without-create': Nothing
  'one-loop': Nothing
  'flag-twice': { flag: string }
  'unknown-flag': { command: string; flag: string; near: string | null }
  'value-missing': { flag: string; takes: string }
  'value-not-taken': { flag: string; yesNo: boolean }
  'not-yet': { what: string }
  'not-in-tree': { file: string; tree: string }
  'flag-of-agent-logs': { flag: string; other: string }
  'unknown-command': { program: string; name: string; near: string | null }
  'not-a-range': { range: string | null }
  'after-range-without-iteration': Nothing
  'for-people': { what: string; id: string }
  'line-with': { flag: string }
  'bad-line': { text: string }
  'no-such-line': { line: number; lines: number }
  'bad-feed': { form: string; most: number }
  'bad-cursor': Nothing
  'after-of-group': Nothing
  'text-to-recall': Nothing
}

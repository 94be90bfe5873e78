/**
 * Facts about failures: options of a start that are not possible, on the command line, in a file or through the API.
 * Their sentences: views/words/failure/options.
 */
import type { SandboxTrouble } from '../loop/sandbox.ts'
import type { Nothing } from './all.ts'

export type OptionFailures = {
  'bad-metric': { text: string }
  'data-in-tree': { cwd: string; data: string }
  'no-btrfs': { subject: string; cwd: string; why: string }
  'criterion-twice': { name: string }
  'empty-promise': Nothing
  'nul-in-promise': Nothing
  'promise-runs-nothing': { text: string }
  'promise-without-command': { name: string }
  'assumption-with-command': { name: string }
  'empty-confirm': Nothing
  'verification-needs-command': { type: string; name: string }
  'unknown-verification-type': { typed: string; near: string | null; known: string[] }
  'bad-must-not': { typed: string }
  'unreadable-command': { what: string; why: string; command: string }
  'globs-without-checkpoints': { flag: string }
  'empty-glob': { flag: string }
  'glob-outside': { flag: string; glob: string }
  'no-glob': { flag: string; glob: string }
  'no-promise': { confirms: boolean }
  'copies-need-checkpoints': Nothing
  'session-with-copies': Nothing
  'attempts-need-command': Nothing
  'only-with-best-of': { flag: string }
  'best-of-isolated': Nothing
  'bad-best-of': { most: number; asked: string }
  'bad-waves': Nothing
  'agent-flag-of-group': { flag: string }
  'hook-in-session': { flag: string }
  'empty-hook': { flag: string }
  'injected-into-group': Nothing
  'priority-without-background': Nothing
  'tree-closed': { cwd: string; why: string }
  'prompt-from-stdin': Nothing
  'prompt-too-long': Nothing
  'nul-in-prompt': Nothing
  'no-prompt': Nothing
  'text-file-unusable': { file: string; most: number; flag: string }
  'text-file-empty': { file: string; flag: string }
  'empty-cwd': Nothing
  'bad-cwd': { path: string; why: string }
  'no-sandbox': { why: SandboxTrouble; said: string }
  'sandbox-in-session': Nothing
  'sandbox-hides-data': { command: string }
  'network-without-sandbox': Nothing
  'bad-sandbox-write': { path: string; why: string }
  'unfit-value': { subject: string; expected: string; near: string | null; text: string }
}

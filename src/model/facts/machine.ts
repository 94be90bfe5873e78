/** Facts about failures: the system that loop runs on. Their sentences: views/words/failure/machine. */
import type { SandboxTrouble } from '../loop/sandbox.ts'
import type { Nothing } from './all.ts'

export type MachineFailures = {
  'no-such-tool': Nothing
  'tool-broken': { why: string }
  'directory-gone': { path: string }
  'shim-ended': { why: string; said: string }
  'sandbox-gone': { why: SandboxTrouble; said: string }
  'tree-in-hidden': { tree: string; hidden: string }
  'holdout-sealed': { key: string }
  unkillable: { command: string; pids: number[] }
  'tool-missing': { tool: string }
  'no-such-file': { path: string }
  unhealthy: { checks: string[] }
  'changed-while-exported': { what: string }
  'no-opencode-plugin': Nothing
  'link-not-ours': { path: string }
  'link-stays': { path: string }
  'no-directory': Nothing
  'unsupported-system': { system: string }
  'system-refused': { why: string }
  bug: { why: string }
  broken: { why: string }
}

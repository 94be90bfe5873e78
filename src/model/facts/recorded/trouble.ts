/**
 * Facts about work that was not done: a step, a run, a node of a group. A failure of another part is recorded with
 * its own facts. They are recorded (`step.failed`, `rollback.failed`, `run.lost`, `node.ended` and their like), so a
 * kind and its data are add-only, like an event. Their sentences: views/words/recorded/trouble.
 */
import type { Nothing } from '../all.ts'

type StepTroubles = {
  /** An error of the operating system, in its words. */
  'system-said': { said: string }
  'tree-leads-elsewhere': { tree: string; to: string }
  'tree-no-directory': { tree: string }
  'tree-replaced': { tree: string }
  'checkpoint-overdue': { ms: number }
  'runs-no-directory': { path: string }
  'agent-elsewhere': Nothing
  'result-lost': Nothing
  'rollback-given-up': { by: 'user' | 'session' }
}

/** `said`: the last words of the shim; mostly empty. */
type RunTroubles = {
  'run-lost': { how: 'spoilt' | 'restarted' | 'killed'; said: string }
  'hook-lost': { how: 'restarted' | 'killed'; said: string }
}

type NodeTroubles = {
  'copy-names-tree': { reference: string }
  'files-unchanged': { node: string; files: string[] }
  'command-lost': Nothing
  'command-timeout': Nothing
  'outputs-too-large': { mostBytes: number }
  'outputs-unreadable': Nothing
  'outputs-missing': { names: string[] }
  'output-missing': { loop: string; field: string }
  'reference-missing': { of: string }
  'plan-iterations-used-up': Nothing
  'promise-fails-in-tree': Nothing
}

export type Troubles = StepTroubles & RunTroubles & NodeTroubles

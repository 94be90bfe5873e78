/**
 * Facts about work that was not done: a step, a run, a node of a group. A failure of another part is recorded with
 * its own facts. They are recorded (`step.failed`, `rollback.failed`, `run.lost`, `node.ended` and their like), so a
 * kind and its data are add-only, like an event.
 */
import { formatDuration } from '../model/units.ts'
import type { Clauses, Nothing } from './all.ts'

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

const lostRuns = {
  spoilt: 'the files of the run were spoiled',
  restarted: 'the machine was restarted while the agent ran',
  killed: 'the agent and its shim were killed, or its files were spoiled',
}

const lostHooks = {
  restarted: 'the machine was restarted while it ran',
  killed: 'it was killed, and its end is not known',
}

export const troubleClauses: Clauses<Troubles> = {
  'system-said': ({ said }) => said,
  'tree-leads-elsewhere': ({ tree, to }) =>
    `${tree} is not the work tree any more: it leads to ${to}. Put the directory back first`,
  'tree-no-directory': ({ tree }) => `${tree} is not a directory any more. Put the directory back first`,
  'tree-replaced': ({ tree }) =>
    `${tree} is not the directory it was: it was replaced, or deleted and created again. If that is meant, resume the loop`,
  'checkpoint-overdue': ({ ms }) =>
    `not done within ${formatDuration(ms)}; is there a FIFO or a dead mount in the tree?`,
  'runs-no-directory': ({ path }) => `${path} is not a directory any more; remove it`,
  'agent-elsewhere': () => 'it runs in another PID namespace; cancel the loop from where it was started',
  'result-lost': () => 'its result is gone',
  'rollback-given-up': ({ by }) => (by === 'session' ? 'given up inside a session' : 'given up by you'),

  'run-lost': ({ how, said }) => `${lostRuns[how]}${after(said)}`,
  'hook-lost': ({ how, said }) => `${lostHooks[how]}${after(said)}`,

  'copy-names-tree': ({ reference }) =>
    `dependencies in its copy name the work tree by its own path (${reference}), so that its commands would use that; give a command that makes a copy ready (--copy-setup, copy_setup)`,
  'files-unchanged': ({ node, files }) => `${node} has not changed ${files.join(', ')}`,
  'command-lost': () => 'it was killed, or its host ended while it ran',
  'command-timeout': () => 'its time was up',
  'outputs-too-large': ({ mostBytes }) =>
    `what it left in $LOOP_OUTPUT_FILE is larger than ${mostBytes / 1_000} kB`,
  'outputs-unreadable': () => 'what it left in $LOOP_OUTPUT_FILE is no JSON object of texts and numbers',
  'outputs-missing': ({ names }) => `it left no output ${names.join(', ')} in $LOOP_OUTPUT_FILE`,
  'output-missing': ({ loop, field }) => `${loop} left no output ${field}`,
  'reference-missing': ({ of }) => `there is no value for ${of}`,
  'plan-iterations-used-up': () => 'the iterations of the plan are used up',
  'promise-fails-in-tree': () => 'the promise fails in the work tree',
}

function after(said: string): string {
  return said === '' ? '' : `: ${said}`
}

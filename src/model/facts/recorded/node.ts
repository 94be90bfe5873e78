/**
 * Facts about the nodes of a group: why one is skipped, not needed any more, or done again. They are recorded
 * (`node.skipped`, `node.dropped`, `node.reopened`), so a kind and its data are add-only, like an event. Their
 * sentences: views/words/recorded/node.
 */
import type { Nothing } from '../all.ts'

type Skipped = {
  'need-unmet': { node: string }
  'loop-ended': { loop: string; ending: 'completed' | 'failed' | 'skipped' }
  'condition-unmet': Nothing
  'not-confirmed': Nothing
  'out-of-file': Nothing
}

type Dropped = {
  'other-first': { node: string }
  'budget-spent': Nothing
  'suspect-rests': Nothing
  'judge-rests': Nothing
  'stopped-by-user': Nothing
}

/** `others`: what the result was done beside, loops of a workflow or tasks of a plan. */
type Reopened = {
  'group-resumed': Nothing
  'gate-again': Nothing
  'tree-edited': Nothing
  'work-since': Nothing
  'source-again': { node: string }
  'promise-unmet': { reason?: string }
  /** Of an apply with conflict markers: nothing was verified after it. */
  'markers-left': { files: string[] }
  /** Of an apply that kept your version of every file. */
  'nothing-taken': Nothing
  'result-conflicts': { others: 'loops' | 'tasks'; conflicts: string[] }
  'result-fails': { others: 'loops' | 'tasks' }
  'tasks-disputed': { answer: string }
}

export type NodeReasons = Skipped & Dropped & Reopened

/** The facts of one such reason, tagged with its kind. */
export type NodeReason = { [K in keyof NodeReasons]: { kind: K } & NodeReasons[K] }[keyof NodeReasons]

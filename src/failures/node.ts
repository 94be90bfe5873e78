/**
 * Facts about the nodes of a group: why one is skipped, not needed any more, or done again. They are recorded
 * (`node.skipped`, `node.dropped`, `node.reopened`), so a kind and its data are add-only, like an event.
 */
import type { RecordedFacts } from '../model/recorded-facts.ts'
import { type Clauses, type Nothing, recordedWords } from './all.ts'

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

const endings = { completed: 'has completed', failed: 'has failed', skipped: 'was skipped' }

/** What is read by the agent that does the work again is a whole sentence. */
export const nodeClauses: Clauses<NodeReasons> = {
  'need-unmet': ({ node }) => `${node} has not completed`,
  'loop-ended': ({ loop, ending }) => `${loop} ${endings[ending]}`,
  'condition-unmet': () => 'its condition does not hold',
  'not-confirmed': () => 'it was not confirmed',
  'out-of-file': () => 'it is no longer in the file',

  'other-first': ({ node }) => `${node} was first`,
  'budget-spent': () => 'the budget of the group is spent',
  'suspect-rests': () => 'it may pass by changes to what judges the work',
  'judge-rests': () => 'the judge cannot be asked',
  'stopped-by-user': () => 'it was stopped by you',

  'gate-again': () => 'the gate was run again',
  'tree-edited': () => 'the tree is not the one in which it passed',
  'work-since': () => 'more work was done since',
  'group-resumed': () => 'the group goes on',
  'source-again': ({ node }) => `${node} is done again`,
  'promise-unmet': ({ reason }) => `An earlier try ended without the promise${reason ? `: ${reason}` : ''}.`,
  'markers-left': ({ files }) => `conflict markers are in ${files.join(', ')}, and the promise was not run`,
  'nothing-taken': () =>
    'your version of every file was kept, so nothing of the result was applied; the promise holds in the work tree',
  'result-conflicts': ({ others, conflicts }) =>
    `Your earlier result changed the same places as ${others === 'tasks' ? 'other tasks' : 'others'} did meanwhile: ${conflicts.join(', ')}. Their changes are in the tree now.`,
  'result-fails': ({ others }) =>
    others === 'tasks'
      ? 'With what other tasks changed meanwhile, a check failed after your earlier result came into the tree. Their changes are in the tree now.'
      : 'With what others changed meanwhile, the promise failed after your earlier result came into the tree. Their changes are in the tree now.',
  'tasks-disputed': ({ answer }) => `A person has looked at the tasks and says: ${answer}`,
}

/** The reason as the journal has it; empty without one. */
export function nodeReasonWords(recorded: RecordedFacts | null): string {
  return recorded ? recordedWords(nodeClauses, recorded) : ''
}

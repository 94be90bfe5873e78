/**
 * The events of a group: a closed union, past tense, add-only, like the events of a loop. The events of its
 * members are in their own journals; this journal has what was begun, the outcome of each node, and the changes
 * to the tree.
 */

import * as z from 'zod'
import type { Envelope } from '../envelope.ts'
import { changes, criterionResult, kind } from '../loop/event.ts'
import { mount, priorities } from '../loop/spec.ts'
import { recordedFacts } from '../recorded-facts.ts'
import { memberLimits } from './command.ts'
import { node, nodeId } from './node.ts'
import { groupSpec } from './spec.ts'
import { conflictWays, resolutions } from './words.ts'
import { workflowSpec } from './workflow.ts'

const attempt = z.int().positive().describe('how often the node has been begun')
const of = { node: nodeId, attempt }

/** One result in the ranking: its place, and the values that gave it this place. */
const ranked = z.strictObject({
  node: nodeId,
  passed: z.boolean(),
  values: z.record(z.string(), z.number().nullable()).describe('every value that was looked at'),
})

const choice = z.strictObject({
  winner: nodeId.nullable(),
  by: z
    .string()
    .nullable()
    .describe('the value that decided against the next result; null if there was none'),
  order: z.array(ranked),
})

/** The outcome of a node; which fields are present depends on the kind of node. */
const came = {
  how: z.enum(['completed', 'failed', 'cancelled', 'crashed', 'conflict', 'lost']),
  reason: z.string().optional().describe('of a loop: why it ended so'),
  ...recordedFacts,
  tree: z
    .string()
    .optional()
    .describe('its copy at the end, as a saved tree; of a command that judges the tree: what it left there'),
  changes: changes.optional().describe('of its copy against what it was made from'),
  size: z.int().nonnegative().optional().describe('lines changed, generated files not counted'),
  paths: z.array(z.string()).optional().describe('some of the files it changed'),
  tests: z.array(z.string()).optional().describe('the new tests among them'),
  doubts: z.int().nonnegative().optional(),
  steered: z
    .array(z.string())
    .optional()
    .describe('files it changed that steer its promise, at which nobody has looked again'),
  looked: z
    .strictObject({
      is: z.enum([
        'sound',
        'mixed',
        'not-checkable',
        'unsteady',
        'unchanged',
        'only-here',
        'self-made',
        'named',
        'silenced',
        'piped',
        'suspect',
      ]),
      files: z.array(z.string()),
    })
    .optional()
    .describe('of a look: how the promise of that result came to pass'),
  iterations: z.int().nonnegative().optional(),
  durationMs: z.number().nonnegative().optional(),
  costUsd: z.number().nonnegative().nullable().optional(),
  said: z.string().optional().describe('the last words of its agent'),
  exitCode: z.int().nullable().optional(),
  value: z.number().nullable().optional().describe('of a measure; null: it printed none'),
  output: z.string().optional().describe('where what a command printed is, below the directory of the group'),
  answer: z.string().optional(),
  by: z.string().optional(),
  choice: choice.optional(),
  conflicts: z.array(z.string()).optional(),
  outputs: z.record(z.string(), z.string()).optional().describe('the outputs of a loop for other loops'),
}

export const groupEvent = z.discriminatedUnion('kind', [
  kind('group.created', 'A group was asked for, with every option resolved.', { spec: groupSpec }),
  kind('group.queued', 'The group is one of the background: it waits until loopd takes it up.', {
    priority: z.enum(priorities),
  }),
  kind('group.dequeued', 'Its turn has come: loopd hosts it from here on.', {}),
  kind('nodes.planned', 'The graph has grown by these nodes.', { nodes: z.array(node).min(1).max(64) }),
  kind('node.started', 'The node begins; a member has its id before anything else of it exists.', {
    ...of,
    member: z.string().nullable(),
  }),
  kind('copy.made', 'The working copy of the node is there.', {
    ...of,
    path: z.string(),
    base: z.string().describe('the saved tree it was made from'),
    how: z.string(),
    durationMs: z.number().nonnegative(),
    mounts: z.array(mount).nullable(),
    skipped: z.array(z.string()).optional().describe('what is missing in it'),
    references: z
      .array(z.string())
      .optional()
      .describe('files in it that name the tree by its own path, so that a command there would use the tree'),
  }),
  kind('copy.freed', 'The working copy of the node is gone; what was in it is saved.', { node: nodeId }),
  kind('node.ended', 'The node has ended.', { ...of, ...came }),
  kind('node.skipped', 'The node was skipped.', { node: nodeId, ...recordedFacts }),
  kind('node.dropped', 'The node is not needed any more, and is ended.', { node: nodeId, ...recordedFacts }),
  kind('node.reopened', 'The node has to be done again.', {
    node: nodeId,
    facts: recordedFacts.facts,
    because: recordedFacts.why,
  }),
  kind('node.called', 'The member of the node is to go on: somebody asked the group to.', { node: nodeId }),
  kind('node.rested', 'The member rests, and does not go on by itself.', {
    ...of,
    status: z.string(),
    reason: z.string().nullable(),
  }),
  kind('node.continued', 'The member goes on.', { ...of }),
  kind('node.advised', 'The member that wanted advice has got it, and is to go on.', {
    ...of,
    by: nodeId.describe('the question to the panel'),
  }),
  kind('finding.resolved', 'A person has decided about a finding of a review.', {
    finding: z.string().min(1),
    how: z.enum(resolutions),
    by: z.string(),
    text: z.string().describe('a comment; may be empty'),
  }),
  kind('notes.kept', 'Notes of a plan outside of its journal were written.', {
    what: z
      .enum(['showings', 'lessons'])
      .describe(
        'showings: which learnings were shown, and the reactions; lessons: what the plan itself has learnt',
      ),
  }),
  kind('tree.saved', 'The exact state of the tree was saved, durably.', {
    name: z.string(),
    tree: z.string(),
    node: nodeId.nullable().describe('the apply that it is saved for'),
  }),
  kind('tree.merged', 'The changes of a copy were merged with the changes of the tree since then.', {
    node: nodeId,
    tree: z.string().nullable().describe('null where both changed the same place'),
    conflicts: z.array(z.string()).describe('with a tree: these files have conflict markers in it'),
  }),
  kind('tree.applied', 'The merged state was written to the tree.', {
    node: nodeId,
    written: z.int().nonnegative(),
    deleted: z.int().nonnegative(),
    left: z.array(z.string()).optional(),
  }),
  kind('tree.checked', 'The promise was run in the tree.', {
    node: nodeId,
    results: z.array(criterionResult),
    tree: z.string().optional().describe('the tree that it left, as a saved tree, where it holds'),
  }),
  kind('tree.compared', 'The tree was compared with the one that the newest verdict is about.', {
    changes: changes.nullable().describe('since then; null where they could not be compared'),
    paths: z.array(z.string()).optional().describe('some of the files that have changed since then'),
  }),
  kind('tree.unapplied', 'The promise fails there: the tree is what it was before.', { node: nodeId }),
  kind('pick.asked', 'A person wants the result of this node in the tree.', {
    node: nodeId,
    files: z.array(z.string()).optional(),
    resolve: z.enum(conflictWays).optional(),
  }),
  kind('rollback.requested', 'A person asked for the work tree as it was at a checkpoint.', {
    to: z.string(),
    tree: z.string(),
    keepAs: z.string(),
  }),
  kind('tree.restored', 'The work tree is what it was at the checkpoint; what was there before is saved.', {
    to: z.string(),
    written: z.int().nonnegative(),
    deleted: z.int().nonnegative(),
  }),
  kind('rollback.failed', 'The work tree could not be restored.', { to: z.string(), ...recordedFacts }),
  kind('step.failed', 'A step could not be done (disk full, git missing); it does not count as done.', {
    step: z.string(),
    facts: recordedFacts.facts,
    why: z.string(),
    node: nodeId
      .optional()
      .describe('the node it was for: nothing more is done for it until the group goes on'),
  }),
  kind('group.held', 'The group is to rest: its members come to rest first.', {
    reason: z.enum([
      'paused-by-user',
      'step-failed',
      'members-rest',
      'unanswered',
      'budget-reached',
      'no-answer',
    ]),
  }),
  kind('group.resumed', 'A person asked the group to go on.', {
    budgetUsd: z.number().positive().nullable().optional(),
    attended: z.boolean().optional(),
    limits: memberLimits.optional().describe('new limits for each of its members'),
    workflow: workflowSpec.optional().describe('its file has changed, and is accepted as it is now'),
  }),
  kind('nodes.changed', 'Nodes that are not done yet were replaced.', {
    nodes: z.array(node).min(1),
  }),
  kind('cancel.requested', 'The group was asked to stop now.', {}),
  kind('command.refused', 'A command was read by the host and cannot be carried out.', {
    command: z.string(),
    ...recordedFacts,
  }),
  kind('group.completed', 'The work of the group is done, and the promise holds in the tree.', {}),
  kind('group.failed', 'The group has ended, and the tree does not have what was asked for.', {
    reason: z.enum([
      'nobody-passed',
      'node-failed',
      'apply-conflict',
      'apply-failed',
      'rejected',
      'review-failed',
      'gate-failed',
      'holdout-failed',
    ]),
    why: z.string(),
  }),
  kind('group.cancelled', 'The group was cancelled: none of its members runs, and no copy is left.', {}),
])

export type GroupEvent = z.infer<typeof groupEvent>
export type GroupEventOf<K extends GroupEvent['kind']> = Extract<GroupEvent, { kind: K }>
export type GroupRecorded = GroupEvent & Envelope
export type NodeEnd = GroupEventOf<'node.ended'>['data']
export type Chosen = z.infer<typeof choice>
export type Ranked = z.infer<typeof ranked>

/**
 * A node of a group: one thing it does, and the nodes that must have ended before. A graph only grows: a node that is
 * planned is never taken back, it ends or is skipped. What the nodes of a group are is decided by its program
 * (core/programs); what each kind of node does is engine/perform/group.
 */
import * as z from 'zod'
import { spec as loopSpec } from '../loop/spec.ts'
import { referenceText, shellCommand, variables } from './workflow.ts'

/** A name that people read and type: `1-direct`, `build/apply`. */
export const nodeId = z.string().regex(/^[a-z0-9][\w./-]{0,79}$/i)

const common = { id: nodeId, needs: z.array(nodeId) }

export const nodeMeasure = z.strictObject({
  name: z.enum(['metric', 'lint', 'types', 'coverage', 'votes']),
  better: z.enum(['less', 'more']),
  reports: z.array(z.string()).optional().describe('files that it writes, which say more than its output'),
})

const loopNode = z.strictObject({
  ...common,
  kind: z.literal('loop'),
  spec: loopSpec.describe('as if it ran in the tree of the group by itself'),
  place: z.enum(['tree', 'copy']).describe('copy: in a working copy that shares nothing with the tree'),
  base: z
    .enum(['initial', 'now'])
    .optional()
    .describe('what the copy is made from: the tree as the group found it, or as it is then'),
  approach: z.string().optional(),
  /** Of a loop of a workflow: what is known only when it begins. */
  of: z.string().optional().describe('the loop of the workflow'),
  prompt: referenceText.optional().describe('in place of the one of the spec, with what others have left'),
  variables: variables.optional(),
  outputs: z.array(z.string()).optional().describe('what it leaves for others'),
  injected: z.array(z.string()).optional().describe('what its agent is told besides, once'),
  copySetup: shellCommand.nullable().optional().describe('makes its new copy ready'),
})

const commandNode = z.strictObject({
  ...common,
  kind: z.literal('command'),
  command: z.string().min(1).describe('run by /bin/sh -c'),
  purpose: z
    .enum(['measure', 'hook'])
    .describe('a measure that was lost is run again, a hook runs at most once'),
  of: nodeId.nullable().describe('runs in the copy of this node; null: in the tree of the group'),
  with: nodeId.optional().describe('the new tests of this node are put into the copy before'),
  env: z.record(z.string(), z.string()).optional(),
  variables: variables.optional().describe('of its environment, known only when it begins'),
  timeoutMs: z.int().positive(),
  measure: nodeMeasure.optional(),
})

const gateNode = z.strictObject({
  ...common,
  kind: z.literal('gate'),
  question: z.string().min(1),
  text: referenceText.optional().describe('in place of the question, with what others have left'),
  choices: z.array(z.string()).describe('empty: yes or no'),
})

const chooseNode = z.strictObject({
  ...common,
  kind: z.literal('choose'),
  among: z.array(nodeId).min(1),
  by: z.string().nullable().describe('the gate whose answer is the choice; null: by what was recorded'),
})

const applyNode = z.strictObject({
  ...common,
  kind: z.literal('apply'),
  from: nodeId.describe('the node whose copy is brought into the tree, or the choice among several'),
  files: z.array(z.string()).optional().describe('only these files, without a promise afterwards'),
})

export const node = z.discriminatedUnion('kind', [loopNode, commandNode, gateNode, chooseNode, applyNode])

export type GroupNode = z.infer<typeof node>
export type NodeOf<K extends GroupNode['kind']> = Extract<GroupNode, { kind: K }>

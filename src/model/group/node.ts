/**
 * A node of a group: one unit of its work, and the nodes that must have ended before it. The graph only grows:
 * a planned node is never removed, it ends or is skipped. The program of the group decides which nodes there
 * are (core/programs); engine/perform/group does their work.
 */
import * as z from 'zod'
import { spec as loopSpec } from '../loop/spec.ts'
import { conflictWays } from './words.ts'
import { referenceText, shellCommand, variables } from './workflow.ts'

/** A node id is a name that people read and type: `1-direct`, `build/apply`. */
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
  spec: loopSpec.describe('the spec of the loop as if it ran in the tree of the group'),
  place: z.enum(['tree', 'copy']).describe('copy: in a working copy that shares nothing with the tree'),
  base: z
    .enum(['initial', 'now'])
    .optional()
    .describe('what the copy is made from: the tree as the group found it, or as it is then'),
  reads: z
    .literal(true)
    .optional()
    .describe(
      'a question: its copy has sources only, is thrown away at its end, and nothing of it is applied',
    ),
  context: z
    .strictObject({
      changesSince: z
        .string()
        .min(1)
        .optional()
        .describe('what has changed in the tree since this checkpoint'),
      failureOf: nodeId.optional().describe('why this node has failed its verification, and its copy'),
      results: z
        .tuple([nodeId, nodeId])
        .optional()
        .describe('what these two nodes have changed, called A and B, without their names'),
    })
    .optional()
    .describe('text that is appended to its prompt when it begins'),
  approach: z.string().optional(),
  /** For a loop of a workflow: the parts of its spec that are resolved when it begins. */
  of: z.string().optional().describe('the loop of the workflow'),
  prompt: referenceText
    .optional()
    .describe('replaces the prompt of the spec; outputs of other loops are filled in'),
  variables: variables.optional(),
  outputs: z.array(z.string()).optional().describe('its outputs for other loops'),
  injected: z.array(z.string()).optional().describe('an additional text for its agent, once'),
  copySetup: shellCommand.nullable().optional().describe('the command that prepares its new copy'),
})

const commandNode = z.strictObject({
  ...common,
  kind: z.literal('command'),
  command: z.string().min(1).describe('run by /bin/sh -c'),
  purpose: z
    .enum(['measure', 'hook', 'look'])
    .describe(
      'a measure that was lost is run again, a hook runs at most once; look: the promise in clean copies, to see whether the work made it pass',
    ),
  of: nodeId.nullable().describe('runs in the copy of this node; null: in the tree of the group'),
  with: nodeId.optional().describe('the new tests of this node are put into the copy before'),
  env: z.record(z.string(), z.string()).optional(),
  variables: variables.optional().describe('of its environment, known only when it begins'),
  timeoutMs: z.int().positive(),
  measure: nodeMeasure.optional(),
  judges: z
    .strictObject({ name: z.string().min(1), forbidden: z.boolean() })
    .optional()
    .describe('of the gate of a plan: the criterion, or the forbidden thing, that it looks for'),
})

const gateNode = z.strictObject({
  ...common,
  kind: z.literal('gate'),
  question: z.string().min(1),
  text: referenceText.optional().describe('replaces the question; outputs of other loops are filled in'),
  choices: z.array(z.string()).describe('empty: yes or no'),
  asks: z
    .enum(['gate', 'recall', 'intent', 'type-1', 'confirm', 'finding', 'learn'])
    .optional()
    .describe('of a plan: the kind of question; --yes answers only a gate'),
  options: z
    .array(z.string().min(1))
    .max(26)
    .optional()
    .describe('lettered a, b, c …: a letter or any text is an answer'),
  free: z.literal(true).optional().describe('any text is an answer'),
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
  resolve: z
    .enum(conflictWays)
    .optional()
    .describe('what becomes of files that both have changed; without it nothing is applied'),
  checks: z
    .array(z.strictObject({ name: z.string().min(1), command: z.string().min(1) }))
    .optional()
    .describe('what has to hold in the tree besides the promise of the loop'),
})

export const node = z.discriminatedUnion('kind', [loopNode, commandNode, gateNode, chooseNode, applyNode])

export type GroupNode = z.infer<typeof node>
export type NodeOf<K extends GroupNode['kind']> = Extract<GroupNode, { kind: K }>

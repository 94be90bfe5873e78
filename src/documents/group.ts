/** Several loops together, for programs: attempts side by side, every node and what became of it, reviews of a plan. */
import * as z from 'zod'
import { comparison } from '../core/group/comparison.ts'
import { type GroupState, isKind, type NodeState } from '../core/group/state.ts'
import { nodeReasonWords } from '../failures/node.ts'
import { node as groupNode } from '../model/group/node.ts'
import { resolutions, severities } from '../model/group/words.ts'
import { finding } from '../model/plan.ts'
import { roundsOf } from '../views/plan/review.ts'
import { whyChosen } from '../views/text/compare.ts'
import {
  changesSchema,
  type DocumentOf,
  fieldsOrNull,
  int,
  someFields,
  string,
  stringOrNull,
  strings,
} from './fields.ts'
import { historySchema } from './loop.ts'

const stageSchema = () => z.enum(['planned', 'started', 'rested', 'called', 'ended', 'skipped'])
const howSchema = () => z.enum(['completed', 'failed', 'cancelled', 'crashed', 'conflict', 'lost'])
const inTreeSchema = () => stringOrNull('the node whose result is in the work tree')

function attemptSchema() {
  const measured = z.strictObject({
    value: z.number().nullable().describe('null: it printed no number'),
    command: stringOrNull('what measured it'),
  })
  return z.strictObject({
    node: string('its name'),
    member: stringOrNull('its loop; null until it has begun'),
    stage: stageSchema(),
    copy: stringOrNull('where it works, or has worked'),
    approach: stringOrNull('what it was told to do differently; null: nothing'),
    attempt: int('how often it was begun').optional(),
    how: howSchema().optional().describe('how it ended; absent until then, as all of these'),
    reason: string('why it ended so').optional(),
    why: string('the same in words').optional(),
    tree: string('its copy at the end, as a saved tree').optional(),
    changes: changesSchema().optional().describe('against what its copy was made from'),
    size: int('lines changed, generated files not counted').optional(),
    paths: strings('some of the files it changed').optional(),
    tests: strings('the new tests among them').optional(),
    doubts: int('how often what it did was suspect').optional(),
    iterations: z.int().optional(),
    durationMs: z.number().optional(),
    costUsd: z.number().nullable().optional(),
    said: string('the last words of its agent').optional(),
    exitCode: z.int().nullable().optional(),
    outputs: z.record(z.string(), z.string()).optional().describe('what it has left for others'),
    values: z.record(z.string(), measured).describe('every measure, by name'),
  })
}

/** `loop compare --json` */
export function compareSchema() {
  const pair = z.strictObject({
    a: z.string(),
    b: z.string(),
    answer: z.looseObject({ better: z.string() }).nullable().describe('better is A, B or tie'),
  })
  return z.strictObject({
    id: string('of the group'),
    winner: stringOrNull('the attempt that was chosen'),
    by: stringOrNull('the measure that told it from the next'),
    why: stringOrNull('the same in words; null before anything was chosen'),
    inTree: inTreeSchema(),
    attempts: z.array(attemptSchema()),
    judged: z.array(pair).optional().describe('what the judge of equals said, of each pair in both orders'),
  })
}

export function compareJson(state: GroupState): DocumentOf<typeof compareSchema> {
  const { chosen, judged, ...found } = comparison(state)
  const nobody = 'No attempt was chosen: none passed.'
  const why = chosen && (chosen.winner === null ? nobody : whyChosen(chosen.by, chosen.order.length))
  return { ...found, why, ...(judged.length > 0 && { judged }) }
}

function nodeSchema() {
  return z.strictObject({
    id: string('its name'),
    kind: z.enum(groupNode.options.map(({ shape }) => shape.kind.value)),
    loop: stringOrNull('the id of its loop'),
    stage: stageSchema(),
    attempt: int('how often it was begun'),
    how: howSchema().nullable().describe('how it ended; null until then'),
    reason: stringOrNull('why it ended so, or rests'),
    why: stringOrNull('the same in words, or why it was skipped'),
    iterations: z.int().nullable(),
    durationMs: z.int().nullable(),
    added: z.int().nullable(),
    removed: z.int().nullable(),
    files: z.int().nullable(),
    costUsd: z.number().nullable(),
    exitCode: z.int().nullable().describe('of a command'),
    value: z.number().nullable().describe('of a measure'),
    answer: stringOrNull('of a gate, or of a question to an agent'),
    winner: stringOrNull('of a choice'),
    conflicts: strings('files that could not be merged'),
  })
}

function nodeJson(one: NodeState): DocumentOf<typeof nodeSchema> {
  const { node, member, end, rested } = one
  const reason = one.skipped ?? one.dropped
  return {
    id: node.id,
    kind: node.kind,
    loop: member,
    ...someFields(one, 'stage', 'attempt'),
    how: end?.how ?? null,
    reason: rested?.reason ?? end?.reason ?? null,
    why: end?.why ?? (reason ? nodeReasonWords(reason) : null),
    iterations: end?.iterations ?? null,
    durationMs: end?.durationMs === undefined ? null : Math.round(end.durationMs),
    ...fieldsOrNull(end?.changes, 'added', 'removed', 'files'),
    ...fieldsOrNull(end, 'costUsd', 'exitCode', 'value', 'answer'),
    winner: end?.choice?.winner ?? null,
    conflicts: end?.conflicts ?? [],
  }
}

function groupHistorySchema() {
  const history = historySchema()
  return z.strictObject({
    id: string('of the group'),
    kind: z.literal('group'),
    program: string('best-of, workflow or plan'),
    nodes: z.array(nodeSchema()).describe('in the order of the plan'),
    checkpoints: strings('the saved states of the work tree'),
    inTree: inTreeSchema(),
    loops: z.array(history).describe('the history of each loop, as of `loop history <id>`'),
    iterations: history.shape.iterations.optional().describe('where it has one loop: those of that'),
  })
}

type GroupHistory = DocumentOf<typeof groupHistorySchema>

/** `only`: the id of its loop, where it has one. */
export function groupHistoryJson(
  { id, spec, nodes, checkpoints, inTree }: GroupState,
  loops: GroupHistory['loops'],
  only: string | null,
): GroupHistory {
  const one = loops.find(loop => loop.id === only)
  return {
    id,
    kind: 'group',
    program: spec.program,
    nodes: nodes.map(nodeJson),
    checkpoints: checkpoints.map(({ name }) => name),
    inTree,
    loops,
    ...(one && { iterations: one.iterations }),
  }
}

/** What a group does, node by node, and what each waits for; of loopd alone. */
export function groupGraphSchema() {
  const node = nodeSchema().extend({
    member: stringOrNull('the same as loop'),
    needs: z.array(z.string()),
    question: stringOrNull('of a gate'),
    choices: z.array(z.string()),
    command: stringOrNull('of a command'),
    from: stringOrNull('of an apply: the node whose result it brings in'),
  })
  return z.strictObject({ id: z.string(), program: z.string(), nodes: z.array(node) })
}

export function groupGraphJson({ id, spec, nodes }: GroupState): DocumentOf<typeof groupGraphSchema> {
  const drawn = nodes.map(one => ({
    ...nodeJson(one),
    member: one.member,
    needs: one.node.needs,
    question: isKind(one, 'gate') ? one.node.question : null,
    choices: isKind(one, 'gate') ? one.node.choices : [],
    command: isKind(one, 'command') ? one.node.command : null,
    from: isKind(one, 'apply') ? one.node.from : null,
  }))
  return { id, program: spec.program, nodes: drawn }
}

/** `loop review --json` */
export function reviewSchema() {
  const found = finding.extend({
    id: string('the same in every round'),
    severity: z.enum(severities).describe('what it counts as'),
    claimed: z.enum(severities).describe('what its reviewers say that it is'),
    makers: strings('who made the models that found it'),
    grounds: z
      .array(z.enum(['verified', 'two makers', 'failed command']))
      .describe('why it stands; empty: only its reviewer says so'),
    resolved: z.enum(resolutions).nullable().describe('what a person made of it'),
  })
  const round = z.strictObject({ round: z.int(), findings: z.array(found) })
  return z.strictObject({ id: string('of the plan'), rounds: z.array(round) })
}

export function reviewJson(state: GroupState): DocumentOf<typeof reviewSchema> {
  return { id: state.id, rounds: roundsOf(state) }
}

export function groupDocuments() {
  return {
    groupHistory: groupHistorySchema(),
    compare: compareSchema(),
    review: reviewSchema(),
    resolved: z.strictObject({
      id: string('of the plan'),
      finding: z.string(),
      how: z.enum(resolutions),
    }),
  }
}

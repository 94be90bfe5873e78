/** Several loops together: attempts side by side, the graph of a group, workflow files and templates. */
import * as z from 'zod'
import { changes } from '../../../model/loop/event.ts'
import { finding } from '../../../model/plan/finding.ts'
import { severities } from '../../../model/plan/severity.ts'
import { planOptions, workflowOptions } from '../../../options/request.ts'
import { type Flag, keyOf } from '../../../options/table/flag.ts'
import { always, id, ofLoop, type Route } from './route.ts'

const directory = z.string().regex(/^\//).max(4_096)
const set = z
  .record(z.string().regex(/^[\w-]{1,80}$/), z.string().max(100_000))
  .optional()
  .describe('values of its variables, by their names')
const trust = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .optional()
  .describe('the hash of the file, which a person has read and trusts from now on')

/** By their keys; what each may be, the command says. */
function options(flags: readonly Flag[]) {
  return z
    .partialRecord(
      z.enum(flags.map(keyOf) as [string, ...string[]]),
      z.union([z.string().max(10_000), z.number(), z.boolean(), z.array(z.string().max(10_000)).max(100)]),
    )
    .optional()
    .describe('options that hold for all its loops, by their keys')
}

const mistake = z.strictObject({
  file: z.string(),
  line: z.int(),
  column: z.int(),
  endLine: z.int(),
  endColumn: z.int(),
  message: z.string(),
  hint: z.string().nullable(),
  source: z.string(),
})

const started = z.strictObject({ id, notices: z.array(z.string()), environment: z.string() })

const worstCase = z.strictObject({
  loops: z.int(),
  starts: z.int().describe('of all loops, with attempts and retries'),
  iterations: z.int().nullable().describe('null: a loop has no limit'),
  costUsd: z.number().nullable().describe('null: no limit'),
})

const drawnLoop = z.looseObject({ id: z.string(), name: z.string(), needs: z.array(z.string()) })

const foundOnce = finding.extend({
  id: z.string().describe('the same across rounds: of its rule, its file and the quoted line'),
  claimed: z
    .enum(severities)
    .describe('the severity that its reviewers claimed; `severity` is the decided one'),
  makers: z.array(z.string()),
  grounds: z.array(z.enum(['verified', 'two makers', 'failed command'])).describe('why it is believed'),
  resolved: z.string().nullable().describe('what a person made of it'),
})

const templateVariable = z.looseObject({
  name: z.string(),
  description: z.string().nullable(),
  default: z.string().nullable(),
  required: z.boolean(),
})

const templateRow = z.looseObject({
  name: z.string(),
  place: z.string().describe('built in, yours, $LOOP_TEMPLATES_DIR, project'),
  path: z.string(),
})

export const groupRoutes = {
  compare: {
    method: 'get',
    path: '/v1/loops/{id}/compare',
    summary: 'the attempts of a group side by side, every value that was looked at, and why one was chosen',
    params: ofLoop,
    answer: z.strictObject({
      id,
      winner: z.string().nullable(),
      by: z.string().nullable().describe('the value by which the winner won'),
      why: z.string().nullable().describe('the same in words; null before anything was chosen'),
      inTree: z.string().nullable(),
      attempts: z.array(
        z.looseObject({
          node: z.string(),
          member: z.string().nullable(),
          stage: z.string(),
          how: z.string().optional(),
          why: z.string().optional(),
          iterations: z.int().optional(),
          durationMs: z.number().optional(),
          costUsd: z.number().nullable().optional(),
          changes: changes.nullable().optional(),
          approach: z.string().nullable(),
          values: z.record(
            z.string(),
            z.strictObject({ value: z.number().nullable(), command: z.string().nullable() }),
          ),
        }),
      ),
    }),
  },
  graph: {
    method: 'get',
    path: '/v1/loops/{id}/graph',
    summary: 'what a group does, node by node, what each waits for, and how far it is',
    params: ofLoop,
    answer: z.strictObject({
      id,
      program: z.string(),
      nodes: z.array(
        z.strictObject({
          id: z.string(),
          kind: z.enum(['loop', 'command', 'gate', 'choose', 'apply']),
          needs: z.array(z.string()),
          stage: z.enum(['planned', 'started', 'rested', 'called', 'ended', 'skipped']),
          attempt: z.int(),
          how: z.string().nullable(),
          why: z.string().nullable(),
          member: z.string().nullable(),
          question: z.string().nullable().describe('of a gate'),
          choices: z.array(z.string()),
          command: z.string().nullable().describe('of a command'),
          value: z.number().nullable().describe('of a measure'),
          answer: z.string().nullable().describe('of a gate that was answered'),
          from: z.string().nullable().describe('of an apply: the node whose result it brings in'),
          conflicts: z.array(z.string()),
        }),
      ),
    }),
  },
  validate: {
    method: 'post',
    path: '/v1/workflows/validate',
    summary:
      'what is wrong with a workflow file, all at once; its text and hash, to be read before it is trusted',
    body: z.strictObject({ cwd: directory, file: directory.describe('an absolute path'), set }),
    answer: z.strictObject({
      file: z.string(),
      valid: z.boolean(),
      problems: z.array(mistake),
      name: z.string().nullable(),
      loops: z.array(z.string()),
      unset: z.array(z.string()).describe('variables that need a value before it can run'),
      worstCase: worstCase.nullable().describe('loops, iterations and money at most'),
      graph: z.strictObject({ name: z.string(), loops: z.array(drawnLoop) }).nullable(),
      text: z.string(),
      hash: z.string(),
      isTrusted: z.boolean().describe('it may run as it is: a person has trusted these very bytes'),
    }),
  },
  runWorkflow: {
    method: 'post',
    path: '/v1/workflows',
    summary: 'queue the group of a workflow file, as loop workflow run -b would',
    body: z.strictObject({ cwd: directory, file: directory, set, trust, options: options(workflowOptions) }),
    answer: started,
    forPeople: always,
  },
  findings: {
    method: 'get',
    path: '/v1/loops/{id}/findings',
    summary: 'of a plan: its reviews, their findings and what became of each',
    params: ofLoop,
    answer: z.strictObject({
      id,
      rounds: z.array(z.strictObject({ round: z.int(), findings: z.array(foundOnce) })),
    }),
  },
  runPlan: {
    method: 'post',
    path: '/v1/plans',
    summary: 'queue a plan of a text, as loop plan -b would',
    body: z.strictObject({
      cwd: directory,
      text: z.string().min(1).max(100_000),
      force: z
        .boolean()
        .optional()
        .describe('ask nothing about a text that says too little; else the plan waits for the answers'),
      yes: z.boolean().optional().describe('every gate that --yes may answer is answered with yes'),
      options: options(planOptions),
    }),
    answer: started,
    forPeople: always,
  },
  templates: {
    method: 'get',
    path: '/v1/templates',
    summary: "the templates of a work tree: built in, the user's, the project's",
    query: z.strictObject({ cwd: directory }),
    answer: z.array(templateRow.extend({ description: z.string().nullable() })),
  },
  template: {
    method: 'get',
    path: '/v1/templates/{template}',
    summary: 'one template: its variables, its commands in this project, its loops; its text and hash',
    params: z.strictObject({ template: z.string().regex(/^[\w][\w.-]{0,80}$/) }),
    query: z.strictObject({ cwd: directory }),
    answer: templateRow.extend({
      vars: z.array(templateVariable).optional(),
      commands: z
        .array(z.looseObject({ name: z.string(), command: z.string(), because: z.string().nullable() }))
        .optional()
        .describe('what was found in the project for its variables'),
      workflow: z
        .looseObject({
          description: z.string().nullable(),
          loops: z.array(z.looseObject({ id: z.string() })),
        })
        .optional(),
      unset: z.array(z.string()).optional(),
      problems: z.array(mistake).optional(),
      text: z.string(),
      hash: z.string(),
      isTrusted: z.boolean().describe('it may run as it is: it came with no project, or was trusted'),
    }),
  },
  runTemplate: {
    method: 'post',
    path: '/v1/templates/{template}',
    summary: 'queue the group of a template, as loop template run -b would',
    params: z.strictObject({ template: z.string().regex(/^[\w][\w.-]{0,80}$/) }),
    body: z.strictObject({ cwd: directory, set, trust, options: options(workflowOptions) }),
    answer: started,
    forPeople: always,
  },
} as const satisfies Record<string, Route>

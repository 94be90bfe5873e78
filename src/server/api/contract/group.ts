/** Several loops together: attempts side by side, the graph of a group, workflow files and templates. */
import * as z from 'zod'
import { compareSchema, groupGraphSchema, reviewSchema } from '../../../documents/group.ts'
import { learningsSchema, tasksSchema } from '../../../documents/work.ts'
import {
  templateSchema,
  templatesSchema,
  validatedSchema,
  workflowGraphSchema,
} from '../../../documents/workflow.ts'
import { learning } from '../../../model/learning.ts'
import { planOptions, workflowOptions } from '../../../options/request.ts'
import { type Flag, keyOf } from '../../../options/table/flag.ts'
import { always, directory, getRoute, id, postRoute } from './route.ts'

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

const started = z.strictObject({ id, notices: z.array(z.string()), environment: z.string() })

const validated = validatedSchema()

/** The file itself, to be read before it is trusted. */
const content = {
  text: z.string(),
  hash: z.string(),
  isTrusted: z
    .boolean()
    .describe('it may run as it is: it came with no project, or a person has trusted these very bytes'),
}

export const groupRoutes = {
  compare: getRoute('/v1/loops/{id}/compare', {
    summary: 'the attempts of a group side by side, every value that was looked at, and why one was chosen',
    answer: compareSchema(),
  }),
  graph: getRoute('/v1/loops/{id}/graph', {
    summary: 'what a group does, node by node, what each waits for, and how far it is',
    answer: groupGraphSchema(),
  }),
  validate: postRoute('/v1/workflows/validate', {
    summary:
      'what is wrong with a workflow file, all at once; its text and hash, to be read before it is trusted',
    body: z.strictObject({ cwd: directory, file: directory.describe('an absolute path'), set }),
    answer: validated.extend({
      name: z.string().nullable(),
      loops: validated.shape.loops.unwrap(),
      unset: validated.shape.unset.unwrap(),
      worstCase: validated.shape.worstCase.unwrap().nullable(),
      graph: workflowGraphSchema().nullable(),
      ...content,
    }),
  }),
  runWorkflow: postRoute('/v1/workflows', {
    summary: 'queue the group of a workflow file, as loop workflow run -b would',
    body: z.strictObject({ cwd: directory, file: directory, set, trust, options: options(workflowOptions) }),
    answer: started,
    forPeople: always,
  }),
  findings: getRoute('/v1/loops/{id}/findings', {
    summary: 'of a plan: its reviews, their findings and what became of each',
    answer: reviewSchema(),
  }),
  runPlan: postRoute('/v1/plans', {
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
  }),
  templates: getRoute('/v1/templates', {
    summary: "the templates of a work tree: built in, the user's, the project's",
    query: z.strictObject({ cwd: directory }),
    answer: templatesSchema(),
  }),
  template: getRoute('/v1/templates/{template}', {
    summary: 'one template: its variables, its commands in this project, its loops; its text and hash',
    query: z.strictObject({ cwd: directory }),
    answer: templateSchema().extend(content),
  }),
  runTemplate: postRoute('/v1/templates/{template}', {
    summary: 'queue the group of a template, as loop template run -b would',
    body: z.strictObject({ cwd: directory, set, trust, options: options(workflowOptions) }),
    answer: started,
    forPeople: always,
  }),
}

/** The routes about the work in a directory: its tasks and its learnings. */
const query = z.strictObject({ cwd: directory })

export const planRoutes = {
  tasks: getRoute('/v1/tasks', {
    summary: 'the task list of a work tree, as loop task list shows it',
    query,
    answer: tasksSchema(),
  }),
  learnings: getRoute('/v1/learnings', {
    summary: 'what was learnt in a work tree, and whether it helped, as loop learn shows it',
    query,
    answer: learningsSchema(),
  }),
  settleLearning: postRoute('/v1/learnings', {
    summary:
      'consent to a learning that is pending, or drop one, as loop learn accept and loop learn drop do',
    body: z.strictObject({ cwd: directory, id: learning.shape.id, keep: z.boolean() }),
    answer: z.strictObject({ id: z.string(), kept: z.boolean() }),
    forPeople: always,
  }),
}

/** The routes for a new loop or group: the options, a preview, earlier work trees, and the start itself. */
import * as z from 'zod'
import { purposes } from '../../../model/project.ts'
import { requestSchema } from '../../../options/request.ts'
import { formSections } from '../../../options/table/form.ts'
import { always, byName, directory, getRoute, id, postRoute } from './route.ts'

const startBody = requestSchema({
  cwd: directory.describe('the work tree, an absolute path'),
  injected: z
    .array(z.string().min(1).max(100_000))
    .max(20)
    .optional()
    .describe('an additional text for the agent, in its first iteration'),
  trust_config: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional()
    .describe(
      'the hash of .loop/config.yaml of the work tree, which a person has read and trusts from now on',
    ),
})

const formOption = z.strictObject({
  key: z.string().describe('its name in a request'),
  flag: z.string(),
  section: z.enum(formSections),
  kind: z.enum(['switch', 'words', 'list', 'text']),
  takes: z.string().nullable(),
  words: z.array(z.string()),
  default: z.string().nullable(),
  help: z.string(),
})

const environment = z
  .strictObject({
    from: z.enum(['kept', 'loopd']),
    loop: id.nullable().describe('the loop whose environment was kept'),
    at: z.number().nullable(),
    words: z.string(),
  })
  .describe('in which the agent and the promise would run')

const found = z.strictObject({ command: z.string(), because: z.string() })

export const startRoutes = {
  start: postRoute('/v1/loops', {
    summary:
      'queue a loop, or with best_of or isolated a group, resolved as loop start -b in that work tree would; in the environment last kept for that tree, else in that of loopd',
    body: startBody,
    answer: z.strictObject({
      id,
      notices: z.array(z.string()).describe('what was left out, in words'),
      environment,
    }),
    forPeople: always,
  }),
  resolve: postRoute('/v1/resolve', {
    summary:
      'a preview of a start: every option resolved, the equivalent command, what to look at; starts nothing',
    body: startBody,
    answer: z.strictObject({
      spec: z.looseObject({ cwd: z.string(), agent: z.string() }),
      group: z.looseObject({ program: z.string() }).nullable(),
      plan: z.array(z.string()).describe('in lines, as loop start --dry-run shows it'),
      command: z.string().describe('what a person would type'),
      warnings: z.array(z.string()),
      notices: z.array(z.string()),
      environment,
    }),
  }),
  options: getRoute('/v1/options', {
    summary: 'the options of a start, a plan, a workflow or template, and of a resume, for a form',
    answer: z.strictObject({
      start: z.array(formOption),
      plan: z.array(formOption),
      workflow: z.array(formOption).describe('for all loops of a workflow or template'),
      resume: z.array(formOption),
    }),
  }),
  projects: getRoute('/v1/projects', {
    summary: 'the work trees in which loops were run, the latest first; at most 50',
    answer: z.array(
      z.strictObject({
        cwd: z.string(),
        loops: z.int(),
        open: z.int().describe('those of them that have not ended'),
        lastAt: z.number(),
        lastPrompt: z.string(),
        lastPromise: z.string(),
        lastAgent: z.string(),
        exists: z.boolean(),
      }),
    ),
  }),
  project: getRoute('/v1/projects/detect', {
    summary: 'what is known of a work tree before a start: its commands, its configuration, the environment',
    query: z.strictObject({ cwd: directory }),
    answer: z.strictObject({
      cwd: z.string().describe('with symlinks resolved'),
      problem: z.string().nullable().describe('why no agent could work there'),
      commands: byName(purposes, found.extend({ others: z.array(found) }).nullable()),
      passedOver: z.array(z.string()).describe('what looked like a command and is not used, in sentences'),
      config: z
        .strictObject({
          path: z.string(),
          trust: z.enum(['trusted', 'refused', 'changed', 'new', 'unreadable']),
          hash: z.string().nullable().describe('what trust_config of a start takes'),
          text: z.string(),
          problem: z.string().nullable(),
        })
        .nullable(),
      environment,
    }),
  }),
}

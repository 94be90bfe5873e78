/** The machine: agents and whether they are signed in, what the doctor finds, disk, configuration, figures over time. */
import * as z from 'zod'
import { doctorSchema, garbageSchema, settingSchema } from '../../../documents/machine.ts'
import { reportSchema } from '../../../documents/report.ts'
import { agentNames } from '../../../model/agent.ts'
import { always, directory, getRoute, postRoute } from './route.ts'

const sample = z.strictObject({
  at: z.number(),
  rssBytes: z.int().describe('memory of loopd'),
  lagMs: z.number().describe('how late its timers were, at the most'),
  running: z.int(),
  queued: z.int(),
  iterations: z.int().describe('runs of agents that were begun since the sample before'),
  verdicts: z.int(),
  costUsd: z.number(),
})

export const machineRoutes = {
  agents: getRoute('/v1/agents', {
    summary:
      'the agents that loop can drive: which are installed and signed in, as a loop of this work tree would find them',
    query: z.strictObject({ cwd: directory.optional() }),
    answer: z.array(
      z.strictObject({
        name: z.enum(agentNames),
        isInstalled: z.boolean(),
        isProgram: z.boolean().describe("false: a command of the user's"),
        install: z.string().nullable().describe('how to install it'),
        signedIn: z.enum(['yes', 'no', 'unknown']),
        signIn: z.string().nullable().describe('how to sign in, where that is needed'),
        cost: z.enum(['reported', 'estimated', 'unknown']),
        hasTokens: z.boolean(),
        hasEdits: z.boolean(),
        continues: z.boolean(),
        takesModel: z.boolean(),
        approves: z.string(),
      }),
    ),
  }),
  doctor: getRoute('/v1/doctor', {
    summary: 'everything loop needs and keeps, looked at by loop doctor',
    answer: doctorSchema(),
  }),
  disk: getRoute('/v1/disk', {
    summary: 'what loop keeps on disk, by what it is, and what is left',
    answer: z.strictObject({
      freeBytes: z.number().nullable(),
      parts: z.array(
        z.strictObject({
          name: z.enum(['journals', 'outputs', 'checkpoints', 'copies', 'dependencies', 'backups', 'log']),
          path: z.string(),
          bytes: z.number().nullable().describe('null where it took too long to count'),
        }),
      ),
    }),
  }),
  gc: postRoute('/v1/gc', {
    summary: 'throw away what is kept no longer, or with dry only say what that would be',
    body: z.strictObject({ dry: z.boolean() }),
    answer: garbageSchema(),
    forPeople: body => !(body as { dry: boolean }).dry,
  }),
  config: getRoute('/v1/config', {
    summary: 'the configuration of the user: every key, what holds, and where that comes from',
    answer: z.strictObject({
      path: z.string(),
      keys: z.array(
        settingSchema().extend({
          default: z.string().nullable(),
          takes: z.string().nullable(),
          words: z.array(z.string()),
          isOfProject: z.boolean().describe('the configuration of a project may set it too'),
          help: z.string(),
        }),
      ),
    }),
  }),
  setConfig: postRoute('/v1/config', {
    summary: 'set a key of the configuration of the user, or with null take it out',
    body: z.strictObject({
      key: z.string().regex(/^[a-z_]{1,60}$/),
      value: z.string().min(1).max(10_000).nullable(),
    }),
    answer: z.strictObject({ key: z.string(), value: z.string().nullable(), changed: z.boolean() }),
    forPeople: always,
  }),
  metricHistory: getRoute('/v1/metrics/history', {
    summary: 'figures of loopd over the last day, one sample a minute; since loopd was started',
    answer: z.strictObject({ everyMs: z.int(), samples: z.array(sample) }),
  }),
  report: getRoute('/v1/report', {
    summary: 'what became of all loops since a moment, as loop report tells it',
    query: z.strictObject({
      since: z.string().max(40).optional().describe('12h, 7d, yesterday, 2026-11-16'),
    }),
    answer: reportSchema(),
  }),
}

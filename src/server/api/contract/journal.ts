/** Routes about one loop or group: its state, its commands, its history. */
import * as z from 'zod'
import { verdictSchema } from '../../../documents/fields.ts'
import { eventSchema } from '../../../documents/log.ts'
import { historySchema, loopSchema } from '../../../documents/loop.ts'
import { pick, reviewFinding } from '../../../model/group/command.ts'
import { type Command, otherCommands } from '../../../model/loop/command.ts'
import { resumeRequest } from '../../../options/request.ts'
import { checkpointParam, getRoute, postRoute, wholeNumber } from './route.ts'

/** Commands reserved for people. All other commands are recorded as the agent's if an agent gives them. */
const commandsOfPeople: string[] = [
  'resume',
  'answer',
  'rollback',
  'cancel',
  'pick',
  'apply',
  'review',
] satisfies (Command['kind'] | 'pick' | 'apply' | 'review')[]

type Model = (typeof otherCommands)[number]
type Of<K extends string> = Extract<Model, { shape: { kind: z.ZodLiteral<K> } }>

/** The commands as a loop knows them; for the other two a person can give more detail here. */
const plainCommands = otherCommands.filter(
  one => !['rollback', 'cancel'].includes(one.shape.kind.value),
) as Exclude<Model, Of<'rollback'> | Of<'cancel'>>[]

const rollbackRequest = z
  .strictObject({
    kind: z.literal('rollback'),
    to: checkpointParam.optional(),
    undo: z.literal(true).optional().describe('in place of `to`: what was there before the last rollback'),
  })
  .refine(({ to, undo }) => (to === undefined) !== (undo === undefined), 'give either to or undo')
  .describe('make the work tree what it was at this checkpoint')

const cancelRequest = z
  .strictObject({
    kind: z.literal('cancel'),
    by: z.literal('session').optional(),
    rollback: checkpointParam.optional().describe('once it has stopped, bring back this checkpoint: initial'),
  })
  .describe('stop now, kill the agent, keep the tree or roll it back')

const applyRequest = z
  .strictObject({ kind: z.literal('apply') })
  .describe('of a group: bring the result that was chosen into the tree; of a member: its result')

export const journalRoutes = {
  loop: getRoute('/v1/loops/{id}', {
    summary: 'one loop or group in detail',
    answer: loopSchema(),
  }),
  command: postRoute('/v1/loops/{id}/commands', {
    summary:
      'pause, resume, answer, rollback or its undo, cancel with or without a rollback; of a loop inject and checkpoint; of a group pick and apply; of a plan review, which decides about a finding',
    body: z.discriminatedUnion('kind', [
      resumeRequest,
      rollbackRequest,
      cancelRequest,
      pick,
      applyRequest,
      reviewFinding,
      ...plainCommands,
    ]),
    answer: loopSchema(),
    forPeople: asked => commandsOfPeople.includes((asked as { kind: string }).kind),
  }),
  events: getRoute('/v1/loops/{id}/events', {
    summary: 'what happened, in order, at most 1000 after the one given',
    query: z.strictObject({ after: wholeNumber.optional() }),
    answer: z.strictObject({ events: z.array(eventSchema()), last: z.int() }),
  }),
  eventStream: getRoute('/v1/loops/{id}/events/stream', {
    summary: 'the same as it happens; goes on after Last-Event-ID, the number of an event',
    answer: 'text/event-stream',
  }),
  history: getRoute('/v1/loops/{id}/history', {
    summary: 'the iterations',
    answer: historySchema(),
  }),
  timeline: getRoute('/v1/loops/{id}/timeline', {
    summary: 'where the time of a loop went: a row for each iteration, 0 for what came before the first',
    answer: z.array(
      z.strictObject({
        n: z.int(),
        verdict: verdictSchema(),
        failing: z.int().nullable(),
        segments: z.array(
          z.strictObject({
            kind: z.enum(['copy', 'checkpoint', 'agent', 'verify', 'wait']),
            begin: z.number(),
            end: z.number().nullable().describe('null: under way'),
            what: z.string(),
          }),
        ),
      }),
    ),
  }),
  loopStream: getRoute('/v1/stream', {
    summary:
      'every loop and group that has not ended, then each one as it changes, a group with its members too',
    answer: 'text/event-stream',
  }),
}

/** Planned work for programs: the score of a text, the judgement of a step, the task list and learnings of a work tree. */
import * as z from 'zod'
import { learning } from '../model/learning.ts'
import { assessment } from '../model/loop/assessment.ts'
import { int, string, stringOrNull, strings } from './fields.ts'

const listSchema = () => string('the name of the task list')

function taskSchema() {
  return z.strictObject({
    id: string('T-001'),
    subject: z.string(),
    status: string('pending, in_progress or completed; deleted after a change to that'),
    blockedBy: strings('the open tasks that it waits for'),
    verify: stringOrNull('the command that completes it; null: it has none'),
    verified: z.boolean().nullable().describe("its command has passed in loop's own run; null: it has none"),
    files: strings('the files it is about'),
    wave: z.int().nullable().describe('tasks of one wave can be done at the same time'),
  })
}

export function tasksSchema() {
  return z.strictObject({
    list: listSchema(),
    directory: string('where its files are'),
    tasks: z.array(taskSchema()),
    current: stringOrNull('the task that is worked on, or comes next; null: none is open'),
  })
}

export function learningsSchema() {
  const known = z.strictObject(learning.shape)
  const shown = known.extend({
    shown: int('to how many loops'),
    helped: z.int(),
    unhelpful: z.int(),
    isToGo: z.boolean().describe('five showings in a row helped nobody: its removal is proposed'),
  })
  return z.strictObject({
    learnings: z.array(shown),
    pending: z.array(known).describe('found, and written nowhere before somebody consents'),
    strange: int('came with the repository, and are not used before they are trusted'),
  })
}

export function scoreSchema() {
  const dimension = z.strictObject({
    dimension: z.enum(['outcome', 'scope', 'constraints', 'success', 'done']),
    points: z.int().min(0).max(2),
    reason: z.string(),
    raise: stringOrNull('what to add; null where nothing is missing'),
  })
  return z.strictObject({
    score: z.int().min(0).max(10),
    fit: z.int().min(0).max(65).describe('without what is known from earlier loops'),
    shape: assessment.shape.shape,
    dimensions: z.array(dimension),
  })
}

export function workDocuments() {
  const rank = z.number().describe('how well it fits the text; the best is first')
  return {
    score: scoreSchema(),
    check: z.strictObject({
      check: string('red, green, proof, …'),
      holds: z.boolean().describe('false: the exit code is 1, or 126 where it is unrunnable'),
      unrunnable: z.literal(true).optional().describe('the step cannot begin: no agent can mend that'),
      lines: strings('why, for the agent; may change'),
    }),
    tasks: tasksSchema(),
    taskChanged: taskSchema().extend({
      list: listSchema(),
      verdict: z
        .enum(['PASS', 'FAIL', 'ERROR'])
        .optional()
        .describe('of its command, where the change ran it; only after PASS is the task completed'),
      why: string('the verdict in words').optional(),
    }),
    learnings: learningsSchema(),
    // Only the field of what was done is there.
    learningChanged: z.strictObject({
      added: string('the id of the learning; of a maxim or a decision: its file').optional(),
      accepted: string('its id').optional(),
      dropped: string('its id').optional(),
      trusted: int('how many learnings and maxims of the repository are used now').optional(),
    }),
    recalled: z.array(z.strictObject({ ...learning.shape, score: rank })),
  }
}

/**
 * What `--json` prints about planned work: the score of a text, the judgement of a step, and of a work tree its task
 * list and its learnings. loopd answers with the last two too.
 */
import * as z from 'zod'
import { learning } from '../../model/learning.ts'
import { assessment } from '../../model/loop/assessment.ts'

const list = z.string().describe('the name of the task list')

const task = z.strictObject({
  id: z.string().describe('T-001'),
  subject: z.string(),
  status: z.string().describe('pending, in_progress or completed; deleted after a change to that'),
  blockedBy: z.array(z.string()).describe('the open tasks that it waits for'),
  verify: z.string().nullable().describe('the command that completes it; null: it has none'),
  verified: z.boolean().nullable().describe("its command has passed in loop's own run; null: it has none"),
  files: z.array(z.string()).describe('the files it is about'),
  wave: z.int().nullable().describe('tasks of one wave can be done at the same time'),
})

export const taskList = z.strictObject({
  list,
  directory: z.string().describe('where its files are'),
  tasks: z.array(task),
  current: z.string().nullable().describe('the task that is worked on, or comes next; null: none is open'),
})

export const taskChanged = task.extend({
  list,
  verdict: z
    .enum(['PASS', 'FAIL', 'ERROR'])
    .optional()
    .describe('of its command, where the change ran it; only after PASS is the task completed'),
  why: z.string().optional().describe('the verdict in words'),
})

const known = z.strictObject(learning.shape)

export const learningList = z.strictObject({
  learnings: z.array(
    known.extend({
      shown: z.int().describe('to how many loops'),
      helped: z.int(),
      unhelpful: z.int(),
      isToGo: z.boolean().describe('five showings in a row helped nobody: its removal is proposed'),
    }),
  ),
  pending: z.array(known).describe('found, and written nowhere before somebody consents'),
  strange: z.int().describe('came with the repository, and are not used before they are trusted'),
})

/** Only the field of what was done is there. */
export const learningChanged = z.strictObject({
  added: z.string().optional().describe('the id of the learning; of a maxim or a decision: its file'),
  accepted: z.string().optional().describe('its id'),
  dropped: z.string().optional().describe('its id'),
  trusted: z.int().optional().describe('how many learnings and maxims of the repository are used now'),
})

/** `loop mcp` answers with the same. */
export const scoredText = z.strictObject({
  score: z.int().min(0).max(10),
  fit: z.int().min(0).max(65).describe('without what is known from earlier loops'),
  shape: assessment.shape.shape,
  dimensions: z.array(
    z.strictObject({
      dimension: z.enum(['outcome', 'scope', 'constraints', 'success', 'done']),
      points: z.int().min(0).max(2),
      reason: z.string(),
      raise: z.string().nullable().describe('what to add; null where nothing is missing'),
    }),
  ),
})

export const judgedStep = z.strictObject({
  check: z.string().describe('red, green, proof, …'),
  holds: z.boolean().describe('false: the exit code is 1, or 126 where it is unrunnable'),
  unrunnable: z.literal(true).optional().describe('the step cannot begin: no agent can mend that'),
  lines: z.array(z.string()).describe('why, for the agent; may change'),
})

export const recalled = z.array(
  known.extend({ score: z.number().describe('how well it fits the text; the best is first') }),
)

/**
 * The tools of `loop mcp` as data: the name, the description for an agent, and the schemas of input and output.
 * Their behaviour: answers. Their transport: serve. The input of `start` is options/request, as in the API.
 */
import * as z from 'zod'
import { verdictSchema } from '../documents/fields.ts'
import { historySchema, rowSchema } from '../documents/loop.ts'
import { scoreSchema } from '../documents/work.ts'
import { templatesSchema } from '../documents/workflow.ts'
import { injection, report } from '../model/loop/command.ts'
import { verifications } from '../model/loop/words.ts'
import { requestSchema, templateRequest } from '../options/request.ts'
import { hookFlags } from '../options/table/flag.ts'

/** Hints for a client that decides whether to ask its user. */
type Hints = { readOnlyHint: boolean; destructiveHint?: boolean; idempotentHint?: boolean }

export type Tool = {
  title: string
  description: string
  input: z.ZodType
  output: z.ZodType
  hints: Hints
}

const looks: Hints = { readOnlyHint: true }
const records: Hints = { readOnlyHint: false, destructiveHint: false }

const id = z.string().describe('the id of the loop')

const loop = z
  .string()
  .min(1)
  .max(100)
  .optional()
  .describe(
    'which loop: its id, the beginning of it, or @last. Without it: the loop whose agent you are, else that of this session, else the one open in this directory',
  )

const most = 100_000

const criterion = z.strictObject({
  name: z.string(),
  command: z.string().nullable().describe('null: a human says whether it is so'),
  verification: z.enum(verifications),
  met: z.boolean().describe('by a run of loop itself, or the word of a human; never by a report'),
  verdict: verdictSchema(),
  why: z.string(),
  output: z.string().describe('the end of what the command printed when loop ran it last'),
  reported: z.boolean().nullable().describe('what was reported since then: a claim that decides nothing'),
})

export const tools = {
  start: {
    title: 'Start a loop',
    description: [
      'Runs a coding agent again and again, in the background, until a promise holds: a shell command that exits 0 when the work is done.',
      'loop runs the promise itself after each iteration and believes nothing else. Every iteration starts from a checkpoint of the work tree.',
      'With best_of it makes several attempts at once, each in a copy of the work tree, and brings the best into the tree: a group, whose members are loops. With isolated it makes one such attempt.',
      'Answers at once with the id; follow the loop with status, criteria and history. One loop runs in a work tree at a time, others wait their turn.',
      'The agent and the promise run as this user, with this environment. Times are like 90s or 1h30m, sizes like 2GB.',
    ].join(' '),
    // A hook after the end acts for the user: an agent cannot ask for one.
    input: requestSchema({}, hookFlags),
    output: z.strictObject({ id, daemon: z.string().describe('the state of loopd, which runs it') }),
    hints: { readOnlyHint: false, destructiveHint: true },
  },
  templates: {
    title: 'Templates',
    description:
      'The templates that can be run here: small workflows of several loops, such as tdd (a failing test, the code, a clean-up), each with honest promises. Each with its variables; those that are required need a value in set. A template of the project runs only after its user has trusted it.',
    input: z.strictObject({}),
    output: z.strictObject({ templates: templatesSchema() }),
    hints: looks,
  },
  start_template: {
    title: 'Run a template',
    description:
      'Runs a template in the background, as a group: its loops one after the other or side by side, each until its own promise holds. Answers at once with the id of the group; follow it with status. Options hold for all its loops.',
    input: templateRequest,
    output: z.strictObject({ id, daemon: z.string().describe('the state of loopd, which runs it') }),
    hints: { readOnlyHint: false, destructiveHint: true },
  },
  status: {
    title: 'Status of loops',
    description:
      'Without a loop: those that have not ended and the newest that have, newest first. With one: that loop in detail, with its criteria, breakers, what it asks, and what to do next. A group (several loops run together) is one row with its members; what it asks, and which attempt is taken, is for a person to say; to a plan, answer takes their words.',
    input: z.strictObject({
      loop: z.string().min(1).max(100).optional().describe('its id, the beginning of it, or @last'),
    }),
    output: z.strictObject({
      loops: z.array(rowSchema().loose()),
      more: z.int().nonnegative().describe('loops that were left out'),
      damaged: z.array(z.string()).describe('loops whose journal cannot be read; see loop doctor'),
    }),
    hints: looks,
  },
  criteria: {
    title: 'Criteria of a loop',
    description:
      'What has to hold before the loop is completed, one by one: the command, whether it passed when loop ran it last, and the end of what it printed. Criteria that were reported as met are still open until loop has seen them pass.',
    input: z.strictObject({ loop }),
    output: z.strictObject({
      id,
      status: z.string(),
      criteria: z.array(criterion),
      unmet: z.array(z.string()),
    }),
    hints: looks,
  },
  report: {
    title: 'Report a criterion',
    description: [
      'Say whether a criterion of a loop is met, and how you know. It is a claim, kept in the journal beside the criterion:',
      'the loop completes only after loop itself has run the command of every criterion and seen it pass.',
    ].join(' '),
    input: z.strictObject({
      loop,
      criterion: report.shape.criterion.describe('its name, as criteria lists it'),
      met: report.shape.met,
      evidence: report.shape.evidence.default('').describe('how you know: what you ran, and what it printed'),
      exit_signal: z
        .boolean()
        .optional()
        .describe('inside a session: you are done, and loop is to verify all criteria when you stop'),
    }),
    output: z.strictObject({
      id,
      criterion: z.string(),
      reported: z.boolean(),
      met: z.boolean().describe('by what loop has seen so far'),
      unmet: z.array(z.string()),
      next: z.string(),
    }),
    hints: records,
  },
  tasks: {
    title: 'Tasks of this session',
    description:
      'The task list of the session this server belongs to, which the Stop hook holds it to: what is open, and which task is at hand.',
    input: z.strictObject({}),
    output: z.strictObject({
      session: z.string().nullable(),
      run: z.string().nullable().describe('the directory of the run, below the work tree'),
      tasks: z.array(
        z.strictObject({
          id: z.string(),
          subject: z.string(),
          description: z.string(),
          status: z.enum(['pending', 'in_progress', 'completed']),
          blockedBy: z.array(z.string()),
        }),
      ),
      current: z.string().nullable().describe('the id of the task at hand'),
      open: z.int().nonnegative(),
    }),
    hints: looks,
  },
  inject: {
    title: 'Tell the agent of a loop',
    description:
      'A text for the agent of a loop, delivered once, with the prompt of its next iteration: a hint, a correction, something it cannot know.',
    input: z.strictObject({ loop, text: injection.describe('what to tell it') }),
    output: z.strictObject({ id, iteration: z.int().describe('the iteration that is told') }),
    hints: records,
  },
  answer: {
    title: 'Answer what a plan asks',
    description:
      'The answer of your user to what a plan asks: a gate, a question about its spec, a finding, consent to a learning. status shows the question. Only in the words of your user, never by yourself: ask them first. What other groups and single loops ask is for a person to say with loop answer.',
    input: z.strictObject({
      loop,
      text: z.string().trim().min(1).max(most).describe('yes, no, a letter, or any words the question takes'),
    }),
    output: z.strictObject({
      id,
      answered: z.string().describe('the question'),
      asks: z.string().nullable().describe('what it asks next; null: nothing just now'),
      status: z.string(),
    }),
    hints: records,
  },
  history: {
    title: 'History of a loop',
    description:
      'The iterations of a loop, oldest first: checkpoint, verdict of the promise, duration, changed lines and files, cost, tokens.',
    input: z.strictObject({
      loop,
      last: z.int().min(1).max(200).default(50).describe('only so many of the newest'),
    }),
    output: historySchema().extend({
      more: z.int().nonnegative().describe('older iterations that were left out'),
    }),
    hints: looks,
  },
  score: {
    title: 'Score a spec',
    description:
      'How well a text says what is to be done: outcome, scope, constraints, success, done, 0 to 2 each, with why and what would raise it. Asks no agent; the same text always scores the same.',
    input: z.strictObject({ spec: z.string().trim().min(1).max(most).describe('the text of the task') }),
    output: scoreSchema(),
    hints: looks,
  },
} as const satisfies Record<string, Tool>

export type ToolName = keyof typeof tools
export type ToolCall<N extends ToolName> = z.output<(typeof tools)[N]['input']>
export type ToolAnswer<N extends ToolName> = z.input<(typeof tools)[N]['output']>

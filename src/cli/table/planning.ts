/** The commands about planning, as rows of the table of commands: plans, reviews, scores, tasks, learnings. */
import {
  learnFlags,
  notOfPlans,
  planFlags,
  recallFlags,
  shapeRuleFlag,
  taskFlags,
} from '../../options/table/plan.ts'
import { startFlags } from '../../options/table/start.ts'
import type { CommandRow } from '../command-table.ts'

export const planningCommands: CommandRow[] = [
  {
    name: 'plan',
    usage: 'plan <spec> [flags]',
    summary: 'plan the work that a text describes, and do it: shape, tasks in waves, reviews, gate',
    flags: [...startFlags.filter(({ name }) => !notOfPlans.includes(name)), ...planFlags],
    examples: [
      `loop plan "add a /health endpoint to server.js that returns 200; no new dependencies; all tests pass"`,
      'loop plan - --yes --reviewers claude,codex < spec.md',
      'loop plan "make the cart faster" --answers answers.yaml --no-input',
    ],
    load: () => import('../commands/plan.ts'),
  },
  {
    name: 'review',
    usage: 'review <id> [<finding> approve|task|discuss|skip] [text]',
    summary: 'show the reviews of a plan, or decide about a finding',
    flags: [],
    examples: ['loop review @last', 'loop review a1b2c3 f-90ab12cd34 task'],
    load: () => import('../commands/review.ts'),
  },
  {
    name: 'score',
    usage: 'score <spec>',
    summary: 'score how clear a task is, and say what would make it clearer; - is read from stdin',
    flags: [shapeRuleFlag],
    examples: ['loop score "fix /api/auth/token: p95 latency <100ms, no new deps"', 'loop score - < task.md'],
    load: () => import('../commands/score.ts'),
  },
  {
    name: 'task',
    usage: 'task list | add <subject> | update <id> [status]',
    summary: 'show and change the task list of this session; loop runs the command that completes a task',
    flags: taskFlags,
    examples: [
      'loop task list',
      `loop task add "Implement user login" --verify "npm test -- login" --files src/login.ts`,
      'loop task add "Write the guide" --blocked-by T-001',
      'loop task update T-001 completed',
    ],
    load: () => import('../commands/task.ts'),
  },
  {
    name: 'learn',
    usage: 'learn [add <text> | accept <id> | drop <id>]',
    summary: 'show what was learnt in this work tree and whether it helped; add, accept or drop',
    flags: learnFlags,
    examples: [
      'loop learn',
      'loop learn add "the sandbox of the payment provider answers only with the amount in cents"',
      'loop learn add "prefer deleting code to configuring it" --as maxim',
      'loop learn accept l-a1b2c3',
    ],
    load: () => import('../commands/learn.ts'),
  },
  {
    name: 'recall',
    usage: 'recall <text>',
    summary: 'find what was learnt in this work tree that fits a text, best first; - is stdin',
    flags: recallFlags,
    examples: ['loop recall "fix the cart total"', 'loop recall - --json < spec.md'],
    load: () => import('../commands/recall.ts'),
  },
]

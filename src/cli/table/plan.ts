/** The commands about planning: plans, reviews, scores, tasks, learnings: each is one value; its code is loaded when it is used. */
import {
  learnFlags,
  notOfPlans,
  planFlags,
  recallFlags,
  shapeRuleFlag,
  taskFlags,
} from '../../options/table/group.ts'
import { startFlags } from '../../options/table/start.ts'
import type { CommandDefinition } from '../command-table.ts'

export const planCommands: CommandDefinition[] = [
  {
    name: 'plan',
    usage: 'plan <spec> [flags]',
    summary: 'plan the work that a text describes, and do it: shape, tasks in waves, reviews, gate',
    words: 'from a spec to tasks',
    flags: [...startFlags.filter(({ name }) => !notOfPlans.includes(name)), ...planFlags],
    json: {
      'plan <spec>': 'loop',
      'plan <spec> … -b': 'started',
      'plan <spec> … --dry-run': 'groupPlanned',
    },
    examples: [
      `loop plan "add a /health endpoint to server.js that returns 200; no new dependencies; all tests pass"`,
      'loop plan - --yes --reviewers claude,codex < spec.md',
      'loop plan "make the cart faster" --answers answers.yaml --no-input',
    ],
    load: () => import('../commands/plan.ts'),
  },
  {
    name: 'score',
    usage: 'score <spec>',
    summary: 'score how clear a task is, and say what would make it clearer; - is read from stdin',
    words: 'how clear a task is',
    flags: [shapeRuleFlag],
    json: {
      'score <spec>': 'score',
    },
    examples: ['loop score "fix /api/auth/token: p95 latency <100ms, no new deps"', 'loop score - < task.md'],
    load: () => import('../commands/score.ts'),
  },
  {
    name: 'task',
    usage: 'task list | add <subject> | update <id> [status]',
    summary: 'show and change the task list of this session; loop runs the command that completes a task',
    words: 'the tasks of a plan',
    flags: taskFlags,
    // A session's own agent manages its list; an agent in a run has none.
    forPeople: ({ positionals }) => positionals.length > 0 && positionals[0] !== 'list',
    json: {
      'task list': 'tasks',
      'task add <subject>': 'taskChanged',
      'task update <id> <status>': 'taskChanged',
    },
    examples: [
      'loop task list',
      `loop task add "Implement user login" --verify "npm test -- login" --files src/login.ts`,
      'loop task add "Write the guide" --blocked-by T-001',
      'loop task update T-001 completed',
    ],
    load: () => import('../commands/task.ts'),
  },
  {
    name: 'review',
    usage: 'review <id> [<finding> approve|task|discuss|skip] [text]',
    summary: 'show the reviews of a plan, or decide about a finding',
    words: 'findings of reviewers',
    flags: [],
    json: {
      'review <plan>': 'review',
      'review <plan> <finding> approve|task|discuss|skip': 'resolved',
    },
    examples: ['loop review @last', 'loop review a1b2c3 f-90ab12cd34 task'],
    load: () => import('../commands/review.ts'),
  },
  {
    name: 'learn',
    usage: 'learn [add <text> | accept <id> | drop <id>]',
    summary: 'show what was learnt in this work tree and whether it helped; add, accept or drop',
    words: 'what was learnt',
    flags: learnFlags,
    // Consent is given by a person.
    forPeople: input => input.positionals.length > 0 || input.given('trust'),
    json: {
      learn: 'learnings',
      'learn add <text>': 'learningChanged',
      'learn accept <id>': 'learningChanged',
      'learn drop <id>': 'learningChanged',
      'learn --trust': 'learningChanged',
    },
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
    words: 'look it up',
    flags: recallFlags,
    json: {
      'recall <text>': 'recalled',
    },
    examples: ['loop recall "fix the cart total"', 'loop recall - --json < spec.md'],
    load: () => import('../commands/recall.ts'),
  },
]

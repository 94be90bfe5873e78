/** The options that turn a start into a group: several attempts, one in a copy, or a plan. */
import type { Flag } from './flag.ts'

export const groupFlags: Flag[] = [
  {
    name: 'best-of',
    takes: 'N',
    help: 'make N attempts (2 to 8) at once, each in a copy of the work tree with an approach of its own, and bring the best into the tree',
  },
  {
    name: 'best-of-metric',
    takes: 'min:cmd|max:cmd',
    help: 'with --best-of, choose the passing attempt for which this command prints the smallest or largest number',
  },
  {
    name: 'best-of-manual',
    help: 'with --best-of, you choose among the attempts (loop compare, loop answer)',
  },
  {
    name: 'best-of-waves',
    takes: 'N',
    help: 'with --best-of, 2: a second round of attempts, whose prompts say how the first went',
  },
  {
    name: 'best-of-judge',
    help: 'with --best-of, ask the agent about attempts that nothing else tells apart: their changes without names, in both orders; if the answers differ, neither is preferred',
  },
  { name: 'first-wins', help: 'with --best-of, the first attempt that passes ends the others' },
  {
    name: 'serial-promise',
    help: 'with --best-of, run one promise at a time: for tests that share a database or a port',
  },
  {
    name: 'copy-setup',
    takes: 'cmd',
    config: true,
    help: 'the command that prepares a new copy, such as "npm ci --offline", instead of sharing dependency directories',
  },
  {
    name: 'isolated',
    help: 'work in a copy, so that you can go on in the tree, and bring the result back at the end',
  },
]

/** The options of a start about a plan: what is asked, answers given in advance, who reviews. */

/** Options that a plan decides itself, or that make no sense for several loops. */
export const notOfPlans = ['promise', 'confirm', 'session', 'inject', ...groupFlags.map(({ name }) => name)]

export const shapeRuleFlag: Flag = {
  name: 'shape-rule',
  takes: 'fit|score',
  default: 'fit',
  help: 'how much autonomy a score gives: by its fit, or by the older rule (8 and more: tool, 5 to 7: colleague)',
}

export const taskListFlag: Flag = {
  name: 'task-list',
  takes: 'list',
  help: 'where the tasks are kept: new (a list named after the project and the work), the id of an existing list, or session (for this session only, in the data directory)',
}

const cwdFlag: Flag = { name: 'cwd', takes: 'dir', help: 'the work tree; without it, the current directory' }

export const planFlags: Flag[] = [
  {
    name: 'answers',
    takes: 'file',
    help: 'of a plan: a YAML file with answers given beforehand: the id of each question, and a letter or a text',
  },
  {
    name: 'ask-later',
    help: 'of a plan in the background: ask about open points on the page and by loop answer, instead of refusing the text',
  },
  {
    name: 'force',
    help: 'of a plan: ask nothing about a text that says too little, and assume what is missing',
  },
  {
    name: 'fresh',
    help: 'of a plan: begin a new one although this tree has one; removes state, shape and PROGRESS, never runs or learnings',
  },
  {
    name: 'reviewers',
    takes: 'agents',
    config: true,
    help: 'of a plan: the agents that review, such as claude,codex; without it, the agent of its loops',
  },
  {
    name: 'review-light',
    takes: 'on|off',
    default: 'on',
    config: true,
    help: 'of a plan: a short review after each wave, which blocks nothing',
  },
  shapeRuleFlag,
  taskListFlag,
]

export const taskFlags: Flag[] = [
  {
    name: 'verify',
    takes: 'cmd',
    help: 'the command that exits 0 once the task is done; loop runs it itself',
  },
  { name: 'blocked-by', takes: 'ids', help: 'tasks that have to be completed before it: T-001,T-002' },
  { name: 'files', takes: 'paths', help: 'files that it will touch, with commas between them' },
  { name: 'description', takes: 'text', help: 'source, action and completion criteria' },
  { name: 'subject', takes: 'text', help: 'with update: another subject' },
  { name: 'owner', takes: 'name', help: 'who works on it' },
  { ...taskListFlag, help: 'the list; without it, that of this session, of its loop, or of this project' },
  cwdFlag,
]

export const learnFlags: Flag[] = [
  {
    name: 'as',
    takes: 'failure|discovery|maxim|decision',
    help: 'with add: what it is; without it, a discovery',
  },
  { name: 'loop', takes: 'id', help: 'with add: the loop that taught it' },
  { name: 'trust', help: 'use the learnings and maxims that came with this repository, as they are now' },
  cwdFlag,
]

export const recallFlags: Flag[] = [cwdFlag]

/** Sentences about tasks, task lists and plans. */

import type { PlanFailures } from '../../../model/facts/plan.ts'
import { spelledOut } from '../../text/plain-text.ts'
import { taskTroubleWords } from '../plan.ts'
import type { Sentences } from './words.ts'

const wayToShape = 'Write .loop/shape/SHAPE.md with the headings Criteria, MustNot and Verification.'

export const planSentences: Sentences<PlanFailures> = {
  'task-list-full': ({ most }) => `The list has ${most} tasks, which is the most it can hold.`,
  'task-list-unwritable': ({ dir, why }) => `The task list in ${dir} cannot be written: ${why}`,
  'task-list-locked': ({ path }) =>
    `${path} is held by another process. Try again; if none is at work, remove it.`,
  'bad-task-list': () => '--task-list is new, session, or the id of a list.',
  'task-forms': () =>
    'It is: loop task list, loop task add "<subject>" --verify "<command>", or loop task update <id> <status>.',
  'bad-subject': () => 'The subject is one line of at most 200 characters; more goes into --description.',
  'bad-task-id': ({ id }) => `"${id}" is no task. Give its id, such as T-001.`,
  'bad-task-status': ({ status }) => `"${status}" is no status: pending, in_progress, completed or deleted.`,
  'task-circle': ({ path }) => taskTroubleWords({ kind: 'cycle', path }),
  'unknown-task': ({ task, list }) => `There is no ${task} in ${list}. See: loop task list`,
  'bad-verify': () => '--verify is one line: a command that exits 0 once the task is done.',
  'unknown-blocker': ({ task, list }) =>
    `--blocked-by names ${task}, which is no task of ${list}. See: loop task list`,
  'empty-task-list': () => '--task-list is empty. Give the id of a list.',
  'no-home': () =>
    'Where Claude Code keeps its tasks is not known: HOME is not set. Set HOME or CLAUDE_CONFIG_DIR.',
  'learnings-unwritable': ({ path, why }) => `${path} cannot be written: ${why}`,
  'learn-forms': () =>
    'It is: loop learn, loop learn add "<what to know next time>", loop learn accept <id>, loop learn drop <id>, or loop learn --trust.',
  'bad-learning-kind': ({ text }) => `--as is failure, discovery, maxim or decision; not "${text}".`,
  'bad-learning': () => 'A learning is one sentence of 3 to 500 characters: what to know next time.',
  'no-shape': ({ isAbsent }) =>
    `.loop/shape/SHAPE.md ${isAbsent ? 'is not there' : 'cannot be read'}. ${wayToShape}`,
  'shape-without-criteria': () => `.loop/shape/SHAPE.md names no criteria. ${wayToShape}`,
  'shape-not-ready': ({ problems }) =>
    ['.loop/shape/SHAPE.md is not ready to be worked on:', ...problems].join('\n'),
  'unknown-learning': ({ id }) => `There is no learning ${id} here. See: loop learn`,
  'one-text-to-plan': () => 'The text is one argument: put it in quotes, or give - for stdin.',
  'no-plan': ({ id }) => `${id} is no plan: only a plan has reviews.`,
  'bad-resolution': ({ finding, known, near }) =>
    `Say what to do with ${finding}: ${known.join(', ')}.${near ? ` Did you mean ${near}?` : ''}`,
  'says-too-little': ({ score, missing }) => tooLittleToPlan({ score, missing }),
  'plan-is-here': ({ id, status }) =>
    `Plan ${id} is here and ${status}. Go on with it: loop resume ${id}; look at it: loop status ${id}; or begin a new one with --fresh.`,
  'no-criteria-in-shape': ({ path }) => `${spelledOut(path)} has no Criteria. Mend it, or remove it.`,
  'shape-here-not-ready': ({ path, problems }) =>
    [`${spelledOut(path)} cannot be worked on:`, ...problems].join('\n'),
  'shape-untrusted': ({ path }) =>
    `${spelledOut(path)} is not trusted. Read it, then trust it with --trust; or remove it, or begin with --fresh.`,
  'plan-needs-checkpoints': () => 'A plan works in copies of saved trees: leave --checkpoint none out.',
  'answers-no-yaml': ({ file }) =>
    `${file} is no YAML of questions and answers, such as "scope: b". Check --answers.`,
  'answer-no-text': ({ file, question }) => `${file}: the answer to ${question} is no text. Check --answers.`,
  'too-many-reviewers': () => '--reviewers takes at most four agents.',
  'unknown-reviewer': ({ name, near }) =>
    `There is no agent ${name}.${near ? ` Did you mean ${near}?` : ''} Check --reviewers.`,
}

function tooLittleToPlan({ score, missing }: PlanFailures['says-too-little']): string {
  return [
    `This says too little to be planned (${score}/10), and nobody is here to be asked. Missing:`,
    ...missing,
    'Say it in the text, answer it with --answers <file>, or go on with --force, which assumes it.',
    'Or name the command that decides when the work is done: -p "npm test".',
  ].join('\n')
}

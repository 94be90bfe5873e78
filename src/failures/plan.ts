/** Failures: tasks, task lists and plans. */

import type { TaskTrouble } from '../core/plan/waves.ts'
import { spelledOut } from '../core/text/plain-text.ts'

const wayToShape = 'Write .loop/shape/SHAPE.md with the headings Criteria, MustNot and Verification.'

export const planFailures = {
  'task-list-full': (d: { most: number }) => `The list has ${d.most} tasks, which is the most it can hold.`,
  'task-list-unwritable': (d: { dir: string; why: string }) =>
    `The task list in ${d.dir} cannot be written: ${d.why}`,
  'task-list-locked': (d: { path: string }) =>
    `${d.path} is held by another process. Try again; if none is at work, remove it.`,
  'bad-task-list': () => '--task-list is new, session, or the id of a list.',
  'task-forms': () =>
    'It is: loop task list, loop task add "<subject>" --verify "<command>", or loop task update <id> <status>.',
  'bad-subject': () => 'The subject is one line of at most 200 characters; more goes into --description.',
  'bad-task-id': (d: { id: string }) => `"${d.id}" is no task. Give its id, such as T-001.`,
  'bad-task-status': (d: { status: string }) =>
    `"${d.status}" is no status: pending, in_progress, completed or deleted.`,
  'task-circle': (d: { path: string[] }) => taskTroubleWords({ kind: 'cycle', path: d.path }),
  'unknown-task': (d: { task: string; list: string }) =>
    `There is no ${d.task} in ${d.list}. See: loop task list`,
  'bad-verify': () => '--verify is one line: a command that exits 0 once the task is done.',
  'unknown-blocker': (d: { task: string; list: string }) =>
    `--blocked-by names ${d.task}, which is no task of ${d.list}. See: loop task list`,
  'empty-task-list': () => '--task-list is empty. Give the id of a list.',
  'no-home': () =>
    'Where Claude Code keeps its tasks is not known: HOME is not set. Set HOME or CLAUDE_CONFIG_DIR.',
  'learnings-unwritable': (d: { path: string; why: string }) => `${d.path} cannot be written: ${d.why}`,
  'learn-forms': () =>
    'It is: loop learn, loop learn add "<what to know next time>", loop learn accept <id>, loop learn drop <id>, or loop learn --trust.',
  'bad-learning-kind': (d: { text: string }) =>
    `--as is failure, discovery, maxim or decision; not "${d.text}".`,
  'bad-learning': () => 'A learning is one sentence of 3 to 500 characters: what to know next time.',
  'no-shape': (d: { isAbsent: boolean }) =>
    `.loop/shape/SHAPE.md ${d.isAbsent ? 'is not there' : 'cannot be read'}. ${wayToShape}`,
  'shape-without-criteria': () => `.loop/shape/SHAPE.md names no criteria. ${wayToShape}`,
  'shape-not-ready': (d: { problems: string[] }) =>
    ['.loop/shape/SHAPE.md is not ready to be worked on:', ...d.problems].join('\n'),
  'unknown-learning': (d: { id: string }) => `There is no learning ${d.id} here. See: loop learn`,
  'one-text-to-plan': () => 'The text is one argument: put it in quotes, or give - for stdin.',
  'no-plan': (d: { id: string }) => `${d.id} is no plan: only a plan has reviews.`,
  'bad-resolution': (d: { finding: string; known: string[]; near: string | null }) =>
    `Say what to do with ${d.finding}: ${d.known.join(', ')}.${d.near ? ` Did you mean ${d.near}?` : ''}`,
  'says-too-little': (d: { score: number; missing: string[] }) => tooLittleToPlan(d),
  'plan-is-here': (d: { id: string; status: string }) =>
    `Plan ${d.id} is here and ${d.status}. Go on with it: loop resume ${d.id}; look at it: loop status ${d.id}; or begin a new one with --fresh.`,
  'no-criteria-in-shape': (d: { path: string }) =>
    `${spelledOut(d.path)} has no Criteria. Mend it, or remove it.`,
  'shape-here-not-ready': (d: { path: string; problems: string[] }) =>
    [`${spelledOut(d.path)} cannot be worked on:`, ...d.problems].join('\n'),
  'shape-untrusted': (d: { path: string }) =>
    `${spelledOut(d.path)} is not trusted. Read it, then trust it with --trust; or remove it, or begin with --fresh.`,
  'plan-needs-checkpoints': () => 'A plan works in copies of saved trees: leave --checkpoint none out.',
  'answers-no-yaml': (d: { file: string }) =>
    `${d.file} is no YAML of questions and answers, such as "scope: src/cart". Check --answers.`,
  'answer-no-text': (d: { file: string; question: string }) =>
    `${d.file}: the answer to ${d.question} is no text. Check --answers.`,
  'too-many-reviewers': () => '--reviewers takes at most four agents.',
  'unknown-reviewer': (d: { name: string; near: string | null }) =>
    `There is no agent ${d.name}.${d.near ? ` Did you mean ${d.near}?` : ''} Check --reviewers.`,
}

function tooLittleToPlan({ score, missing }: { score: number; missing: string[] }): string {
  return [
    `This says too little to be planned (${score}/10), and nobody is here to be asked. Missing:`,
    ...missing,
    'Say it in the text, answer it with --answers <file>, or go on with --force, which assumes it.',
    'Or name the command that decides when the work is done: -p "npm test".',
  ].join('\n')
}

export function taskTroubleWords(trouble: TaskTrouble): string {
  switch (trouble.kind) {
    case 'twice':
      return `Two tasks have the id ${trouble.id}.`
    case 'unknown-blocker':
      return `${trouble.id} is blocked by ${trouble.blocker}, which is no task.`
    case 'cycle':
      return `Tasks wait for each other in a circle: ${[...trouble.path, trouble.path[0]].join(' → ')} (each waits for the next).`
    default:
      return trouble satisfies never
  }
}

/** Facts about failures: tasks, task lists and plans. Their sentences: views/words/failure/plan. */
import type { Nothing } from './all.ts'

export type PlanFailures = {
  'task-list-full': { most: number }
  'task-list-unwritable': { dir: string; why: string }
  'task-list-locked': { path: string }
  'bad-task-list': Nothing
  'task-forms': Nothing
  'bad-subject': Nothing
  'bad-task-id': { id: string }
  'bad-task-status': { status: string }
  'task-circle': { path: string[] }
  'unknown-task': { task: string; list: string }
  'bad-verify': Nothing
  'unknown-blocker': { task: string; list: string }
  'empty-task-list': Nothing
  'no-home': Nothing
  'learnings-unwritable': { path: string; why: string }
  'learn-forms': Nothing
  'bad-learning-kind': { text: string }
  'bad-learning': Nothing
  'no-shape': { isAbsent: boolean }
  'shape-without-criteria': Nothing
  'shape-not-ready': { problems: string[] }
  'unknown-learning': { id: string }
  'one-text-to-plan': Nothing
  'no-plan': { id: string }
  'bad-resolution': { finding: string; known: string[]; near: string | null }
  'says-too-little': { score: number; missing: string[] }
  'plan-is-here': { id: string; status: string }
  'no-criteria-in-shape': { path: string }
  'shape-here-not-ready': { path: string; problems: string[] }
  'shape-untrusted': { path: string }
  'plan-needs-checkpoints': Nothing
  'answers-no-yaml': { file: string }
  'answer-no-text': { file: string; question: string }
  'too-many-reviewers': Nothing
  'unknown-reviewer': { name: string; near: string | null }
}

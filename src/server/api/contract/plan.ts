/** The routes about the work in a directory: its tasks and its learnings. */
import * as z from 'zod'
import { learning } from '../../../model/learning.ts'
import { always, type Route } from './route.ts'

const cwd = z.string().startsWith('/').max(4_096)
const query = z.strictObject({ cwd })

const used = learning.extend({
  shown: z.int().describe('to how many loops'),
  helped: z.int(),
  unhelpful: z.int(),
  isToGo: z.boolean().describe('five showings in a row helped nobody: its removal is proposed'),
})

export const planRoutes = {
  tasks: {
    method: 'get',
    path: '/v1/tasks',
    summary: 'the task list of a work tree, as loop task list shows it',
    query,
    answer: z.strictObject({
      list: z.string(),
      directory: z.string(),
      tasks: z.array(z.looseObject({ id: z.string(), subject: z.string(), status: z.string() })),
      current: z.string().nullable().describe('the task that is worked on, or comes next'),
    }),
  },
  learnings: {
    method: 'get',
    path: '/v1/learnings',
    summary: 'what was learnt in a work tree, and whether it helped, as loop learn shows it',
    query,
    answer: z.strictObject({
      learnings: z.array(used),
      pending: z.array(learning).describe('found, and written nowhere before somebody consents'),
      strange: z.int().describe('came with the repository, and are not used before they are trusted'),
    }),
  },
  settleLearning: {
    method: 'post',
    path: '/v1/learnings',
    summary:
      'consent to a learning that is pending, or drop one, as loop learn accept and loop learn drop do',
    body: z.strictObject({ cwd, id: learning.shape.id, keep: z.boolean() }),
    answer: z.strictObject({ id: z.string(), kept: z.boolean() }),
    forPeople: always,
  },
} as const satisfies Record<string, Route>

/** The routes about the work in a directory: its tasks and its learnings. */
import * as z from 'zod'
import { learningsSchema, tasksSchema } from '../../../documents/work.ts'
import { learning } from '../../../model/learning.ts'
import { always, directory, getRoute, postRoute } from './route.ts'

const query = z.strictObject({ cwd: directory })

export const planRoutes = {
  tasks: getRoute('/v1/tasks', {
    summary: 'the task list of a work tree, as loop task list shows it',
    query,
    answer: tasksSchema(),
  }),
  learnings: getRoute('/v1/learnings', {
    summary: 'what was learnt in a work tree, and whether it helped, as loop learn shows it',
    query,
    answer: learningsSchema(),
  }),
  settleLearning: postRoute('/v1/learnings', {
    summary:
      'consent to a learning that is pending, or drop one, as loop learn accept and loop learn drop do',
    body: z.strictObject({ cwd: directory, id: learning.shape.id, keep: z.boolean() }),
    answer: z.strictObject({ id: z.string(), kept: z.boolean() }),
    forPeople: always,
  }),
}

/** The tasks and learnings of a directory, as loop itself tells them; and consent to a learning. */
import * as z from 'zod'
import { ok, type Result } from '../../../model/failure.ts'
import { planRoutes } from '../contract/plan.ts'
import type { ApiContext, Some } from './context.ts'

export function planAnswers({ askOwn, world: { env } }: ApiContext): Some<keyof typeof planRoutes> {
  const told = async <S extends z.ZodType>(args: string[], schema: S): Promise<Result<z.output<S>>> => {
    const asked = await askOwn({ args, schema, cwd: '/', env })
    return asked.ok ? ok(asked.value.answer) : asked
  }
  return {
    tasks: ({ query }) => told(['task', 'list', `--cwd=${query.cwd}`], planRoutes.tasks.answer),
    learnings: ({ query }) => told(['learn', `--cwd=${query.cwd}`], planRoutes.learnings.answer),
    settleLearning: async ({ body: { cwd, id, keep } }) => {
      const args = ['learn', keep ? 'accept' : 'drop', id, `--cwd=${cwd}`]
      const settled = await told(args, z.looseObject({}))
      return settled.ok ? ok({ id, kept: keep }) : settled
    },
  }
}

/**
 * Data of the events about a doubtful pass: the promise passed, but files that steer it (tests, settings,
 * tools) were changed. The rules: core/loop/assess/second-look.
 */
import * as z from 'zod'

/** The verdict of a command: PASS is exit 0, FAIL any other exit code, ERROR means that it could not be judged. */
export const verdict = z.enum(['PASS', 'FAIL', 'ERROR'])

/**
 * `script`: a file that the promise runs. `dependency`: an installed package that no runner is. `data`: what a result is
 * held against. `ignored`: a file that git ignores. `other`: of no kind that the work could be.
 */
const steeringKinds = ['test', 'config', 'tool', 'script', 'dependency', 'data', 'ignored', 'other'] as const

const iteration = z.int().positive()

export const steeringChange = z.strictObject({
  path: z.string().describe('in the tree; absolute where it is outside'),
  kind: z.enum(steeringKinds),
  how: z
    .enum(['changed', 'deleted', 'added', 'forged'])
    .describe('forged: what loop had written down of such files was changed'),
  part: z
    .literal(true)
    .optional()
    .describe('only the part of it that judges: tests in a source, scripts in a manifest'),
  unsure: z
    .literal(true)
    .optional()
    .describe('it may as well be the work: this is said, and nobody is asked'),
  looked: z
    .literal(true)
    .optional()
    .describe('a command of the promise that runs nothing looks at it: to that command it is the work'),
  named: z.literal(true).optional().describe('the prompt names it as what is to be changed'),
})

export const lookTaken = {
  iteration,
  which: z
    .enum(['calibrate', 'green', 'red'])
    .describe(
      'calibrate: the tree as the loop found it; green: with the sources of the agent; red: with its changes to tests, settings and tools only',
    ),
  home: z.enum(['fresh', 'own']).describe("an empty HOME, or the user's"),
  verdict,
  why: z.string(),
  likeBaseline: z
    .literal(true)
    .optional()
    .describe('it went as before any agent came; of calibrate: so that a clean copy can be believed'),
  met: z.array(z.string()).optional().describe('of several criteria: those that passed in it'),
  sameFailure: z
    .literal(true)
    .optional()
    .describe('of green: it failed with the same error as before any agent came, so it is not tried again'),
  fewer: z
    .literal(true)
    .optional()
    .describe('of green: it passed, with fewer tests than before any agent came, or more that were skipped'),
  durationMs: z.number().nonnegative(),
}

export const suspicionRaised = {
  iteration,
  why: z.enum(['steering-alone', 'tests-deleted', 'fewer-tests', 'tools-changed']),
  files: z.array(z.string()).min(1),
}

export type SteeringChange = z.infer<typeof steeringChange>
export type SteeringKind = (typeof steeringKinds)[number]

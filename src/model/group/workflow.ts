/**
 * A workflow after its file was read and everything known before the start was filled in: variables, matrix,
 * options. It is plain data in the journal of its group, which no longer needs the file. Values that are known
 * only during the run (outputs, the loop that failed) are references. Parsing: options/workflow.
 */
import * as z from 'zod'
import { breakerReasons } from '../loop/breakers.ts'
import { spec } from '../loop/spec.ts'

/** A value that is known only while the group runs. */
const reference = z.discriminatedUnion('of', [
  z
    .strictObject({ of: z.literal('output'), loop: z.string(), field: z.string() })
    .describe('what a loop left under this name; missing is an error, never empty'),
  z.strictObject({ of: z.literal('failed-loop') }).describe('the id of the member that failed first'),
  z.strictObject({ of: z.literal('group-id') }),
])

/** Text in pieces, to be joined: literal strings, which are never expanded again, and references. */
export const referenceText = z.array(z.union([z.string(), reference]))

/** The environment of a command or a loop, by name. */
export const variables = z.record(z.string(), referenceText)

export const shellCommand = z.strictObject({
  command: z
    .string()
    .min(1)
    .describe('for /bin/sh -c; a value stands in it only as the name of a variable, "$LOOP_VAR_x"'),
  written: z.string().describe('as it stands in the file, for people to read'),
  variables: variables.describe('the LOOP_VAR_… that it names'),
})

/** The endings of a loop that `when` and `retry` of a workflow can name. */
export const endings = ['completed', 'failed', 'skipped'] as const

export type When =
  | { op: 'and' | 'or'; terms: When[] }
  | { op: 'not'; term: When }
  | { op: 'ended'; loop: string; how: (typeof endings)[number] }
  | { op: 'output'; loop: string; field: string; is: 'equal' | 'different'; value: string }

export const when: z.ZodType<When> = z.lazy(() =>
  z.discriminatedUnion('op', [
    z.strictObject({ op: z.enum(['and', 'or']), terms: z.array(when) }),
    z.strictObject({ op: z.literal('not'), term: when }),
    z.strictObject({ op: z.literal('ended'), loop: z.string(), how: z.enum(endings) }),
    z.strictObject({
      op: z.literal('output'),
      loop: z.string(),
      field: z.string(),
      is: z.enum(['equal', 'different']),
      value: z.string(),
    }),
  ]),
)

/** The endings that `retry` can name: `failed` and `crashed` are statuses, the others are reasons. */
export const retryable = [
  'failed',
  'crashed',
  'iteration-limit',
  ...breakerReasons('fail'),
  ...breakerReasons('crash'),
] as const

const retry = z.strictObject({
  max: z.int().positive().describe('how often it is started again'),
  on: z.array(z.enum(retryable)).min(1),
})

const workflowLoop = z.strictObject({
  id: z.string().min(1).describe('unique in its workflow: build, or build-linux-18 of a matrix'),
  name: z.string().min(1).describe('for people: build (os: linux, node: 18)'),
  of: z.string().min(1).describe('the id in the file; another one than `id` only for a matrix'),
  matrix: z.record(z.string(), z.string()).describe('the values of this instance; empty without a matrix'),
  prompt: referenceText,
  spec: spec.describe('of the main tree; its prompt has the references as they are written'),
  injected: z.array(z.string()),
  needs: z.array(z.string()).describe('ids of loops that must have ended before it; a matrix is all of its'),
  when: when.nullable().describe('null: all of needs have completed'),
  confirm: referenceText.nullable().describe('what a human is asked before it begins'),
  retry: retry.nullable(),
  lowered: z
    .array(z.strictObject({ option: z.string(), from: z.string(), to: z.string() }))
    .optional()
    .describe('limits of the file that the command line lowers'),
  outputs: z.array(z.strictObject({ name: z.string(), description: z.string().nullable() })),
  env: variables.describe('of agent and promise: env of the workflow, and LOOP_VAR_… of its commands'),
  bestOf: z.int().min(2).max(8).nullable(),
  place: z.enum(['tree', 'copy']).describe('copy: another loop may run at the same time'),
})

export const workflowSpec = z.strictObject({
  name: z.string().min(1),
  description: z.string().nullable(),
  file: z.string().regex(/^\//),
  hash: z.string().describe('sha256 of the bytes of the file and the variables: a resume is bound to it'),
  vars: z.record(z.string(), z.string()),
  budgetUsd: z.number().positive().nullable().describe('of all loops together'),
  env: z.record(z.string(), z.string()).describe('of agents, promises and hooks'),
  copySetup: shellCommand.nullable().describe('the command that prepares a new working copy, such as npm ci'),
  loops: z.array(workflowLoop).min(1),
  onComplete: z.array(shellCommand),
  onFailure: z.array(shellCommand),
})

export type Reference = z.infer<typeof reference>
export type Text = z.infer<typeof referenceText>
export type Variables = z.infer<typeof variables>
export type ShellCommand = z.infer<typeof shellCommand>
export type WorkflowLoop = z.infer<typeof workflowLoop>
export type WorkflowSpec = z.infer<typeof workflowSpec>

/**
 * A mistake in a file that a person wrote: its place, what is wrong, and the probable correction. It is data;
 * failures/workflow draws it with a caret. Lines and columns count from 1; the end is exclusive.
 */

export type Problem = {
  file: string
  line: number
  column: number
  endLine: number
  endColumn: number
  message: string
  /** The text to write instead, if known. */
  hint: string | null
  /** The line of the file, unchanged. */
  source: string
}

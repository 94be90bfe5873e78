/** What `--json` prints about files of workflows and templates: their mistakes, their graph, what they would run. */
import * as z from 'zod'
import { workflowSpec } from '../../model/group/workflow.ts'

const problem = z.strictObject({
  file: z.string(),
  line: z.int().describe('from 1, as the column'),
  column: z.int(),
  endLine: z.int(),
  endColumn: z.int().describe('the first one after it'),
  message: z.string().describe('for people; may change'),
  hint: z.string().nullable().describe('what to write instead, where that is known'),
  source: z.string().describe('the line of the file'),
})

export const problemList = z.array(problem).describe('every mistake in the file')

const unset = z.array(z.string()).describe('variables that have no value yet: --set name=…')

export const validated = z.strictObject({
  file: z.string(),
  valid: z.boolean().describe('false: the exit code is 4, and there are no fields after the problems'),
  problems: problemList,
  name: z.string().optional().describe('of the workflow'),
  loops: z.array(z.string()).optional().describe('their ids'),
  unset: unset.optional(),
  worstCase: z
    .strictObject({
      loops: z.int(),
      starts: z.int().describe('of all loops, with attempts and retries'),
      iterations: z.int().nullable().describe('null: a loop has no limit'),
      costUsd: z.number().nullable().describe('null: there is no limit'),
    })
    .optional()
    .describe('every loop at its limit'),
})

const workflowLoop = workflowSpec.shape.loops.element
const { id, name, of, matrix, needs, place, bestOf } = workflowLoop.shape

export const graphOfWorkflow = z.strictObject({
  name: z.string(),
  loops: z.array(
    z.strictObject({
      id,
      name,
      of,
      matrix,
      needs,
      when: z.string().nullable().describe('as it is written; null: all of needs have completed'),
      place,
      bestOf,
    }),
  ),
})

/** Conditions and the options of a loop are data of loop itself: they are not described field by field. */
export const plannedWorkflow = workflowSpec.extend({
  loops: z.array(
    workflowLoop.extend({
      spec: z.looseObject({ cwd: z.string() }).describe('its options, as resolved'),
      when: z.looseObject({ op: z.string() }).nullable().describe('null: all of needs have completed'),
    }),
  ),
})

const placed = z.strictObject({
  place: z.string().describe('built in, yours, $LOOP_TEMPLATES_DIR or project'),
  path: z.string().describe('its file'),
})

const template = placed.extend({
  name: z.string(),
  shadows: z.array(placed).describe('templates of the same name that are not used, because this one is'),
})

export const templateList = z.array(
  template.extend({ description: z.string().nullable().describe('null: its file cannot be read') }),
)

export const shownTemplate = template.extend({
  problems: problemList.optional().describe('every mistake in it; then the fields after this one are absent'),
  vars: z
    .array(
      z.strictObject({
        name: z.string(),
        description: z.string().nullable(),
        default: z.string().nullable(),
        required: z.boolean(),
        type: z.enum(['command', 'text']),
        detect: z
          .string()
          .nullable()
          .describe('the command of the project that is its value if none is given'),
      }),
    )
    .optional(),
  commands: z
    .array(
      z.strictObject({
        name: z.string().describe('of the variable'),
        command: z.string(),
        because: z.string().nullable().describe('why this command was chosen; null: it was given'),
      }),
    )
    .optional()
    .describe('the commands that it would run here'),
  unset: unset.optional(),
  workflow: plannedWorkflow.optional().describe('what it would run'),
})

export const createdTemplate = z.strictObject({
  name: z.string(),
  path: z.string(),
  written: z.boolean().describe('false: it was a dry run'),
  text: z.string().describe('what is in the file'),
})

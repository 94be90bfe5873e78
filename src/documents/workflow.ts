/** Files of workflows and templates for programs: their mistakes, their graph, what they would run. */
import * as z from 'zod'
import { type WorkflowSpec, workflowSpec } from '../model/group/workflow.ts'
import { whenText } from '../views/text/workflow.ts'
import { type DocumentOf, int, string, stringOrNull, strings } from './fields.ts'

export function problemsSchema() {
  const problem = z.strictObject({
    file: z.string(),
    line: int('from 1, as the column'),
    column: z.int(),
    endLine: z.int(),
    endColumn: int('the first one after it'),
    message: string('for people; may change'),
    hint: stringOrNull('what to write instead, where that is known'),
    source: string('the line of the file'),
  })
  return z.array(problem).describe('every mistake in the file')
}

const unsetSchema = () => strings('variables that have no value yet: --set name=…')

export function validatedSchema() {
  const worstCase = z.strictObject({
    loops: z.int(),
    starts: int('of all loops, with attempts and retries'),
    iterations: z.int().nullable().describe('null: a loop has no limit'),
    costUsd: z.number().nullable().describe('null: there is no limit'),
  })
  return z.strictObject({
    file: z.string(),
    valid: z.boolean().describe('false: the exit code is 4, and there are no fields after the problems'),
    problems: problemsSchema(),
    name: string('of the workflow').optional(),
    loops: strings('their ids').optional(),
    unset: unsetSchema().optional(),
    worstCase: worstCase.optional().describe('every loop at its limit'),
  })
}

export function workflowGraphSchema() {
  const { id, name, of, matrix, needs, place, bestOf } = workflowSpec.shape.loops.element.shape
  const when = stringOrNull('as it is written; null: all of needs have completed')
  const loop = z.strictObject({ id, name, of, matrix, needs, when, place, bestOf })
  return z.strictObject({ name: z.string(), loops: z.array(loop) })
}

export function workflowGraphJson({
  name,
  loops,
}: Pick<WorkflowSpec, 'name' | 'loops'>): DocumentOf<typeof workflowGraphSchema> {
  const drawn = loops.map(({ id, name: label, of, matrix, needs, when, place, bestOf }) => {
    return { id, name: label, of, matrix, needs, when: when && whenText(when), place, bestOf }
  })
  return { name, loops: drawn }
}

/** Conditions and the options of a loop are data of loop itself: they are not described field by field. */
function plannedSchema() {
  const loop = workflowSpec.shape.loops.element.extend({
    spec: z.looseObject({ cwd: z.string() }).describe('its options, as resolved'),
    when: z.looseObject({ op: z.string() }).nullable().describe('null: all of needs have completed'),
  })
  return workflowSpec.extend({ loops: z.array(loop) })
}

export function templateLineSchema() {
  const placed = z.strictObject({
    place: string('built in, yours, $LOOP_TEMPLATES_DIR or project'),
    path: string('its file'),
  })
  return placed.extend({
    name: z.string(),
    shadows: z.array(placed).describe('templates of the same name that are not used, because this one is'),
  })
}

function variableSchema() {
  return z.strictObject({
    name: z.string(),
    description: z.string().nullable(),
    default: z.string().nullable(),
    required: z.boolean(),
    type: z.enum(['command', 'text']),
    detect: stringOrNull('the command of the project that is its value if none is given'),
  })
}

export function templatesSchema() {
  const template = templateLineSchema().extend({
    description: stringOrNull('null: its file cannot be read'),
    vars: z.array(variableSchema()),
  })
  return z.array(template)
}

export function templateSchema() {
  const command = z.strictObject({
    name: string('of the variable'),
    command: z.string(),
    because: stringOrNull('why this command was chosen; null: it was given'),
  })
  const broken = 'every mistake in it; then the fields after this one are absent'
  return templateLineSchema().extend({
    problems: problemsSchema().optional().describe(broken),
    vars: z.array(variableSchema()).optional(),
    commands: z.array(command).optional().describe('the commands that it would run here'),
    unset: unsetSchema().optional(),
    workflow: plannedSchema().optional().describe('what it would run'),
  })
}

export function workflowDocuments() {
  return {
    templates: templatesSchema(),
    template: templateSchema(),
    templateCreated: z.strictObject({
      name: z.string(),
      path: z.string(),
      written: z.boolean().describe('false: it was a dry run'),
      text: string('what is in the file'),
    }),
    workflow: plannedSchema(),
    workflowValidated: validatedSchema(),
    workflowGraph: workflowGraphSchema(),
  }
}

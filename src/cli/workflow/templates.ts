/**
 * `loop template list` and `show`: the templates, their places, and what one of them would run. It runs and trusts
 * nothing.
 */
import { safeLine, spelledOut } from '../../core/text/plain-text.ts'
import { type DocumentOf, someFields } from '../../documents/fields.ts'
import type { templatesSchema } from '../../documents/workflow.ts'
import { problemLines } from '../../failures/workflow.ts'
import { exitCodeOf, ok, type Result } from '../../model/failure.ts'
import { readDocument } from '../../options/workflow/document.ts'
import { notesOn } from '../../options/workflow/yaml.ts'
import { commandWords, workflowPlan } from '../../views/text/workflow.ts'
import type { Input } from '../command-table.ts'
import { out, outDocument, outFor } from '../terminal.ts'
import { lookAtWorkflow, readWorkflowFile } from './load.ts'
import { allTemplates, declaredIn, shadowWords, type Template, templateNamed } from './places.ts'

export function listTemplates(input: Input): Result<number> {
  const all = templatesJson(input)
  if (input.given('json')) {
    outDocument<'templates'>(all)
    return ok(0)
  }
  const rows = all.map(({ name, place, description }) => ({
    name,
    place: place as string,
    description: description ?? 'cannot be read; see: loop template show',
  }))
  const table = [{ name: 'TEMPLATE', place: 'PLACE', description: 'WHAT IT DOES' }, ...rows]
  const width = (of: (row: (typeof table)[number]) => string) =>
    Math.max(...table.map(row => of(row).length)) + 2
  const [names, places] = [width(row => row.name), width(row => row.place)]
  out(
    table
      .map(row => safeLine(row.name.padEnd(names) + row.place.padEnd(places) + row.description))
      .join('\n'),
  )
  for (const one of all) {
    const words = shadowWords(one)
    if (words !== null) out(safeLine(words))
  }
  return ok(0)
}

export function templatesJson(input: Input): DocumentOf<typeof templatesSchema> {
  return allTemplates(input).map(one => ({
    ...someFields(one, 'name', 'place', 'path', 'shadows'),
    description: descriptionOf(one),
    vars: varsIn(one.path),
  }))
}

function varsIn(path: string): Variable[] {
  return declaredIn(path).map(one => ({
    ...someFields(one, 'name', 'description', 'detect'),
    default: one.default?.text ?? null,
    required: one.isRequired,
    type: one.isCommand ? 'command' : 'text',
  }))
}

function descriptionOf({ path }: Template): string | null {
  const file = readWorkflowFile(path)
  const document = file.ok ? readDocument(file.value.text, notesOn(file.value.text, path)) : null
  return document ? (document.description?.text ?? '') : null
}

export function showTemplate(input: Input, name = ''): Result<number> {
  const found = templateNamed(name, input)
  if (!found.ok) return found
  const { path, place, shadows } = found.value
  const loaded = lookAtWorkflow(path, input)
  if (!loaded.ok) return loaded
  const { read } = loaded.value
  if ('problems' in read) {
    const { problems } = read
    outFor<'template'>(input, { name, place, path, shadows, problems }, problemLines(problems).join('\n'))
    return ok(exitCodeOf('invalid-config'))
  }
  const vars = varsIn(path)
  if (input.given('json')) {
    const { workflow, commands, unset } = read
    outDocument<'template'>({ name, place, path, shadows, vars, commands, unset, workflow })
    return ok(0)
  }
  const lines = [
    `${name} (${place}): ${spelledOut(path)}`,
    ...[shadowWords(found.value)].flatMap(words => words ?? []),
    '',
    'variables',
    ...vars.map(variableLine),
    '',
    ...(read.commands.length > 0
      ? ['commands, here', ...commandWords(read.commands).map(line => `  ${line}`), '']
      : []),
    ...workflowPlan(read.workflow),
    `Run it: loop template run ${name}${read.unset.map(variable => ` --set ${variable}=…`).join('')}`,
  ]
  out(lines.map(safeLine).join('\n'))
  return ok(0)
}

type Variable = DocumentOf<typeof templatesSchema>[number]['vars'][number]

function variableLine(one: Variable): string {
  const from =
    one.default !== null
      ? `default: ${one.default}`
      : one.detect !== null
        ? `detected${one.required ? '' : ', may be missing'}`
        : one.required
          ? 'has to be given'
          : 'may be empty'
  return `  ${one.name.padEnd(11)} ${[one.description, from].filter(Boolean).join('; ')}`
}

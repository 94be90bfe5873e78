/** The pages of docs/reference about `--json`, from its schemas: json.md, json.schema.json and report.md. */
import * as z from 'zod'
import { stderrDocuments } from '../src/documents/documents.ts'
import { reportSchema } from '../src/documents/report.ts'
import { type PrintedDocument, printedDocuments, withoutDocument } from './json-forms.ts'

type Schema = {
  type?: string | string[]
  description?: string
  properties?: Record<string, Schema>
  items?: Schema
  /** Of an object whose fields are names. */
  additionalProperties?: Schema | boolean
  anyOf?: Schema[]
  enum?: string[]
}

type Documented = PrintedDocument & { name: string }

const documents: Documented[] = [
  ...Object.entries(printedDocuments).map(([name, printed]) => ({ name, ...printed })),
  ...Object.entries(stderrDocuments()).map(([name, schema]) => ({ name, schema, commands: [], perLine: [] })),
]

/** The form of a command as it is typed. */
function typed(form: string): string {
  return code(`${form.startsWith('loopd ') ? form : `loop ${form}`} --json`)
}

function formOf(schema: z.ZodType): Schema {
  return z.toJSONSchema(schema, { reused: 'inline' }) as Schema
}

export function reportPage(): string {
  return `# The document of \`loop report --json\`

One JSON object; fields are added in later versions, none is taken away. Money is in dollars. A sum in which some run did not say all of its cost is \`costIncomplete\`: it is at least that much. In [json.schema.json](json.schema.json): \`#/$defs/report\`.

${fieldTable(formOf(reportSchema()))}
`
}

export function jsonSchema(): string {
  const forms = documents.map(({ name, schema }) => {
    const { $schema: _, ...form } = z.toJSONSchema(schema, { reused: 'inline' })
    return [name, form]
  })
  const whole = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $defs: Object.fromEntries(forms),
  }
  return `${JSON.stringify(whole, withMoreFields, 2)}\n`
}

/** What a later version adds is no mistake: only our own tests take it for one. */
function withMoreFields(name: string, value: unknown): unknown {
  return name === 'additionalProperties' && value === false ? undefined : value
}

export function jsonPage(): string {
  return `# What \`--json\` prints

Data goes to stdout as one document; \`watch\`, \`logs\` and \`status -w\` print one a line, as things happen. What went wrong goes to stderr as [error](#error), with the exit code of its reason; what a person should know besides, as [notice](#notice). Fields are added in later versions, none is taken away. Money is in dollars. For programs: [json.schema.json](json.schema.json), each document under \`#/$defs\` by its name.

| command | prints |
|---|---|
${documents.flatMap(rowsOf).join('\n')}

These print no document of loop:

${Object.entries(withoutDocument)
  .map(([form, why]) => `- ${typed(form)} ${why}`)
  .join('\n')}

${documents.map(section).join('\n')}`
}

function rowsOf({ name, commands, perLine }: Documented): string[] {
  return [
    ...commands.map(form => row([typed(form), link(name)])),
    ...perLine.map(form => row([typed(form), `${link(name)}, one a line`])),
  ]
}

function section({ name, schema }: Documented): string {
  const form = formOf(schema)
  const isList = form.type === 'array'
  const fields =
    name === 'report'
      ? 'Its fields have [a page of their own](report.md).'
      : fieldTable(isList ? (form.items ?? {}) : form)
  return `## ${name}

${isList ? 'A list of these.\n\n' : ''}${fields}
`
}

/** Where the documents of a command are described, as a sentence. */
export function documentsOf(program: string, command: string): string {
  const name = program === 'loop' ? command : `${program} ${command}`
  const isOf = (form: string) => form === name || form.startsWith(`${name} `)
  const own = documents
    .filter(({ commands, perLine }) => [...commands, ...perLine].some(isOf))
    .map(one => link(one.name))
  const others = Object.entries(withoutDocument).flatMap(([form, why]) =>
    isOf(form) ? `${code(form)} ${why}` : [],
  )
  return [...(own.length > 0 ? [`With \`--json\`: ${own.join(', ')}`] : []), ...others].join('; ') + '.'
}

function link(name: string): string {
  return `[${name}](json.md#${name.toLowerCase()})`
}

function fieldTable(schema: Schema): string {
  return ['| field | type | what it is |', '|---|---|---|', ...fieldRows('', schema)].join('\n')
}

function typesOf({ type = [], anyOf = [] }: Schema): string[] {
  return [...new Set([...[type].flat(), ...anyOf.flatMap(typesOf)])]
}

/** Fields that were described before are not described again. */
function fieldRows(prefix: string, { properties = {} }: Schema, described = new Set<string>()): string[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const [form = schema] = schema.anyOf ?? [schema]
    const isNullable = schema.anyOf?.some(({ type }) => type === 'null') ?? false
    const { additionalProperties: named } = form
    const isNamed = typeof named === 'object' && named.properties !== undefined
    const inner = form.type === 'array' ? (form.items ?? {}) : isNamed ? named : form
    const listed = typesOf(inner).map(one => `${one}s`)
    const word = form.type === 'array' ? `list of ${listed.join(' or ')}` : typesOf(form).join(' or ')
    const type = `${word}${isNullable ? ' or null' : ''}`
    const path = `${prefix}${name}${form.type === 'array' ? '[]' : isNamed ? '.*' : ''}`
    const shape = JSON.stringify(inner.properties ?? {})
    const isKnown = Object.keys(inner.properties ?? {}).length > 0 && described.has(shape)
    described.add(shape)
    const same = isKnown ? ['the same fields as above'] : []
    const words = inner.enum ? [inner.enum.join(', ')] : []
    const what = [schema.description ?? form.description, ...words, ...same].filter(Boolean).join('; ')
    return [row([code(path), type, what]), ...(isKnown ? [] : fieldRows(`${path}.`, inner, described))]
  })
}

export function row(cells: string[]): string {
  return `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

export function code(text: string): string {
  return `\`${text}\``
}

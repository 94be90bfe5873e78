/**
 * The public contract as a list: the fields of documents and events, configuration keys, exit codes, and the numbers of
 * store and journal. docs/reference/contract.json is what was promised once: `npm run reference` only adds to it, and
 * the check fails where something of it is gone. Who removes something announces it first (docs/reference/contract.md),
 * then takes it out of that file by hand.
 */
import * as z from 'zod'
import { stderrDocuments } from '../src/documents/documents.ts'
import { exitCodes } from '../src/model/failure.ts'
import { groupEvent } from '../src/model/group/event.ts'
import { event } from '../src/model/loop/event.ts'
import { holdExits } from '../src/model/loop/words.ts'
import { eventVersion } from '../src/model/version.ts'
import { settings } from '../src/options/setting.ts'
import { applicationId, storeVersion } from '../src/store/sqlite/identity.ts'
import { printedDocuments } from './json-forms.ts'

/** By subject, the lines that are promised. */
export type Contract = Record<string, string[]>

type Form = {
  type?: string | string[]
  const?: unknown
  properties?: Record<string, Form>
  items?: Form | boolean
  additionalProperties?: Form | boolean
  anyOf?: Form[]
  oneOf?: Form[]
}

export function contractNow(): Contract {
  const printed = Object.entries(printedDocuments).map(([name, { schema }]) => [name, schema] as const)
  const documents = [...printed, ...Object.entries(stderrDocuments())]
  return {
    'exit codes': [...Object.entries(exitCodes), ...Object.entries(holdExits)].map(
      ([reason, code]) => `${reason} ${code}`,
    ),
    'configuration keys': settings.map(({ key }) => key),
    store: [`application id ${applicationId}`, `version ${storeVersion}`, `events version ${eventVersion}`],
    ...Object.fromEntries(documents.map(([name, schema]) => [`document ${name}`, fieldsOf(schema)])),
    ...Object.fromEntries(
      [...event.options, ...groupEvent.options].map(one => [`event ${kindOf(one)}`, fieldsOf(one)]),
    ),
  }
}

/** What was promised before, and what is new. */
export function withNew(before: Contract, now: Contract): Contract {
  const subjects = [...new Set([...Object.keys(before), ...Object.keys(now)])].toSorted()
  return Object.fromEntries(
    subjects.map(name => [name, [...new Set([...(before[name] ?? []), ...(now[name] ?? [])])].toSorted()]),
  )
}

/** What was promised and is gone, in lines that say where. */
export function broken(before: Contract, now: Contract): string[] {
  return Object.entries(before).flatMap(([name, lines]) =>
    lines.filter(line => !now[name]?.includes(line)).map(line => `${name}: ${line}`),
  )
}

function kindOf(one: z.ZodType): string {
  const { properties } = z.toJSONSchema(one, { io: 'input', unrepresentable: 'any' }) as Form
  return String(properties?.['kind']?.const)
}

/** `waiting[].id string`: each field by its path, with what it can be. */
function fieldsOf(schema: z.ZodType): string[] {
  const form = z.toJSONSchema(schema, { reused: 'inline', unrepresentable: 'any' }) as Form
  return [...new Set(fields(form, ''))].toSorted()
}

function fields(form: Form, path: string): string[] {
  const ways = [...(form.anyOf ?? []), ...(form.oneOf ?? [])]
  const below = [form, ...ways].flatMap(way => [
    ...Object.entries(way.properties ?? {}).flatMap(([name, of]) =>
      fields(of, path === '' ? name : `${path}.${name}`),
    ),
    ...(typeof way.items === 'object' ? fields(way.items, `${path}[]`) : []),
    ...(typeof way.additionalProperties === 'object' ? fields(way.additionalProperties, `${path}.*`) : []),
  ])
  const types = [form, ...ways].flatMap(({ type = [] }) => type)
  return [`${path} ${[...new Set(types)].toSorted().join('|')}`.trim(), ...below].filter(line => line !== '')
}

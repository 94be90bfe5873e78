/**
 * Every schema that loop hands to others (the documents of --json, workflow files, OpenAPI, the tools of MCP) is plain
 * JSON Schema: strict validators refuse a format that the standard does not define, and a required field without a form.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import * as z from 'zod'
import { tools } from '../../../../src/mcp/contract.ts'
import { openApi } from '../../../../src/server/api/openapi.ts'

const page = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../../docs/reference/${name}`, import.meta.url), 'utf8'))

const handedOut: Record<string, () => unknown> = {
  'json.schema.json': () => page('json.schema.json'),
  'workflow.schema.json': () => page('workflow.schema.json'),
  OpenAPI: openApi,
  'tools of MCP': () =>
    Object.values(tools).flatMap(({ input, output }) => [
      z.toJSONSchema(input, { io: 'input' }),
      z.toJSONSchema(output),
    ]),
}

/** JSON Schema 2020-12, validation, section 7.3. */
const formats =
  'date-time date time duration email idn-email hostname idn-hostname ipv4 ipv6 uri uri-reference iri iri-reference uuid uri-template json-pointer relative-json-pointer regex'.split(
    ' ',
  )

for (const [name, make] of Object.entries(handedOut)) {
  test(`${name}: known formats only, and a form for every required field`, () => {
    const seen = { schemas: 0 }
    assert.deepEqual(problemsOf(make(), '', seen), [])
    assert.ok(seen.schemas > 10, `${seen.schemas} schemas were looked at`)
  })
}

function problemsOf(value: unknown, at: string, seen: { schemas: number }): string[] {
  if (typeof value !== 'object' || value === null) return []
  const below = Object.entries(value).flatMap(([key, inner]) => problemsOf(inner, `${at}/${key}`, seen))
  const { type, format, required, properties = {} } = value as Record<string, unknown>
  if (typeof type !== 'string') return below
  seen.schemas += 1
  const isUnknown = typeof format === 'string' && !formats.includes(format)
  const formless = Array.isArray(required)
    ? required.filter(field => !Object.hasOwn(properties as object, field))
    : []
  return [
    ...below,
    ...(isUnknown ? [`${at}: format ${format}`] : []),
    ...formless.map(field => `${at}: required ${field}`),
  ]
}

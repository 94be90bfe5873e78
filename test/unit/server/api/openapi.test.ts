/**
 * The OpenAPI document, checked against OpenAPI 3.1: the parts of the official schema that our document could violate.
 * If redocly and spectral are installed they check it too (test/e2e/daemon/judged-by-others.test.ts).
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openApi } from '../../../../src/server/api/openapi.ts'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
type Node = { [key: string]: Json }

const document = JSON.parse(JSON.stringify(openApi())) as Node
const operations = Object.entries(document['paths'] as Node).flatMap(([path, item]) =>
  Object.entries(item as Node).map(([method, operation]) => ({ path, method, operation: operation as Node })),
)

function* nodes(value: Json, at = '#'): Generator<[string, Node]> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield [at, value]
  for (const [key, child] of Object.entries(value)) yield* nodes(child, `${at}/${key}`)
}

function found(ref: string): Json | undefined {
  return ref
    .slice(2)
    .split('/')
    .reduce<Json | undefined>((at, key) => (at as Node | undefined)?.[key], document)
}

/** The keywords of JSON Schema 2020-12 that we use, with a check of their value. */
const keywords: Record<string, (value: Json) => boolean> = {
  type: value => [value].flat().every(one => types.includes(String(one))),
  properties: isNode,
  additionalProperties: value => typeof value === 'boolean' || isNode(value),
  required: isTexts,
  items: isNode,
  anyOf: Array.isArray,
  oneOf: Array.isArray,
  allOf: Array.isArray,
  enum: Array.isArray,
  const: () => true,
  default: () => true,
  description: isText,
  pattern: isText,
  format: isText,
  minimum: isNumber,
  maximum: isNumber,
  exclusiveMinimum: isNumber,
  exclusiveMaximum: isNumber,
  minLength: isNumber,
  maxLength: isNumber,
  minItems: isNumber,
  maxItems: isNumber,
  propertyNames: isNode,
  $ref: isText,
}
const types = ['null', 'boolean', 'object', 'array', 'number', 'string', 'integer']

function isNode(value: Json): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
function isText(value: Json): boolean {
  return typeof value === 'string'
}
function isNumber(value: Json): boolean {
  return typeof value === 'number'
}
function isTexts(value: Json): boolean {
  return Array.isArray(value) && value.every(isText)
}

/** Every schema at a place at which OpenAPI expects one, and the schemas inside of it. */
function* schemas(value: Json, at: string): Generator<[string, Node]> {
  if (!isNode(value)) return
  const schema = value as Node
  yield [at, schema]
  const { properties = {}, anyOf = [], oneOf = [], allOf = [], items, additionalProperties } = schema
  for (const [name, child] of Object.entries(properties as Node)) yield* schemas(child, `${at}/${name}`)
  for (const child of [anyOf, oneOf, allOf].flat() as Json[]) yield* schemas(child, `${at}/of`)
  for (const child of [items, additionalProperties]) if (child) yield* schemas(child, `${at}/items`)
}

test('it says 3.1, what it is, and where it is served', () => {
  assert.match(String(document['openapi']), /^3\.1\.\d+$/)
  const { title, version } = document['info'] as Node
  assert.ok(title && version)
  const [server] = document['servers'] as Node[]
  const names = Array.from(String(server?.['url']).matchAll(/\{(\w+)\}/g), ([, name = '']) => name)
  assert.deepEqual(names, Object.keys(server?.['variables'] as Node))
  for (const variable of Object.values(server?.['variables'] as Node))
    assert.match(String((variable as Node)['default']), /^\d+$/)
})

test('every schema is one of JSON Schema 2020-12, not of the dialect of 3.0', () => {
  const roots = [...nodes(document)].flatMap(([at, node]) =>
    node['schema'] ? [[at, node['schema']] as const] : [],
  )
  const named = Object.entries((document['components'] as Node)['schemas'] as Node)
  let seen = 0
  for (const [at, root] of [...roots, ...named]) {
    for (const [place, schema] of schemas(root, at)) {
      seen += 1
      for (const [keyword, value] of Object.entries(schema)) {
        assert.ok(Object.hasOwn(keywords, keyword), `${place}: ${keyword} is no keyword of JSON Schema`)
        assert.ok(keywords[keyword]?.(value), `${place}: ${keyword} is ${JSON.stringify(value)}`)
      }
    }
  }
  assert.ok(seen > 100, `${seen} schemas were looked at`)
})

test('every reference leads somewhere', () => {
  const refs = [...nodes(document)].flatMap(([, node]) =>
    typeof node['$ref'] === 'string' ? [node['$ref']] : [],
  )
  assert.ok(refs.length > 0)
  for (const ref of refs) assert.ok(found(ref), ref)
})

test('every operation has a name of its own, its parameters, a success and a refusal', () => {
  const ids = operations.map(({ operation }) => operation['operationId'])
  assert.equal(new Set(ids).size, ids.length)
  for (const { path, method, operation } of operations) {
    const what = `${method} ${path}`
    const inPath = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name)
    const declared = (operation['parameters'] as Node[]).filter(one => one['in'] === 'path')
    assert.deepEqual(
      declared.map(one => one['name']),
      inPath,
      what,
    )
    assert.ok(
      declared.every(one => one['required'] === true),
      what,
    )
    const statuses = Object.keys(operation['responses'] as Node)
    assert.ok(
      statuses.some(status => /^[23]/.test(status)),
      what,
    )
    assert.ok(
      statuses.some(status => status.startsWith('4')),
      `${what} has no refusal`,
    )
    for (const response of Object.values(operation['responses'] as Node)) {
      const { $ref, description } = response as Node
      assert.ok(typeof $ref === 'string' || typeof description === 'string', what)
    }
  }
})

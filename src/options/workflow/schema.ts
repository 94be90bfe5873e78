/**
 * The JSON Schema of a workflow file, for editors, generated from the reader's tables. It cannot express everything
 * (an unknown reference, a cycle); `loop workflow validate` checks the rest.
 */
import { retryable } from '../../model/group/workflow.ts'
import { purposes } from '../../model/project.ts'
import { type Flag, keyOf } from '../table/flag.ts'
import { type Key, type KeyShape, loopKeys, loopOptions, topKeys } from './keys.ts'
import { nameForm } from './shapes.ts'

type Schema = { [key: string]: unknown }

const text = { type: 'string', minLength: 1 }
const texts = { anyOf: [text, { type: 'array', items: text, minItems: 1 }] }
const name = { type: 'string', pattern: nameForm.source }
const plain = { type: ['string', 'number', 'boolean'] }
const named = (value: Schema): Schema => ({
  type: 'object',
  propertyNames: { pattern: nameForm.source },
  additionalProperties: value,
})

export function workflowSchema(): Schema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'A workflow of loop',
    ...objectOf(topKeys, {}),
  }
}

function objectOf(keys: Key[], more: Record<string, Schema>): Schema {
  const properties = Object.fromEntries(
    keys.map(key => [key.name, { ...shapes[key.shape](), description: key.help }]),
  )
  return {
    type: 'object',
    additionalProperties: false,
    required: keys.filter(({ required }) => required).map(key => key.name),
    properties: { ...properties, ...more },
  }
}

const shapes: Record<KeyShape, () => Schema> = {
  text: () => text,
  texts: () => texts,
  command: () => text,
  commands: () => texts,
  words: () => texts,
  money: () => ({ anyOf: [{ type: 'number', exclusiveMinimum: 0 }, text] }),
  count: () => ({ type: 'integer', minimum: 2, maximum: 8 }),
  env: () => ({
    type: 'object',
    propertyNames: { pattern: '^(?!LOOP_)[A-Za-z_]\\w*$' },
    additionalProperties: plain,
  }),
  vars: () => named({ anyOf: [{ ...plain, type: [...plain.type, 'null'] }, variable] }),
  options: () => ({ type: 'object', additionalProperties: false, properties: options() }),
  loops: () => ({ type: 'array', minItems: 1, items: objectOf(loopKeys, options()) }),
  matrix: () => ({ ...named({ type: 'array', minItems: 1, items: plain }), minProperties: 1 }),
  outputs: () => ({
    anyOf: [{ type: 'array', items: name, uniqueItems: true }, name, named({ type: ['string', 'null'] })],
  }),
  retry: () => ({
    type: 'object',
    additionalProperties: false,
    required: ['max'],
    properties: {
      max: { type: 'integer', minimum: 1, maximum: 10 },
      on: { anyOf: [{ enum: retryable }, { type: 'array', items: { enum: retryable }, minItems: 1 }] },
    },
  }),
}

const variable: Schema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    default: plain,
    description: text,
    required: { type: 'boolean' },
    type: {
      enum: ['text', 'command'],
      description: 'command: it is run by a shell of its own, and stands alone',
    },
    detect: { enum: purposes, description: 'without a value, the command that the project has for this' },
  },
}

/** By its name with _ and, if different, with -. */
function options(): Record<string, Schema> {
  return Object.fromEntries(
    loopOptions.flatMap(flag => {
      const value = { ...valueOf(flag), description: flag.help }
      return [...new Set([keyOf(flag), flag.name])].map(key => [key, value])
    }),
  )
}

function valueOf({ takes, repeat }: Flag): Schema {
  if (takes === undefined) return { type: ['boolean', 'string'] }
  if (repeat) return texts
  const words = takes.split('|')
  const isWords = words.length > 1 && words.every(word => /^[a-z-]+$/.test(word))
  return isWords ? { anyOf: [{ enum: words }, { type: 'string', pattern: '\\{\\{' }] } : plain
}

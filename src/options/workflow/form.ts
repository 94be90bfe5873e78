/**
 * The form of a workflow file, once: the reader checks files with this schema, and the JSON Schema for editors is made
 * from it. The text after a check is the kind of mistake that options/workflow/mistakes puts into words. A schema
 * cannot say everything (an unknown reference, a cycle); the rest of options/workflow does.
 */
import * as z from 'zod'
import { findReferences } from '../../core/text/references.ts'
import { retryable } from '../../model/group/workflow.ts'
import { purposes } from '../../model/project.ts'
import { type Flag, keyOf } from '../table/flag.ts'
import { builtIn, loopOptions, nameForm, optionNamed } from './keys.ts'
import type { Mistake } from './mistakes.ts'

/** A mistake as the text of a check, so that a wrong word is a type error. */
const as = (mistake: Mistake): Mistake => mistake

const text = () =>
  z
    .string(as('text'))
    .refine(value => value.trim() !== '', as('text'))
    .meta({ minLength: 1 })
const texts = () => z.union([text(), z.array(text()).min(1, as('empty-list'))], as('texts'))
const plain = (mistake: Mistake) => z.union([z.string(), z.number(), z.boolean()], mistake)
const name = (mistake: Mistake) => z.string(mistake).regex(nameForm, mistake)
const wholeNumber = (mistake: Mistake, [least, most]: [number, number]) => {
  const number = z.int(mistake).min(least, mistake).max(most, mistake)
  return z.preprocess(value => (/^\d+$/.test(String(value)) ? Number(value) : value), number)
}
const isTrue = (value: unknown) => (value === 'true' || value === 'false' ? value === 'true' : value)
const isPlain = (value: unknown) => !findReferences(String(value)).some(({ kind }) => kind === 'reference')
const key = <T extends z.ZodType>(form: T, help: string) => form.optional().describe(help)

function madeForm(isForEditors: boolean) {
  const options = loopOptionKeys(isForEditors)
  return z.strictObject({
    name: text().describe('the name of the workflow'),
    description: key(text(), 'what it is for'),
    vars: key(vars(), 'the variables that --set gives a value: a default, or a description of each'),
    env: key(env(), 'environment of agents, promises and hooks; {{name}} is replaced, $NAME is not'),
    defaults: key(
      z.strictObject(options, as('defaults')),
      'options of every loop that does not give them itself',
    ),
    budget: key(
      z.union([z.number().meta({ exclusiveMinimum: 0 }), z.string().meta({ minLength: 1 })], as('budget')),
      'what all loops together may cost; none lifts the limit',
    ),
    copy_setup: key(text(), 'the command that prepares a new working copy, such as npm ci'),
    loops: z
      .array(z.strictObject({ ...loopKeys(), ...options }, as('loop')), as('loops'))
      .refine(all => all.length > 0, as('no-loops'))
      .meta({ minItems: 1 })
      .describe('the loops'),
    on_complete: key(texts(), 'run once when all loops have completed'),
    on_failure: key(texts(), 'run once when a loop has failed; {{failed_loop}} is its id'),
  })
}

function loopKeys() {
  const dependency = z.array(plain('dependency'))
  return {
    id: name('id').max(64, as('id')).describe('the name of the loop in this file: letters, digits, - and _'),
    prompt: text().describe('what the agent is asked to do'),
    depends_on: key(
      z.union([text(), dependency], as('texts')),
      'ids of the loops that must have ended before this one begins',
    ),
    when: key(
      text(),
      'whether it runs at all: completed(x), failed(x), skipped(x), outputs.x.field == "v", !=, &&, ||, !',
    ),
    matrix: key(matrix(), 'one loop for each combination of these values, {{matrix.key}}'),
    outputs: key(
      outputs(),
      'what it leaves in $LOOP_OUTPUT_FILE for others: names, or names and what they are',
    ),
    confirm: key(text(), 'a question that a human answers before the loop begins'),
    confirm_at_end: key(texts(), 'a criterion that a human confirms at the end, as --confirm of a start'),
    retry: key(retry(), 'start it again: max, and on which ends'),
    best_of: key(wholeNumber('count', [2, 8]), 'so many attempts in copies, from 2 to 8; the best is kept'),
  }
}

function vars() {
  const described = z
    .strictObject({
      default: plain('default').refine(isPlain, as('default')).optional(),
      description: plain('word').optional(),
      required: z.preprocess(isTrue, z.boolean(as('word'))).optional(),
      type: key(
        z.enum(variableTypes, as('word')),
        'command: it is run by a shell of its own, and stands alone',
      ),
      detect: key(z.enum(purposes, as('word')), 'without a value, the command that the project has for this'),
    })
    .refine(({ detect, type }) => !detect || type === 'command', { path: ['detect'], error: as('detect') })
    .refine(({ required, ...one }) => !required || one.default === undefined, {
      path: ['required'],
      error: as('required'),
    })
  const simple = z.string().refine(isPlain, as('default'))
  const value = z.union([simple, z.number(), z.boolean(), z.null(), described], as('variable'))
  const free = name('variable-name').refine(one => !builtIn.includes(one), as('reserved'))
  return z.record(free, value, as('vars'))
}

const variableTypes = ['text', 'command']

function env() {
  const free = z.string().regex(/^(?!LOOP_)[A-Za-z_]\w*$/, as('env-name'))
  return z.record(free, plain('env-value'), as('env'))
}

function matrix() {
  const values = z.array(plain('matrix-value').refine(isPlain, as('matrix-value')), as('matrix-values'))
  return z
    .record(name('matrix-name'), values.min(1, as('matrix-values')), as('matrix'))
    .refine(keys => Object.keys(keys).length > 0, as('no-matrix'))
    .meta({ minProperties: 1 })
}

function outputs() {
  const one = z.string(as('text')).regex(nameForm, as('output-name'))
  const list = z
    .array(one)
    .min(1, as('empty-list'))
    .superRefine((all, { addIssue }) => {
      for (const [i, other] of all.entries())
        if (all.indexOf(other) < i) addIssue({ code: 'custom', path: [i], message: as('twice') })
    })
  const words = z.union([z.string(), z.number(), z.boolean(), z.null()], as('output-words'))
  return z.union([list.meta({ uniqueItems: true }), one, z.record(one, words)], as('texts'))
}

function retry() {
  const end = z.enum(retryable, as('retry-on'))
  return z.strictObject(
    {
      max: wholeNumber('retry-max', [1, 10]),
      on: z.union([end, z.array(end).min(1, as('empty-list'))], as('texts')).optional(),
    },
    as('retry'),
  )
}

/** The reader has made - and _ one already, and judges words by the table of options; an editor knows neither. */
function loopOptionKeys(isForEditors: boolean): Record<string, z.ZodType> {
  const [single, several] = [plain('option').optional(), texts().optional()]
  const valueOf = ({ takes, repeat }: Flag) => {
    const words = takes === undefined ? ['true', 'false'] : takes.split('|')
    const isWords = words.length > 1 && words.every(word => /^[a-z-]+$/.test(word))
    if (repeat || !isForEditors || !isWords) return repeat ? several : single
    const more = takes === undefined ? z.boolean() : z.enum(words)
    return z.union([more, z.string().regex(/\{\{/)]).optional()
  }
  return Object.fromEntries(
    loopOptions.flatMap(flag => {
      const value = valueOf(flag)
      if (!isForEditors) return [[keyOf(flag), value]]
      return [keyOf(flag), flag.name].map(one => [one, value.describe(flag.help)])
    }),
  )
}

let form: ReturnType<typeof madeForm> | null = null

/** Made once, when a file is read: it costs some milliseconds. */
export function workflowForm(): ReturnType<typeof madeForm> {
  form ??= madeForm(false)
  return form
}

export function workflowSchema(): object {
  return z.toJSONSchema(madeForm(true).meta({ title: 'A workflow of loop' }))
}

/** The keys with what they are, without the options of a start. */
export function fileKeys(part: 'top' | 'loop'): { name: string; help: string }[] {
  const { shape } = workflowForm()
  const keys: Record<string, z.ZodType> = part === 'top' ? shape : shape.loops.element.shape
  return Object.entries(keys).flatMap(([one, { description }]) =>
    part === 'loop' && optionNamed(one) ? [] : [{ name: one, help: description ?? '' }],
  )
}

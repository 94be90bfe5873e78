/**
 * The mistakes in the form of a workflow file, each with its position: the schema (options/workflow/form) says the
 * path and the kind of a mistake, the tree of the YAML has the position of every path, and here is the sentence for
 * each kind. An unknown key gets the nearest known one.
 */
import type * as z from 'zod'
import { findReferences } from '../../core/text/references.ts'
import { retryable } from '../../model/group/workflow.ts'
import { purposes } from '../../model/project.ts'
import { nearest } from '../nearest.ts'
import { keyOf, laterFlags } from '../table/flag.ts'
import { groupFlags } from '../table/group.ts'
import { expectedInstead } from '../values.ts'
import { fileKeys, workflowForm } from './form.ts'
import { isOfTheRun, nameRule, optionNamed, optionNames } from './keys.ts'
import { entryOf, kindOfNode, type MapNode, type Node, type ProblemNotes, type SourceRange } from './yaml.ts'

/** What a sentence is about. `key`: the last key of the path, as it is written; `above`: the one before it. */
type Subject = { key: string; above: string; node: Node; kind: string; text: string }

type Words = [message: string, hint?: string | null]

const is =
  (what: string) =>
  ({ key, kind }: Subject): Words => [`${key} is ${what}; this is ${kind}.`]

/** A number or a switch, where a text was expected, has to be quoted. */
const isText =
  (what: string) =>
  ({ key, kind, node, text }: Subject): Words => [
    `${key} is ${what}; this is ${kind}.`,
    node.is === 'text' && !node.isString ? `Put it into quotes: "${text}"` : null,
  ]

const noName =
  (what: string) =>
  (one: Subject): Words => [`"${one.text}" cannot be the name of ${what}.`, `A name is ${nameRule}.`]

const oneOf = (words: readonly string[], typed: string) => {
  const near = nearest(typed, words)
  return near ? `Did you mean ${near}?` : null
}

const retries = 'a whole number from 1 to 10'

const words: Record<string, readonly string[]> = {
  required: ['true', 'false'],
  type: ['text', 'command'],
  detect: purposes,
}

/** By the kind of mistake, which is the text of a check in options/workflow/form. */
const sentences = {
  text: isText('a text'),
  texts: isText('a text or a list of texts'),
  'empty-list': ({ key }) => [`${key} is an empty list.`, 'Give it an item, or remove it.'],
  twice: ({ text }) => [`${text} is given twice.`, 'Keep one of them.'],
  budget: ({ kind }) => [`budget is an amount in dollars; this is ${kind}.`],
  defaults: is('a map of options'),
  vars: is('a map: the name of each variable, and its default'),
  variable: is('its default, or a map with default, description, required, type, detect'),
  'variable-name': noName('a variable'),
  reserved: ({ text }) => [
    `${text} is a name that loop gives a value itself.`,
    'Give the variable another name.',
  ],
  default: ({ node, key, kind }) =>
    node.is === 'text'
      ? ['A default is text as it is: nothing is replaced in it.']
      : [`${key} is one value; this is ${kind}.`],
  word: ({ key, node, kind, text }) =>
    node.is === 'text'
      ? [`${key} is ${words[key]?.join(' or ')}; not "${text}".`, oneOf(words[key] ?? [], text)]
      : [`${key} is one value; this is ${kind}.`],
  detect: () => ['What is detected is a command.', 'Add type: command'],
  required: ({ above }) => [`${above} has a default, so it is not required.`, 'Remove one of the two.'],
  env: is('a map: the name of each variable, and its value'),
  'env-value': ({ key, kind, node }) => [
    `${key} is a text; this is ${kind}.`,
    node.is === 'empty' ? 'For an empty value write ""' : null,
  ],
  'env-name': ({ text }) =>
    text.startsWith('LOOP_')
      ? [`${text}: names that begin with LOOP_ are set by loop.`, 'Take another name.']
      : [`"${text}" cannot be the name of an environment variable.`, 'A name is letters, digits and _.'],
  loops: ({ node, kind }) => [
    `loops is a list of loops; this is ${kind}.`,
    node.is === 'map' ? 'Each loop is an item: - id: build' : null,
  ],
  'no-loops': () => ['loops is an empty list.', 'Add a loop: - id: build'],
  loop: ({ kind }) => [`A loop is a map of keys; this is ${kind}.`],
  id: ({ node, kind, text }) => [
    node.is === 'text' ? `"${text}" cannot be the id of a loop.` : `id is a text; this is ${kind}.`,
    `An id is ${nameRule}, at most 64 of them.`,
  ],
  dependency: ({ kind }) => [`An item of depends_on is the id of a loop; this is ${kind}.`],
  matrix: is('a map: the name of each key, and the list of its values'),
  'no-matrix': () => ['matrix has no keys.', 'Give it one, such as os: [linux, macos]'],
  'matrix-name': noName('a key of a matrix'),
  'matrix-values': ({ key, node, kind }) => [
    `${key} of matrix is a list of values; this is ${node.is === 'list' ? 'an empty one' : kind}.`,
    `Such as ${key}: [a, b]`,
  ],
  'matrix-value': ({ above, node, kind }) => [
    `A value of ${above} is one plain value; this is ${node.is === 'text' ? 'a text with a reference' : kind}.`,
  ],
  'output-name': noName('an output'),
  'output-words': ({ key, kind }) => [`${key} of outputs is a text that says what it is; this is ${kind}.`],
  retry: is('a map with max and on'),
  'retry-max': ({ kind }) => [`max of retry is ${retries}; this is ${kind}.`],
  'retry-on': ({ text }) => [
    `on of retry has no ${text}.`,
    oneOf(retryable, text) ?? `There are: ${retryable.join(', ')}.`,
  ],
  count: ({ key, kind }) => [`${key} is a whole number from 2 to 8; this is ${kind}.`],
  option: ({ key, kind }) => {
    const flag = optionNamed(key)
    return [`${key} is ${(flag && expectedInstead(flag, '')) ?? 'one value'}; this is ${kind}.`]
  },
} satisfies Record<string, (one: Subject) => Words>

export type Mistake = keyof typeof sentences

/** A mistake at a path; `of`: an unknown key, or the name of a key that does not fit. */
type FoundMistake = { path: PropertyKey[]; mistake: string; of: 'value' | 'key' | 'unknown' }

/** Notes all mistakes; returns the paths of the parts that have one: `defaults`, `loops.2`. */
export function checkForm(tree: MapNode, notes: ProblemNotes): Set<string> {
  const twice: [SourceRange, string][] = []
  // Compiling the schema would take longer than using it once.
  const { error } = workflowForm().safeParse(plainOf(tree, [], twice), { jitless: true })
  const found = (error?.issues ?? []).flatMap(issue => mistakesOf(issue, []))
  for (const one of found) note(one, tree, notes)
  for (const [range, message] of twice) notes.mark(range, message, 'Keep one of them.')
  return new Set(found.map(({ path }) => path.slice(0, path[0] === 'loops' ? 2 : 1).join('.')))
}

/** A map whose keys may be written with - or _: the file itself, `defaults`, a loop. */
function hasOptions([first, ...rest]: readonly PropertyKey[]): boolean {
  return first === undefined || rest.length === ['defaults', 'loops'].indexOf(String(first))
}

/** The value without positions. Of two keys that are the same, perhaps only to a shell, the first counts. */
function plainOf(node: Node, path: readonly PropertyKey[], twice: [SourceRange, string][]): unknown {
  if (node.is === 'empty') return null
  // An id such as 5 is a name.
  if (node.is === 'text') return path.length === 3 && path[2] === 'id' ? node.text : node.value
  if (node.is === 'list') return node.items.map((item, i) => plainOf(item, [...path, i], twice))
  const isOption = hasOptions(path)
  const areAlike = isOption || ['vars', 'matrix', 'outputs'].includes(String(path.at(-1)))
  const found = new Map<string, string>()
  const entries = node.entries.flatMap(({ key, keyRange, value }) => {
    const name = areAlike ? key.replaceAll('-', '_') : key
    const other = found.get(name)
    const isSame = other === key || isOption
    if (other)
      twice.push([keyRange, `${key} ${isSame ? 'is given twice' : `is the same as ${other} to a shell`}.`])
    found.set(name, other ?? key)
    const typed = isOption ? name : key
    return other ? [] : [[typed, plainOf(value, [...path, typed], twice)]]
  })
  return Object.fromEntries(entries)
}

/** Of a value that could have several forms, the mistakes in the one that it has. */
function mistakesOf(issue: z.core.$ZodIssue, before: PropertyKey[]): FoundMistake[] {
  const path = [...before, ...issue.path]
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map(key => ({ path: [...path, key], mistake: '', of: 'unknown' }))
  if (issue.code === 'invalid_key')
    return issue.issues.slice(0, 1).map(({ message }) => ({ path, mistake: message, of: 'key' }))
  const forms = issue.code === 'invalid_union' ? issue.errors.toSorted((a, b) => depthOf(b) - depthOf(a)) : []
  const form = forms.find(issues => !issues.some(one => one.code === 'invalid_type' && one.path.length === 0))
  return form ? form.flatMap(one => mistakesOf(one, path)) : [{ path, mistake: issue.message, of: 'value' }]
}

function depthOf(issues: readonly z.core.$ZodIssue[]): number {
  return Math.max(...issues.map(({ path }) => path.length))
}

function note({ path, mistake, of }: FoundMistake, tree: MapNode, notes: ProblemNotes): void {
  const around = nodeAt(tree, path.slice(0, -1))
  const last = path.at(-1)
  const entry = around?.is === 'map' ? entryOf(around, String(last)) : undefined
  if (entry && of === 'unknown') return notes.mark(entry.keyRange, ...unknownKey(entry.key, path))
  const node = entry?.value ?? (around?.is === 'list' ? around.items[Number(last)] : undefined)
  if (around?.is === 'map' && !node) return noteMissing(path, around, notes)
  // options/workflow/document and workflow judge the text of an option and of the budget.
  if (!node || (node.is === 'text' && (mistake === 'option' || mistake === 'budget'))) return
  const list = nodeAt(tree, path.slice(0, -2))
  const before = String(path.at(-2))
  const above = (list?.is === 'map' && entryOf(list, before)?.key) || before
  const key = entry?.key ?? `An item of ${above}`
  const text = of === 'key' ? key : node.is === 'text' ? node.text : ''
  const sentence: (one: Subject) => Words = sentences[mistake as Mistake]
  const range = of === 'key' ? entry?.keyRange : rangeOf(mistake, node)
  const place = mistake === 'env-value' && node.is === 'empty' ? entry?.keyRange : range
  notes.mark(place ?? node.range, ...sentence({ key, above, node, kind: kindOfNode(node), text }))
}

/** The part of the value that is wrong. */
function rangeOf(mistake: string, node: Node): SourceRange {
  if (mistake === 'loops' && node.is === 'map') return firstKey(node)
  const [found] =
    node.is === 'text' ? findReferences(node.text).filter(({ kind }) => kind === 'reference') : []
  return mistake === 'default' && node.is === 'text' && found
    ? node.within(found.start, found.end)
    : node.range
}

function nodeAt(node: Node | undefined, path: readonly PropertyKey[]): Node | undefined {
  const [first, ...rest] = path
  if (!node || first === undefined) return node
  if (node.is === 'list') return nodeAt(node.items[Number(first)], rest)
  return node.is === 'map' ? nodeAt(entryOf(node, String(first))?.value, rest) : undefined
}

function firstKey({ entries, range }: MapNode): SourceRange {
  return entries[0]?.keyRange ?? { start: range.start, end: range.start + 1 }
}

/** At the position of the map that lacks the key. */
function noteMissing(path: PropertyKey[], map: MapNode, notes: ProblemNotes): void {
  const [above, name] = [path.at(-2), String(path.at(-1))]
  const id = entryOf(map, 'id')?.value
  const loop = id?.is === 'text' ? `The loop ${id.text}` : 'This loop'
  const what = path.length === 1 ? 'The workflow' : above === 'retry' ? above : loop
  const help = [...fileKeys('top'), ...fileKeys('loop')].find(key => key.name === name)?.help ?? retries
  notes.mark(
    above === 'retry' ? map.range : firstKey(map),
    `${what} has no ${name}.`,
    `Add ${name}: ${help}.`,
  )
}

/** What is wrong with a key that is unknown here, and what to do. */
function unknownKey(key: string, path: readonly PropertyKey[]): Words {
  const name = key.replaceAll('-', '_')
  const [top, loop] = [fileKeys('top').map(one => one.name), fileKeys('loop').map(one => one.name)]
  const above = path.slice(0, -1)
  if (!hasOptions(above)) {
    const [what, names] =
      above.at(-1) === 'retry'
        ? ['retry', ['max', 'on']]
        : ['A variable', ['default', 'description', ...Object.keys(words)]]
    return [`${what} has no ${key}.`, oneOf(names, key) ?? `There are: ${names.join(', ')}.`]
  }
  const place = above.length === 0 ? 'top' : above.length === 1 ? 'defaults' : 'loop'
  if (laterFlags['start']?.includes(name.replaceAll('_', '-')) && !loop.includes(name))
    return [`${key} is not available in this version of loop yet.`, 'Remove it: nothing is ignored silently.']
  if (place !== 'loop' && loop.includes(name))
    return [`${key} belongs to a loop.`, 'Put it into an item of loops:, beside its id.']
  if (place === 'top' && optionNamed(name))
    return [`${key} belongs to a loop, or to defaults.`, 'For all loops, put it below defaults:']
  if (place !== 'top' && top.includes(name))
    return [`${key} belongs to the workflow.`, 'Put it at the top of the file, beside name:']
  if (isOfTheRun(name))
    return [
      `${key} is about the run as a whole, not about a loop.`,
      `Give it on the command line: loop workflow run … --${name.replaceAll('_', '-')}`,
    ]
  if (groupFlags.some(flag => keyOf(flag) === name))
    return [`${key} is not available in a workflow yet.`, 'Remove it: nothing is ignored silently.']
  const names = { top, defaults: optionNames, loop: [...loop, ...optionNames] }[place]
  const where = { top: 'A workflow', defaults: 'defaults', loop: 'A loop' }[place]
  return [`${where} has no key ${key}.`, oneOf(names, name) ?? `The keys there are: ${names.join(', ')}.`]
}

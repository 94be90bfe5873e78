/**
 * Reads the value of a key by its shape, and notes what was expected if it has another. Used for the top level of a
 * workflow file and for its loops.
 */
import { nearest } from '../nearest.ts'
import { keyOf } from '../table/flag.ts'
import { groupFlags } from '../table/group.ts'
import { laterFlags } from '../table/later.ts'
import { isOfTheRun, type Key, loopKeys, loopOptions, optionNamed, topKeys } from './keys.ts'
import type { MapNode, Node, ProblemNotes, SourceRange, TextNode, YamlEntry } from './yaml.ts'

/**
 * Names of loops, variables, matrix keys and outputs: the form excludes names that could be confused with each
 * other.
 */
export const nameForm = /^[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*$/

export const nameRule = 'letters and digits, with single - and _ between them'

type Place = 'top' | 'defaults' | 'loop'

export function readText(value: Node, key: string, notes: ProblemNotes): TextNode | null {
  if (value.is === 'text' && value.isString && value.text.trim() !== '') return value
  notes.mark(value.range, `${key} is a text; this is ${kindOfNode(value)}.`, stringHint(value))
  return null
}

function stringHint(value: Node): string | null {
  return value.is === 'text' && !value.isString ? `Put it into quotes: "${value.text}"` : null
}

/** One text, or a list of them. */
export function readTexts(value: Node, key: string, notes: ProblemNotes): TextNode[] {
  if (value.is !== 'list') {
    const text = value.is === 'text' ? readText(value, key, notes) : null
    if (value.is !== 'text')
      notes.mark(value.range, `${key} is a text or a list of texts; this is ${kindOfNode(value)}.`)
    return text ? [text] : []
  }
  if (value.items.length === 0)
    notes.mark(value.range, `${key} is an empty list.`, 'Give it an item, or remove it.')
  return value.items.flatMap(item => readText(item, `An item of ${key}`, notes) ?? [])
}

export function readMap(value: Node, what: string, notes: ProblemNotes): MapNode | null {
  if (value.is === 'map') return value
  notes.mark(value.range, `${what}; this is ${kindOfNode(value)}.`)
  return null
}

export function kindOfNode(value: Node): string {
  if (value.is === 'empty') return 'empty'
  if (value.is === 'map') return 'a map of keys'
  if (value.is === 'list') return 'a list'
  if (value.isString) return value.text.trim() === '' ? 'empty' : 'a text'
  return /^(true|false)$/.test(value.text) ? `the word ${value.text}` : `the number ${value.text}`
}

/** The entries of a map by key, without unknown, misplaced and duplicate ones. */
export function knownEntries(
  { entries }: MapNode,
  keys: { place: Place; names: readonly string[] },
  notes: ProblemNotes,
): YamlEntry[] {
  const seen = new Map<string, SourceRange>()
  return entries.filter(({ key, keyRange }) => {
    const name = key.replaceAll('-', '_')
    const isKnown = keys.names.includes(name)
    if (!isKnown) notes.mark(keyRange, ...unknownKey(key, keys))
    else if (seen.has(name)) notes.mark(keyRange, `${key} is given twice.`, 'Keep one of them.')
    const isFirst = isKnown && !seen.has(name)
    if (isFirst) seen.set(name, keyRange)
    return isFirst
  })
}

/** What is wrong with a key that is unknown here, and what to do. */
function unknownKey(
  key: string,
  { place, names }: { place: Place; names: readonly string[] },
): [string, string] {
  const name = key.replaceAll('-', '_')
  const where = { top: 'A workflow', defaults: 'defaults', loop: 'A loop' }[place]
  if (laterFlags['start']?.includes(name.replaceAll('_', '-')) && !named(loopKeys, name)) {
    return [`${key} is not available in this version of loop yet.`, 'Remove it: nothing is ignored silently.']
  }
  if (place !== 'loop' && named(loopKeys, name)) {
    return [`${key} belongs to a loop.`, `Put it into an item of loops:, beside its id.`]
  }
  if (place === 'top' && optionNamed(name)) {
    return [`${key} belongs to a loop, or to defaults.`, `For all loops, put it below defaults:`]
  }
  if (place !== 'top' && named(topKeys, name)) {
    return [`${key} belongs to the workflow.`, 'Put it at the top of the file, beside name:']
  }
  if (isOfTheRun(name)) {
    const flag = name.replaceAll('_', '-')
    return [
      `${key} is about the run as a whole, not about a loop.`,
      `Give it on the command line: loop workflow run … --${flag}`,
    ]
  }
  if (groupFlags.some(flag => keyOf(flag) === name)) {
    return [`${key} is not available in a workflow yet.`, 'Remove it: nothing is ignored silently.']
  }
  const near = nearest(name, names)
  return [
    `${where} has no key ${key}.`,
    near ? `Did you mean ${near}?` : `The keys there are: ${names.join(', ')}.`,
  ]
}

function named(keys: Key[], name: string): boolean {
  return keys.some(key => key.name === name)
}

/** Notes the missing keys, at the position of the map that lacks them. */
export function checkRequired(
  found: YamlEntry[],
  keys: Key[],
  missed: { range: SourceRange; what: string; notes: ProblemNotes },
): boolean {
  const missing = keys.filter(
    ({ name, required }) => required && !found.some(({ key }) => key.replaceAll('-', '_') === name),
  )
  for (const { name, help } of missing)
    missed.notes.mark(missed.range, `${missed.what} has no ${name}.`, `Add ${name}: ${help}.`)
  return missing.length === 0
}

export const optionNames: readonly string[] = loopOptions.map(({ name }) => name.replaceAll('-', '_'))

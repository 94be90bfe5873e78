/** The parts of a workflow file with their own syntax: options, variables, environment, matrix, outputs, retry. */

import { findReferences } from '../../core/text/references.ts'
import { unknownAgentWords } from '../../failures/agent.ts'
import { failureWords } from '../../failures/words.ts'
import { retryable } from '../../model/group/workflow.ts'
import { purposes } from '../../model/project.ts'
import { agentNamed } from '../agent.ts'
import { nearest } from '../nearest.ts'
import type { Flag } from '../table/flag.ts'
import { expectedInstead } from '../value.ts'
import type { LoopEntry, OptionEntry, VarEntry, WorkflowDocument } from './document.ts'
import { optionNamed } from './keys.ts'
import { kindOfNode, nameForm, nameRule, readMap, readTexts } from './shapes.ts'
import type { Node, ProblemNotes, SourceRange, TextNode, YamlEntry } from './yaml.ts'

/** Null if the entry is not an option, or its value is invalid. */
export function optionOf({ key, keyRange, value }: YamlEntry, notes: ProblemNotes): OptionEntry | null {
  const flag = optionNamed(key)
  if (!flag) return null
  const items = flag.repeat ? readTexts(value, key, notes) : oneValue(flag, { key, value }, notes)
  return { flag, keyRange, items }
}

function oneValue(flag: Flag, { key, value }: { key: string; value: Node }, notes: ProblemNotes): TextNode[] {
  if (value.is !== 'text') {
    const expected = expectedInstead(flag, '') ?? 'one value'
    notes.mark(value.range, `${key} is ${expected}; this is ${kindOfNode(value)}.`)
    return []
  }
  if (!hasReference(value)) judgeOption({ flag, key, text: value.text, range: value.range }, notes)
  return [value]
}

type Given = { flag: Flag; key: string; text: string; range: SourceRange }

/** By the same rules as a flag, a variable and a configuration file. */
export function judgeOption({ flag, key, text, range }: Given, notes: ProblemNotes): void {
  const expected = expectedInstead(flag, text)
  if (expected !== null) {
    const near = nearest(text, flag.takes?.split('|') ?? ['true', 'false'])
    return notes.mark(range, `${key} is ${expected}; not "${text}".`, near ? `Did you mean ${near}?` : null)
  }
  if (flag.name !== 'agent') return
  const agent = agentNamed(text)
  if (agent.ok) return
  const { facts } = agent.failure
  if (facts.kind !== 'unknown-agent') return notes.mark(range, failureWords(agent.failure))
  notes.mark(range, ...unknownAgentWords(facts))
}

export function hasReference({ text }: TextNode): boolean {
  return findReferences(text).some(({ kind }) => kind === 'reference')
}

const varKeys = ['default', 'description', 'required', 'type', 'detect']

export function varsOf(value: Node, notes: ProblemNotes): VarEntry[] {
  const map = readMap(value, 'vars is a map: the name of each variable, and its default', notes)
  return (map?.entries ?? []).flatMap((entry, i, all) => {
    const { key, keyRange } = entry
    if (!isName(entry, 'variable', notes)) return []
    if (builtIn.includes(key)) {
      notes.mark(
        keyRange,
        `${key} is a name that loop gives a value itself.`,
        'Give the variable another name.',
      )
      return []
    }
    if (isTwice(all.slice(0, i), entry, notes)) return []
    return [varOf(entry, notes)]
  })
}

/** Names without a dot that a file may not declare. */
export const builtIn = ['failed_loop', 'matrix', 'outputs', 'loop', 'workflow', 'vars', 'env']

function varOf({ key, keyRange, value }: YamlEntry, notes: ProblemNotes): VarEntry {
  const flags = { isRequired: true, isCommand: false, detect: null }
  const none: VarEntry = { name: key, keyRange, default: null, description: null, ...flags }
  if (value.is === 'empty') return none
  if (value.is === 'text') return { ...none, default: plainDefault(value, notes), isRequired: false }
  const map = readMap(value, `${key} is its default, or a map with ${varKeys.join(', ')}`, notes)
  const known = (map?.entries ?? []).filter(entry => isOneOf(varKeys, entry, { what: 'A variable', notes }))
  const found = (name: string) => {
    const node = known.find(entry => entry.key === name)?.value
    if (node && node.is !== 'text')
      notes.mark(node.range, `${name} is one value; this is ${kindOfNode(node)}.`)
    return node?.is === 'text' ? node : null
  }
  const [given, required, type] = [found('default'), found('required'), found('type')]
  isWord(required, ['true', 'false'], { what: 'required', notes })
  isWord(type, ['text', 'command'], { what: 'type', notes })
  const detect = found('detect')
  isWord(detect, [...purposes], { what: 'detect', notes })
  if (detect && type?.text !== 'command')
    notes.mark(detect.range, 'What is detected is a command.', 'Add type: command')
  if (given && required?.text === 'true')
    notes.mark(required.range, `${key} has a default, so it is not required.`, 'Remove one of the two.')
  return {
    ...none,
    default: given && plainDefault(given, notes),
    description: found('description')?.text ?? null,
    isRequired: given === null && required?.text !== 'false',
    isCommand: type?.text === 'command',
    detect: purposes.find(purpose => purpose === detect?.text) ?? null,
  }
}

function plainDefault(node: TextNode, notes: ProblemNotes): TextNode {
  const [found] = findReferences(node.text).filter(({ kind }) => kind === 'reference')
  if (found)
    notes.mark(node.within(found.start, found.end), 'A default is text as it is: nothing is replaced in it.')
  return node
}

function isOneOf(
  names: readonly string[],
  { key, keyRange }: Pick<YamlEntry, 'key' | 'keyRange'>,
  { what, notes }: { what: string; notes: ProblemNotes },
): boolean {
  if (names.includes(key)) return true
  const near = nearest(key, names)
  notes.mark(
    keyRange,
    `${what} has no ${key}.`,
    near ? `Did you mean ${near}?` : `There are: ${names.join(', ')}.`,
  )
  return false
}

function isWord(
  node: TextNode | null,
  words: string[],
  { what, notes }: { what: string; notes: ProblemNotes },
): void {
  if (!node || words.includes(node.text)) return
  const near = nearest(node.text, words)
  notes.mark(
    node.range,
    `${what} is ${words.join(' or ')}; not "${node.text}".`,
    near ? `Did you mean ${near}?` : null,
  )
}

function isName(
  { key, keyRange }: Pick<YamlEntry, 'key' | 'keyRange'>,
  what: string,
  notes: ProblemNotes,
): boolean {
  if (nameForm.test(key)) return true
  notes.mark(keyRange, `"${key}" cannot be the name of a ${what}.`, `A name is ${nameRule}.`)
  return false
}

/** Two names that differ only in - and _ would be the same environment variable. */
function isTwice(before: YamlEntry[], { key, keyRange }: YamlEntry, notes: ProblemNotes): boolean {
  const other = before.find(entry => entry.key.replaceAll('-', '_') === key.replaceAll('-', '_'))
  if (!other) return false
  const why = other.key === key ? 'is given twice' : `is the same as ${other.key} to a shell`
  notes.mark(keyRange, `${key} ${why}.`, 'Keep one of them.')
  return true
}

export function envOf(value: Node, notes: ProblemNotes): WorkflowDocument['env'] {
  const map = readMap(value, 'env is a map: the name of each variable, and its value', notes)
  return (map?.entries ?? []).flatMap((entry, i, all) => {
    const { key, keyRange, value: node } = entry
    const isReserved = key.startsWith('LOOP_')
    if (isReserved)
      notes.mark(keyRange, `${key}: names that begin with LOOP_ are set by loop.`, 'Take another name.')
    else if (!/^[A-Za-z_]\w*$/.test(key))
      notes.mark(
        keyRange,
        `"${key}" cannot be the name of an environment variable.`,
        'A name is letters, digits and _.',
      )
    else if (all.slice(0, i).some(other => other.key === key))
      notes.mark(keyRange, `${key} is given twice.`, 'Keep one of them.')
    else if (node.is === 'text') return [{ name: key, keyRange, value: node }]
    else
      notes.mark(
        node.is === 'empty' ? keyRange : node.range,
        `${key} is a text; this is ${kindOfNode(node)}.`,
        emptyText(node),
      )
    return []
  })
}

function emptyText(node: Node): string | null {
  return node.is === 'empty' ? 'For an empty value write ""' : null
}

export function matrixOf(value: Node, notes: ProblemNotes): LoopEntry['matrix'] {
  const map = readMap(value, 'matrix is a map: the name of each key, and the list of its values', notes)
  if (map?.entries.length === 0)
    notes.mark(map.range, 'matrix has no keys.', 'Give it one, such as os: [linux, macos]')
  return (map?.entries ?? []).flatMap((entry, i, all) => {
    const { key, keyRange, value: list } = entry
    if (!isName(entry, 'key of a matrix', notes) || isTwice(all.slice(0, i), entry, notes)) return []
    if (list.is !== 'list' || list.items.length === 0) {
      notes.mark(
        list.range,
        `${key} of matrix is a list of values; this is ${list.is === 'list' ? 'an empty one' : kindOfNode(list)}.`,
        `Such as ${key}: [a, b]`,
      )
      return []
    }
    const values = list.items.filter((item): item is TextNode => isMatrixValue(key, item, notes))
    return [{ key, keyRange, values }]
  })
}

function isMatrixValue(key: string, item: Node, notes: ProblemNotes): boolean {
  if (item.is === 'text' && !hasReference(item)) return true
  const what = item.is === 'text' ? 'a text with a reference' : kindOfNode(item)
  notes.mark(item.range, `A value of ${key} is one plain value; this is ${what}.`)
  return false
}

/** `[version, report]`, or a map from names to descriptions. */
export function outputsOf(value: Node, notes: ProblemNotes): LoopEntry['outputs'] {
  const found =
    value.is === 'map'
      ? describedOutputs(value.entries, notes)
      : readTexts(value, 'outputs', notes).map(name => ({ name, description: null }))
  return found.filter(({ name }, i) => {
    const before = found.slice(0, i).some(other => other.name.text === name.text)
    if (before) notes.mark(name.range, `${name.text} is given twice.`, 'Keep one of them.')
    return isName({ key: name.text, keyRange: name.range }, 'output', notes) && !before
  })
}

function describedOutputs(entries: YamlEntry[], notes: ProblemNotes): LoopEntry['outputs'] {
  return entries.map(({ key, keyRange, value }) => {
    if (value.is !== 'text' && value.is !== 'empty')
      notes.mark(
        value.range,
        `${key} of outputs is a text that says what it is; this is ${kindOfNode(value)}.`,
      )
    const name: TextNode = { is: 'text', text: key, isString: true, range: keyRange, within: () => keyRange }
    return { name, description: value.is === 'text' ? value.text : null }
  })
}

const mostRetries = 10

export function retryOf(value: Node, notes: ProblemNotes): LoopEntry['retry'] {
  const map = readMap(value, 'retry is a map with max and on', notes)
  if (!map) return null
  const known = map.entries.filter(entry => isOneOf(['max', 'on'], entry, { what: 'retry', notes }))
  const max = known.find(({ key }) => key === 'max')?.value
  const on = known.find(({ key }) => key === 'on')?.value
  const times = max?.is === 'text' && /^\d+$/.test(max.text) ? Number(max.text) : 0
  if (!max) notes.mark(map.range, 'retry has no max.', `Add max: a whole number from 1 to ${mostRetries}.`)
  else if (times < 1 || times > mostRetries)
    notes.mark(
      max.range,
      `max of retry is a whole number from 1 to ${mostRetries}; this is ${kindOfNode(max)}.`,
    )
  const words = on ? readTexts(on, 'on', notes) : []
  for (const word of words)
    isOneOf(retryable, { key: word.text, keyRange: word.range }, { what: 'on of retry', notes })
  return { max: Math.max(1, times), on: on ? words.map(({ text }) => text) : ['failed', 'crashed'] }
}

/**
 * Parses a workflow file into a document: everything that can be checked without variables, the system or other
 * loops. Every mistake is noted with its position, and reading continues, so that all mistakes are reported at once.
 */
import type { LoopEntry, OptionEntry, WorkflowDocument } from './document.ts'
import { envOf, matrixOf, optionOf, outputsOf, retryOf, varsOf } from './entries.ts'
import { loopKeys, topKeys } from './keys.ts'
import {
  checkRequired,
  kindOfNode,
  knownEntries,
  nameForm,
  nameRule,
  optionNames,
  readMap,
  readText,
  readTexts,
} from './shapes.ts'
import {
  type MapNode,
  type Node,
  type ProblemNotes,
  readYaml,
  type TextNode,
  type YamlEntry,
} from './yaml.ts'

/** Null if too little of it can be read; the mistakes are in `notes` either way. */
export function readDocument(text: string, notes: ProblemNotes): WorkflowDocument | null {
  const nul = text.indexOf('\0')
  if (nul !== -1) {
    notes.mark({ start: nul, end: nul + 1 }, 'There is a NUL byte, so this is not a text file.')
    return null
  }
  const tree = readYaml(text, notes)
  if (!tree) return null
  const start = { start: 0, end: Math.max(1, text.indexOf('\n')) }
  if (tree.is !== 'map') {
    const what =
      tree.is === 'empty' ? 'The file is empty.' : `A workflow is a map of keys; this is ${kindOfNode(tree)}.`
    notes.mark(
      tree.is === 'empty' ? start : tree.range,
      what,
      'It begins with name: and has a list of loops:',
    )
    return null
  }
  return documentOf(tree, notes)
}

function documentOf(map: MapNode, notes: ProblemNotes): WorkflowDocument | null {
  const names = topKeys.map(({ name }) => name)
  const entries = knownEntries(map, { place: 'top', names }, notes)
  const whole = { range: firstKey(map), what: 'The workflow', notes }
  checkRequired(entries, topKeys, whole)
  const value = (name: string) => entries.find(({ key }) => key.replaceAll('-', '_') === name)?.value
  const text = (name: string) => withValue(value(name), node => readText(node, name, notes))
  const texts = (name: string) => withValue(value(name), node => readTexts(node, name, notes)) ?? []
  const name = text('name')
  const [vars, env, defaults, loops] = [value('vars'), value('env'), value('defaults'), value('loops')]
  const budget = value('budget')
  if (budget && budget.is !== 'text')
    notes.mark(budget.range, `budget is an amount in dollars; this is ${kindOfNode(budget)}.`)
  const before = notes.problems.length
  const common = defaults ? defaultsOf(defaults, notes) : new Map<string, OptionEntry>()
  const document = {
    areDefaultsSound: notes.problems.length === before,
    description: text('description'),
    vars: vars ? varsOf(vars, notes) : null,
    env: env ? envOf(env, notes) : [],
    defaults: common,
    budget: budget?.is === 'text' ? budget : null,
    copySetup: text('copy_setup'),
    loops: loops ? loopsOf(loops, notes) : [],
    onComplete: texts('on_complete'),
    onFailure: texts('on_failure'),
  }
  return name && { name, ...document }
}

function withValue<T>(node: Node | undefined, read: (node: Node) => T): T | null {
  return node === undefined ? null : read(node)
}

function firstKey({ entries, range }: MapNode): { start: number; end: number } {
  return entries[0]?.keyRange ?? { start: range.start, end: range.start + 1 }
}

function defaultsOf(value: Node, notes: ProblemNotes): Map<string, OptionEntry> {
  const map = readMap(value, 'defaults is a map of options', notes)
  return map
    ? optionsOf(knownEntries(map, { place: 'defaults', names: optionNames }, notes), notes)
    : new Map()
}

function optionsOf(entries: YamlEntry[], notes: ProblemNotes): Map<string, OptionEntry> {
  const options = new Map<string, OptionEntry>()
  for (const entry of entries) {
    const option = optionOf(entry, notes)
    if (option) options.set(option.flag.name, option)
  }
  return options
}

function loopsOf(value: Node, notes: ProblemNotes): LoopEntry[] {
  if (value.is !== 'list') {
    const hint = value.is === 'map' ? 'Each loop is an item: - id: build' : null
    notes.mark(
      value.is === 'map' ? firstKey(value) : value.range,
      `loops is a list of loops; this is ${kindOfNode(value)}.`,
      hint,
    )
    return []
  }
  if (value.items.length === 0) notes.mark(value.range, 'loops is an empty list.', 'Add a loop: - id: build')
  return value.items.flatMap(item => {
    const map = readMap(item, 'A loop is a map of keys', notes)
    return (map && loopOf(map, notes)) ?? []
  })
}

function loopOf(map: MapNode, notes: ProblemNotes): LoopEntry | null {
  const before = notes.problems.length
  const names = [...loopKeys.map(({ name }) => name), ...optionNames]
  const entries = knownEntries(map, { place: 'loop', names }, notes)
  const id = entries.find(({ key }) => key === 'id')?.value
  const what = id?.is === 'text' ? `The loop ${id.text}` : 'This loop'
  checkRequired(entries, loopKeys, { range: firstKey(map), what, notes })
  const value = (name: string) => entries.find(({ key }) => key.replaceAll('-', '_') === name)?.value
  const text = (name: string) => withValue(value(name), node => readText(node, name, notes))
  const [matrix, outputs, retry, bestOf] = [
    value('matrix'),
    value('outputs'),
    value('retry'),
    value('best_of'),
  ]
  const loop = {
    id: id ? idOf(id, notes) : null,
    prompt: text('prompt'),
    options: optionsOf(entries, notes),
    dependsOn: withValue(value('depends_on'), node => dependenciesOf(node, notes)) ?? [],
    when: text('when'),
    matrix: matrix ? matrixOf(matrix, notes) : [],
    outputs: outputs ? outputsOf(outputs, notes) : [],
    confirm: text('confirm'),
    retry: retry ? retryOf(retry, notes) : null,
    bestOf: bestOf ? bestOfFrom(bestOf, notes) : null,
  }
  confirmedAtEnd(entries, loop.options, notes)
  // Reading continues without a prompt or an id, because other loops refer to this one.
  const { id: name, prompt } = loop
  const isSound = notes.problems.length === before
  return name && { ...loop, id: name, prompt: prompt ?? { ...name, text: '' }, isSound }
}

/** The equivalent of `--confirm` of a start. */
function confirmedAtEnd(entries: YamlEntry[], options: Map<string, OptionEntry>, notes: ProblemNotes): void {
  const entry = entries.find(({ key }) => key.replaceAll('-', '_') === 'confirm_at_end')
  if (!entry) return
  const flag = { name: 'confirm', takes: 'what', repeat: true as const, help: '' }
  const items = readTexts(entry.value, entry.key, notes)
  options.set('confirm', { flag, keyRange: entry.keyRange, items })
}

function idOf(value: Node, notes: ProblemNotes): TextNode | null {
  if (value.is === 'text' && nameForm.test(value.text) && value.text.length <= 64) return value
  const what =
    value.is === 'text'
      ? `"${value.text}" cannot be the id of a loop.`
      : `id is a text; this is ${kindOfNode(value)}.`
  notes.mark(value.range, what, `An id is ${nameRule}, at most 64 of them.`)
  return null
}

/** An empty list counts as none. */
function dependenciesOf(value: Node, notes: ProblemNotes): TextNode[] {
  if (value.is === 'list' && value.items.length === 0) return []
  if (value.is !== 'list') return readTexts(value, 'depends_on', notes)
  return value.items.flatMap(item => {
    if (item.is === 'text') return item
    notes.mark(item.range, `An item of depends_on is the id of a loop; this is ${kindOfNode(item)}.`)
    return []
  })
}

function bestOfFrom(value: Node, notes: ProblemNotes): number | null {
  if (value.is === 'text' && /^[2-8]$/.test(value.text)) return Number(value.text)
  notes.mark(value.range, `best_of is a whole number from 2 to 8; this is ${kindOfNode(value)}.`)
  return null
}

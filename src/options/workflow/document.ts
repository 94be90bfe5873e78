/**
 * A workflow file as written: its parts with their positions, before variables, matrix and options are interpreted.
 * What does not have the form of a workflow is noted by options/workflow/mistakes and left out here, so that the rest
 * is checked as well and all mistakes are reported at once.
 */
import { findReferences } from '../../core/text/references.ts'
import { unknownAgentWords } from '../../failures/agent.ts'
import { failureWords } from '../../failures/words.ts'
import { purposes } from '../../model/project.ts'
import { agentNamed } from '../agent.ts'
import { nearest } from '../nearest.ts'
import type { Flag } from '../table/flag.ts'
import { expectedInstead } from '../values.ts'
import { builtIn, nameForm, optionNamed } from './keys.ts'
import { checkForm } from './mistakes.ts'
import {
  entryOf,
  kindOfNode,
  type MapNode,
  type Node,
  type ProblemNotes,
  readYaml,
  type SourceRange,
  type TextNode,
  type YamlEntry,
} from './yaml.ts'

export type OptionEntry = { flag: Flag; keyRange: SourceRange; items: TextNode[] }

export type VarEntry = ReturnType<typeof varOf>[number]

export type LoopEntry = ReturnType<typeof loopOf>[number]

export type WorkflowDocument = NonNullable<ReturnType<typeof documentOf>>

/** Null if too little of it can be read; the mistakes are in `notes` either way. */
export function readDocument(text: string, notes: ProblemNotes): WorkflowDocument | null {
  const nul = text.indexOf('\0')
  if (nul !== -1) {
    notes.mark({ start: nul, end: nul + 1 }, 'There is a NUL byte, so this is not a text file.')
    return null
  }
  const tree = readYaml(text, notes)
  if (tree?.is === 'map') return documentOf(tree, notes)
  if (!tree) return null
  const isEmpty = tree.is === 'empty'
  notes.mark(
    isEmpty ? { start: 0, end: Math.max(1, text.indexOf('\n')) } : tree.range,
    isEmpty ? 'The file is empty.' : `A workflow is a map of keys; this is ${kindOfNode(tree)}.`,
    'It begins with name: and has a list of loops:',
  )
  return null
}

function documentOf(map: MapNode, notes: ProblemNotes) {
  const unsound = checkForm(map, notes)
  const at = (key: string) => entryOf(map, key)?.value
  const name = textOf(at('name'))
  const before = notes.problems.length
  const defaults = optionsOf(at('defaults'), notes)
  const areDefaultsSound = notes.problems.length === before && !unsound.has('defaults')
  const document = {
    description: textOf(at('description')),
    /** Null if the file has no such key: then every used name is a variable. */
    vars: at('vars') ? entriesOf(at('vars')).flatMap(varOf) : null,
    env: entriesOf(at('env')).flatMap(({ key, keyRange, value }) =>
      value.is === 'text' ? [{ name: key, keyRange, value }] : [],
    ),
    defaults,
    /** No mistake was found in the defaults. */
    areDefaultsSound,
    budget: scalarOf(at('budget')),
    copySetup: textOf(at('copy_setup')),
    loops: itemsOf(at('loops')).flatMap((item, i) =>
      loopOf(item, { isSound: !unsound.has(`loops.${i}`), notes }),
    ),
    onComplete: textsOf(at('on_complete')),
    onFailure: textsOf(at('on_failure')),
  }
  return name && { name, ...document }
}

function scalarOf(node: Node | undefined): TextNode | null {
  return node?.is === 'text' ? node : null
}

function textOf(node: Node | undefined): TextNode | null {
  const text = scalarOf(node)
  return text?.isString && text.text.trim() !== '' ? text : null
}

function itemsOf(node: Node | undefined): Node[] {
  return node?.is === 'list' ? node.items : []
}

function textsOf(node: Node | undefined): TextNode[] {
  return (node?.is === 'list' ? node.items : [node]).flatMap(item => textOf(item) ?? [])
}

/** Each key once: of two that are the same, the first. */
function entriesOf(node: Node | undefined): YamlEntry[] {
  return node?.is === 'map' ? node.entries.filter(entry => entryOf(node, entry.key) === entry) : []
}

function optionsOf(node: Node | undefined, notes: ProblemNotes): Map<string, OptionEntry> {
  const options = new Map<string, OptionEntry>()
  for (const { key, keyRange, value } of entriesOf(node)) {
    const flag = optionNamed(key)
    if (!flag || options.has(flag.name)) continue
    const one = scalarOf(value)
    if (!flag.repeat && one && !hasReference(one))
      judgeOption({ flag, key, text: one.text, range: one.range }, notes)
    options.set(flag.name, { flag, keyRange, items: flag.repeat ? textsOf(value) : one ? [one] : [] })
  }
  return options
}

type GivenOption = { flag: Flag; key: string; text: string; range: SourceRange }

/** By the same rules as a flag, a variable and a configuration file. */
export function judgeOption({ flag, key, text, range }: GivenOption, notes: ProblemNotes): void {
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

function varOf({ key, keyRange, value }: YamlEntry) {
  if (!nameForm.test(key) || builtIn.includes(key)) return []
  const at = (name: string) => (value.is === 'map' ? scalarOf(entryOf(value, name)?.value) : null)
  const given = scalarOf(value) ?? at('default')
  return [
    {
      name: key,
      keyRange,
      default: given,
      description: at('description')?.text ?? null,
      isRequired: given === null && at('required')?.text !== 'false',
      /** Its value is a command, which runs in a shell of its own. */
      isCommand: at('type')?.text === 'command',
      /** Without a value it is the project's command for this purpose. */
      detect: purposes.find(purpose => purpose === at('detect')?.text) ?? null,
    },
  ]
}

/** Reading continues without a prompt, because other loops refer to this one. */
function loopOf(map: Node, { isSound, notes }: { isSound: boolean; notes: ProblemNotes }) {
  if (map.is !== 'map') return []
  const at = (key: string) => entryOf(map, key)?.value
  const id = scalarOf(at('id'))
  if (!id || !nameForm.test(id.text) || id.text.length > 64) return []
  const before = notes.problems.length
  const options = optionsOf(map, notes)
  const atEnd = entryOf(map, 'confirm_at_end')
  const flag = { name: 'confirm', takes: 'what', repeat: true as const, help: '' }
  if (atEnd) options.set('confirm', { flag, keyRange: atEnd.keyRange, items: textsOf(atEnd.value) })
  const needs = at('depends_on')
  const bestOf = Number(scalarOf(at('best_of'))?.text ?? 0)
  return [
    {
      id,
      prompt: textOf(at('prompt')) ?? { ...id, text: '' },
      /** By the name of the flag. */
      options,
      dependsOn: needs?.is === 'list' ? needs.items.flatMap(item => scalarOf(item) ?? []) : textsOf(needs),
      when: textOf(at('when')),
      matrix: entriesOf(at('matrix')).flatMap(({ key, keyRange, value }) => {
        const values = itemsOf(value).flatMap(item => scalarOf(item) ?? [])
        return values.length > 0 && nameForm.test(key) ? [{ key, keyRange, values }] : []
      }),
      outputs: outputsOf(at('outputs')),
      confirm: textOf(at('confirm')),
      retry: retryOf(at('retry')),
      bestOf: bestOf >= 2 && bestOf <= 8 ? bestOf : null,
      /** No mistake was found in it so far. */
      isSound: isSound && notes.problems.length === before,
    },
  ]
}

/** `[version, report]`, or a map from names to descriptions. */
function outputsOf(node: Node | undefined): { name: TextNode; description: string | null }[] {
  const described = entriesOf(node).map(({ key, keyRange, value }) => {
    const whole = { range: keyRange, within: () => keyRange }
    const name: TextNode = { is: 'text', text: key, value: key, isString: true, ...whole }
    return { name, description: scalarOf(value)?.text ?? null }
  })
  const listed = textsOf(node).map(name => ({ name, description: null }))
  return [...described, ...listed].filter(({ name }) => nameForm.test(name.text))
}

function retryOf(node: Node | undefined): { max: number; on: string[] } | null {
  if (node?.is !== 'map') return null
  const on = entryOf(node, 'on')?.value
  const max = Number(scalarOf(entryOf(node, 'max')?.value)?.text ?? 1)
  return { max, on: on ? textsOf(on).map(({ text }) => text) : ['failed', 'crashed'] }
}

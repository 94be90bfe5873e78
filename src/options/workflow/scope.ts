/**
 * The values that a text of a workflow file may refer to, by its position: variables (also by `--set`), matrix values,
 * outputs of earlier loops, the loop that failed. Values known before the start become text, the others stay references.
 * A text in the form of a reference must be a valid one.
 */
import { environmentName, textPieces } from '../../core/text/references.ts'
import { problemOfValue } from '../../core/workflow.ts'
import { invalid, ok, type Result } from '../../model/failure.ts'
import type { Reference, Text } from '../../model/group/workflow.ts'
import type { ProjectCommands, Purpose } from '../../model/project.ts'
import { nearest } from '../nearest.ts'
import type { WorkflowDocument } from './document.ts'
import { builtIn, nameForm, nameRule } from './keys.ts'
import type { ProblemNotes, TextNode } from './yaml.ts'

export type Variable = {
  value: string | null
  isCommand: boolean
  /** The purpose for which its command can be detected; `because`: the files that name the command, if it was. */
  detect?: Purpose
  because?: string | null
}

export type Scope = {
  /** The position in words, for messages: "the prompt of a loop". */
  where: string
  vars: Map<string, Variable>
  /** Any used name is a variable: the file declares none. */
  isOpen: boolean
  /** Values known before the start, by path: matrix.os, loop.id, workflow.name. */
  known: Map<string, string>
  /** Values known only while the group runs, by path. */
  later: Map<string, Reference>
  /** Why a name that exists elsewhere cannot be used here, and what to do; null if it is unknown. */
  explain(path: string): [string, string] | null
  /** Variables without a value, while the file is only validated. */
  unset: Set<string>
  /** A variable without a value is a mistake. */
  isComplete: boolean
}

type FoundName = { value: string | Reference } | { problem: string; hint: string | null }

export function lookUp(path: string, scope: Scope): FoundName {
  const known = scope.known.get(path)
  if (known !== undefined) return { value: known }
  const later = scope.later.get(path)
  if (later) return { value: later }
  const variable = scope.vars.get(path)
  if (variable) return valueOf(path, variable, scope)
  const explained = scope.explain(path)
  if (explained) return { problem: explained[0], hint: explained[1] }
  if (scope.isOpen && !path.includes('.') && !builtIn.includes(path)) return openVariable(path, scope)
  const names = namesIn(scope)
  const near = nearest(path, names)
  const literal = `To leave it as text, write \\{{${path}}}.`
  const hint = near ? `Did you mean {{${near}}}? ${literal}` : `${listed(names)} ${literal}`
  return { problem: `There is no {{${path}}} for ${scope.where}.`, hint }
}

function listed(names: string[]): string {
  return names.length > 0 ? `There are: ${names.slice(0, 12).join(', ')}.` : 'Declare it below vars:.'
}

function openVariable(path: string, scope: Scope): FoundName {
  if (!nameForm.test(path))
    return { problem: `"${path}" cannot be a variable.`, hint: `A name is ${nameRule}.` }
  return valueOf(path, { value: null, isCommand: false }, scope)
}

function valueOf(path: string, { value, detect }: Variable, scope: Scope): FoundName {
  if (value !== null) {
    const why = problemOfValue(value)
    return why === null
      ? { value }
      : { problem: `The value of ${path} ${why}.`, hint: 'Put it into a file and name that.' }
  }
  const isSaid = scope.unset.has(path)
  scope.unset.add(path)
  if (!scope.isComplete || isSaid) return { value: `{{${path}}}` }
  const problem = detect ? `loop found no ${detect} command in this project.` : `${path} has no value.`
  return { problem, hint: `Give it one: --set ${path}=…` }
}

export function namesIn({ vars, known, later }: Scope): string[] {
  return [...vars.keys(), ...known.keys(), ...later.keys()]
}

/** The text with known values filled in; null after a mistake, which is noted. */
export function textFrom(node: TextNode, scope: Scope, notes: ProblemNotes): Text | null {
  const text: Text = []
  let isSound = true
  for (const piece of textPieces(node.text)) {
    const found = typeof piece === 'string' ? { value: piece } : lookUp(piece.path, scope)
    if ('problem' in found) {
      const { start, end } = typeof piece === 'string' ? { start: 0, end: 0 } : piece
      notes.mark(node.within(start, end), found.problem, found.hint)
      isSound = false
      continue
    }
    const before = text.at(-1)
    if (typeof found.value === 'string' && typeof before === 'string')
      text[text.length - 1] = before + found.value
    else text.push(found.value)
  }
  return isSound ? text : null
}

/** The same if everything must be known before the start; null also if it depends on a variable without a value. */
export function knownText(node: TextNode, scope: Scope, notes: ProblemNotes): string | null {
  const text = textFrom(node, { ...scope, later: new Map() }, notes)
  const isUnset = textPieces(node.text).some(
    piece => typeof piece !== 'string' && scope.unset.has(piece.path),
  )
  return text === null || isUnset ? null : text.join('')
}

/** The path for which an environment variable stands here. */
export function pathOfVariable(name: string, scope: Scope): string | null {
  return namesIn(scope).find(path => environmentName(path) === name) ?? null
}

/** `--set name=value`: the values of a workflow's variables, and the final value of each. */
export function parseSet(typed: readonly string[]): Result<Map<string, string>> {
  const values = new Map<string, string>()
  for (const one of typed) {
    const at = one.indexOf('=')
    const name = one.slice(0, at)
    if (at < 1) return invalid({ kind: 'bad-set', typed: one })
    if (!nameForm.test(name)) return invalid({ kind: 'bad-set-name', name, rule: nameRule })
    if (values.has(name)) return invalid({ kind: 'set-twice', name })
    const value = one.slice(at + 1)
    const problem = problemOfValue(value)
    if (problem !== null) return invalid({ kind: 'bad-set-value', name, why: problem })
    values.set(name, value)
  }
  return ok(values)
}

type Declared = Pick<WorkflowDocument, 'vars'>

/** What is wrong with the names that got a value; `used` are the names in a file that declares none. */
export function unknownVariable(
  { vars }: Declared,
  set: Map<string, string>,
  used: ReadonlySet<string>,
): string | null {
  const names = vars ? vars.map(({ name }) => name) : [...used]
  const unknown = [...set.keys()].find(name => !names.includes(name))
  if (unknown === undefined) return null
  const near = nearest(unknown, names)
  const there = names.length > 0 ? `There are: ${names.join(', ')}.` : 'It has none.'
  return `The workflow has no variable ${unknown}. ${near ? `Did you mean --set ${near}=…?` : there}`
}

type Sources = {
  set: Map<string, string>
  used: ReadonlySet<string>
  /** The commands of the project; called only if a variable needs one. */
  project(): ProjectCommands
}

/** All variables of a file with their values; null for one without a value. */
export function variablesFrom({ vars }: Declared, { set, used, project }: Sources): Map<string, Variable> {
  const plain = { default: null, isRequired: true, isCommand: false, detect: null }
  const declared = vars ?? [...used].map(name => ({ name, ...plain }))
  return new Map(
    declared.map(({ name, isRequired, isCommand, detect, default: otherwise }) => {
      const given = set.get(name) ?? otherwise?.text ?? null
      const found = given === null && detect !== null ? project()[detect] : null
      const value = given ?? found?.command ?? (isRequired ? null : '')
      return [name, { value, isCommand, ...(detect && { detect, because: found?.because ?? null }) }]
    }),
  )
}

/**
 * Which values a text of a workflow file may name, by where it stands: variables, values of a matrix, outputs of
 * loops that come before, the loop that failed. What is known before the start becomes text, the rest stays a
 * reference. A text that has the form of a reference must be one.
 */
import { environmentName, textPieces } from '../../core/text/references.ts'
import { problemOfValue } from '../../core/workflow/values.ts'
import type { Reference, Text } from '../../model/group/workflow.ts'
import type { Purpose } from '../../model/project.ts'
import { nearest } from '../nearest.ts'
import { builtIn } from './entries.ts'
import { nameForm, nameRule } from './shapes.ts'
import type { ProblemNotes, TextNode } from './yaml.ts'

export type Variable = {
  value: string | null
  isCommand: boolean
  /** What it is for, where it may be detected; `because`: the files that say so, where it was. */
  detect?: Purpose
  because?: string | null
}

export type Scope = {
  /** In words: "the prompt of a loop", for sentences. */
  where: string
  vars: Map<string, Variable>
  /** Any name that is used is a variable: the file declares none. */
  isOpen: boolean
  /** Values that are known before the start, by their path: matrix.os, loop.id, workflow.name. */
  known: Map<string, string>
  /** Values that only the running group knows, by their path. */
  later: Map<string, Reference>
  /** Why a name that exists elsewhere cannot be used here, and what to do; null where it is just unknown. */
  explain(path: string): [string, string] | null
  /** Variables that have no value; used where only the file is looked at. */
  unset: Set<string>
  /** A variable without a value is a mistake. */
  isComplete: boolean
}

type Found = { value: string | Reference } | { problem: string; hint: string | null }

export function lookUp(path: string, scope: Scope): Found {
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

function openVariable(path: string, scope: Scope): Found {
  if (!nameForm.test(path))
    return { problem: `"${path}" cannot be a variable.`, hint: `A name is ${nameRule}.` }
  return valueOf(path, { value: null, isCommand: false }, scope)
}

function valueOf(path: string, { value, detect }: Variable, scope: Scope): Found {
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

/** The text with what is known put in; null where something is wrong, which is noted. */
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

/** The same where all of it must be known before the start; null too where it depends on a variable without a value. */
export function knownText(node: TextNode, scope: Scope, notes: ProblemNotes): string | null {
  const text = textFrom(node, { ...scope, later: new Map() }, notes)
  const isUnset = textPieces(node.text).some(
    piece => typeof piece !== 'string' && scope.unset.has(piece.path),
  )
  return text === null || isUnset ? null : text.join('')
}

/** The path that a variable of the environment stands for here. */
export function pathOfVariable(name: string, scope: Scope): string | null {
  return namesIn(scope).find(path => environmentName(path) === name) ?? null
}

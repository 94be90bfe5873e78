/**
 * Fills texts and environments with values known only while the group runs; a missing value is an error, never
 * empty.
 */
import type { Reference, Text, Variables } from '../../model/group/workflow.ts'

/** Null: there is no value. */
type ValueOf = (reference: Reference) => string | null

type Missing = { missing: Reference }

export function fill(text: Text, valueOf: ValueOf): { text: string } | Missing {
  let filled = ''
  for (const piece of text) {
    const value = typeof piece === 'string' ? piece : valueOf(piece)
    if (value === null) return { missing: piece as Reference }
    filled += value
  }
  return { text: filled }
}

/** `unfit`: the variable that cannot be passed to a program, and why. */
export function filledEnvironment(
  variables: Variables,
  valueOf: ValueOf,
): { env: Record<string, string> } | Missing | { unfit: string; why: string } {
  const env: Record<string, string> = {}
  let bytes = 0
  for (const [name, text] of Object.entries(variables)) {
    const filled = fill(text, valueOf)
    if ('missing' in filled) return filled
    const why = problemOfValue(filled.text)
    if (why !== null) return { unfit: name, why }
    bytes += lengthOf(filled.text)
    if (bytes > mostBytesTogether) return { unfit: name, why: 'makes the environment larger than 1 MB' }
    env[name] = filled.text
  }
  return { env }
}

/** Linux accepts at most 128 kB for one variable, including its name. */
const mostBytes = 131_072 - 1_024
const mostBytesTogether = 1_000_000

/** Why a value cannot be an environment variable; worded to follow the value's name. */
export function problemOfValue(value: string): string | null {
  if (value.includes('\0')) return 'holds a NUL byte, which no environment variable can'
  if (!value.isWellFormed()) return 'is not text: it holds half of a character'
  if (lengthOf(value) > mostBytes)
    return 'is longer than 127 kB, the most that fits into an environment variable'
  return null
}

function lengthOf(text: string): number {
  let bytes = 0
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4
  }
  return bytes
}

/** For people: references as they are written. */
export function writtenText(text: Text): string {
  return text.map(piece => (typeof piece === 'string' ? piece : `{{${pathOf(piece)}}}`)).join('')
}

function pathOf(reference: Reference): string {
  switch (reference.of) {
    case 'output':
      return `outputs.${reference.loop}.${reference.field}`
    case 'failed-loop':
      return 'failed_loop'
    case 'group-id':
      return 'workflow.id'
    default:
      return reference satisfies never
  }
}

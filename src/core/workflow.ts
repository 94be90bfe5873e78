/**
 * The rules of a workflow: the order of its loops and where each runs, whether one runs at all, the values that are known
 * only while it runs, and how its file differs from the one it started with.
 */
import type {
  endings,
  Reference,
  Text,
  Variables,
  When,
  WorkflowLoop,
  WorkflowSpec,
} from '../model/group/workflow.ts'

/** Needs that are not in the graph are ignored. */
type Linked = { id: string; needs: readonly string[] }

/** Everything that must have ended before each loop, directly or indirectly. For loops in a cycle, all of the cycle. */
export function predecessorsOf(loops: readonly Linked[]): Map<string, Set<string>> {
  const needs = new Map(loops.map(loop => [loop.id, loop.needs]))
  return new Map(
    loops.map(({ id }) => {
      const found = new Set<string>()
      const open = [...(needs.get(id) ?? [])]
      for (let next = open.pop(); next !== undefined; next = open.pop()) {
        if (found.has(next) || !needs.has(next)) continue
        found.add(next)
        open.push(...(needs.get(next) ?? []))
      }
      return [id, found]
    }),
  )
}

/**
 * The cycles, each once, starting with the loop that comes first in the file: a, b means that a needs b and b needs
 * a.
 */
export function circlesOf(loops: readonly Linked[]): string[][] {
  const needs = new Map(loops.map(loop => [loop.id, loop.needs]))
  const done = new Set<string>()
  const circles: string[][] = []
  const visit = (id: string, path: string[]) => {
    const at = path.indexOf(id)
    if (at !== -1) circles.push(path.slice(at))
    if (at !== -1 || done.has(id)) return
    for (const next of needs.get(id) ?? []) visit(next, [...path, id])
    done.add(id)
  }
  for (const { id } of loops) visit(id, [])
  return circles
}

export function placesOf(loops: readonly Linked[]): Map<string, 'tree' | 'copy'> {
  const ancestors = predecessorsOf(loops)
  const isBefore = (a: string, b: string) => ancestors.get(b)?.has(a) === true
  return new Map(
    loops.map(({ id }) => {
      const isAlone = loops.every(
        other => other.id === id || isBefore(id, other.id) || isBefore(other.id, id),
      )
      return [id, isAlone ? 'tree' : 'copy']
    }),
  )
}

/** The worst case of a workflow before it starts: every loop at its limit, every retry and attempt used. */
export type WorstCase = {
  loops: number
  /** The starts of all loops, with attempts and retries. */
  starts: number
  /** Null: a loop has no limit. */
  iterations: number | null
  /** Null: no limit. */
  costUsd: number | null
}

export function worstCase({ loops, budgetUsd }: Pick<WorkflowSpec, 'loops' | 'budgetUsd'>): WorstCase {
  const startsOf = (loop: WorkflowSpec['loops'][number]) => (loop.bestOf ?? 1) * (1 + (loop.retry?.max ?? 0))
  const together = (each: (loop: WorkflowSpec['loops'][number]) => number | null) =>
    loops.reduce<number | null>((sum, loop) => {
      const most = each(loop)
      return sum === null || most === null ? null : sum + most * startsOf(loop)
    }, 0)
  const eachToItsOwn = together(({ spec }) => spec.budgetUsd)
  const limits = [budgetUsd, eachToItsOwn].filter(usd => usd !== null)
  return {
    loops: loops.length,
    starts: loops.reduce((sum, loop) => sum + startsOf(loop), 0),
    iterations: together(({ spec }) => spec.maxIterations),
    costUsd: limits.length > 0 ? Math.min(...limits) : null,
  }
}

/** The differences between a workflow file now and at its start, loop by loop, for the person who has to accept them. */

/** One line each; empty if only comments or layout differ. */
export function workflowDifference(before: WorkflowSpec, now: WorkflowSpec): string[] {
  const old = new Map(before.loops.map(loop => [loop.id, loop]))
  const ids = new Set(now.loops.map(({ id }) => id))
  const loops = now.loops.flatMap(loop => {
    const known = old.get(loop.id)
    if (!known) return [`${loop.id} is new`]
    const parts = changedParts(known, loop)
    return parts.length > 0 ? [`${loop.id}: ${parts.join(', ')} changed`] : []
  })
  const gone = before.loops.filter(({ id }) => !ids.has(id)).map(({ id }) => `${id} is gone`)
  const rest = (['env', 'copySetup', 'onComplete', 'onFailure', 'budgetUsd'] as const)
    .filter(name => !isSame(before[name], now[name]))
    .map(name => `${names[name]} changed`)
  return [...loops, ...gone, ...rest]
}

const names = {
  env: 'env',
  copySetup: 'copy_setup',
  onComplete: 'on_complete',
  onFailure: 'on_failure',
  budgetUsd: 'budget',
}

/** Options of the spec are named one by one. */
function changedParts(before: WorkflowLoop, now: WorkflowLoop): string[] {
  const { spec: oldSpec, ...old } = before
  const { spec, ...rest } = now
  const differ = (one: object, other: object, apart: string[] = []) =>
    [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(
      name => !apart.includes(name) && !isSame(Reflect.get(one, name), Reflect.get(other, name)),
    )
  return [...differ(old, rest), ...differ(oldSpec, spec, ['prompt', 'agentNotes'])]
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/**
 * Fills texts and environments with values known only while the group runs; a missing value is an error, never
 * empty.
 */

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

/**
 * Decides whether a loop of a workflow runs, once all its needs have ended. Without a condition, all of them must
 * have completed; a condition about the ending of some replaces that rule for those. A missing output is an error,
 * never empty. Parsing: options/workflow/expand.
 */

type Ending = (typeof endings)[number]

type Facts = { ending(loop: string): Ending; output(loop: string, field: string): string | null }

type WhenVerdict =
  | { is: 'run' }
  /** `because`: a need that has not completed; null: the condition does not hold. */
  | { is: 'skip'; because: { loop: string; ending: Ending } | null }
  | { is: 'missing'; loop: string; field: string }

export function judgeWhen(loop: { needs: readonly string[]; when: When | null }, facts: Facts): WhenVerdict {
  const asked = new Set(loop.when ? askedOf(loop.when) : [])
  for (const need of loop.needs) {
    const ending = facts.ending(need)
    if (!asked.has(need) && ending !== 'completed') return { is: 'skip', because: { loop: need, ending } }
  }
  const holds = loop.when ? evaluate(loop.when, facts) : true
  if (typeof holds !== 'boolean') return { is: 'missing', ...holds }
  return holds ? { is: 'run' } : { is: 'skip', because: null }
}

/** The loops whose endings the condition asks about. */
function askedOf(when: When): string[] {
  if (when.op === 'ended') return [when.loop]
  if (when.op === 'not') return askedOf(when.term)
  return when.op === 'output' ? [] : when.terms.flatMap(askedOf)
}

/** From left to right, stopping as soon as the result is known. */
function evaluate(when: When, facts: Facts): boolean | { loop: string; field: string } {
  switch (when.op) {
    case 'ended':
      return facts.ending(when.loop) === when.how
    case 'output': {
      const { loop, field } = when
      const value = facts.output(loop, field)
      return value === null ? { loop, field } : (value === when.value) === (when.is === 'equal')
    }
    case 'not': {
      const holds = evaluate(when.term, facts)
      return typeof holds === 'boolean' ? !holds : holds
    }
    case 'and':
    case 'or': {
      const isAnd = when.op === 'and'
      for (const term of when.terms) {
        const holds = evaluate(term, facts)
        if (holds !== isAnd) return holds
      }
      return isAnd
    }
    default:
      return when satisfies never
  }
}

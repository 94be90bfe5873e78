/**
 * The loops of a workflow file with its matrices expanded: one per combination, with ids and display names, and
 * `depends_on` and `when` resolved to instances. Checks ids, dependencies, cycles and conditions.
 */
import { circlesOf, predecessorsOf } from '../../core/workflow.ts'
import { endings, type When } from '../../model/group/workflow.ts'
import { nearest } from '../nearest.ts'
import type { LoopEntry } from './document.ts'
import type { ProblemNotes } from './yaml.ts'

export type Instance = {
  entry: LoopEntry
  id: string
  name: string
  matrix: Record<string, string>
  needs: string[]
  when: When | null
  /** All loops that have ended when this one begins. */
  ancestors: Set<string>
}

const mostLoops = 64

export function expand(entries: LoopEntry[], notes: ProblemNotes): Instance[] {
  const tooMany = entries[mostLoops]
  if (tooMany) {
    notes.mark(tooMany.id.range, `The workflow has ${entries.length} loops; ${mostLoops} is the most.`)
    return []
  }
  checkIds(entries, notes)
  checkDependencies(entries, notes)
  const instances = entries.flatMap(entry =>
    combinations(entry, notes).map(values => instanceOf(entry, values, notes)),
  )
  if (instances.length > mostLoops) {
    const { range } = entries.find(({ matrix }) => matrix.length > 0)?.id ??
      entries[0]?.id ?? { range: { start: 0, end: 1 } }
    notes.mark(
      range,
      `The workflow comes to ${instances.length} loops; ${mostLoops} is the most.`,
      'Make a matrix smaller.',
    )
    return []
  }
  checkCollisions(instances, notes)
  const linked = instances.map(one => ({ ...one, needs: needsOf(one.entry, instances) }))
  const ancestors = predecessorsOf(linked)
  return linked.map(one => {
    const before = ancestors.get(one.id) ?? new Set<string>()
    return { ...one, ancestors: before, when: whenOf({ ...one, ancestors: before }, linked, notes) }
  })
}

function checkIds(entries: LoopEntry[], notes: ProblemNotes): void {
  for (const [i, { id }] of entries.entries()) {
    const other = entries.slice(0, i).find(before => asVariable(before.id.text) === asVariable(id.text))
    if (!other) continue
    const why = other.id.text === id.text ? 'is there twice' : `is too much like ${other.id.text}`
    notes.mark(id.range, `The id ${id.text} ${why}.`, 'Give each loop an id of its own.')
  }
}

function asVariable(id: string): string {
  return id.replaceAll('-', '_')
}

function checkDependencies(entries: LoopEntry[], notes: ProblemNotes): void {
  const ids = entries.map(({ id }) => id.text)
  for (const { id, dependsOn } of entries) {
    for (const [i, { text, range }] of dependsOn.entries()) {
      if (dependsOn.slice(0, i).some(other => other.text === text))
        notes.mark(range, `${text} is there twice.`, 'Keep one of them.')
      if (ids.includes(text)) continue
      const near = nearest(
        text,
        ids.filter(other => other !== id.text),
      )
      const hint = near ? `Did you mean ${near}?` : `The loops there are: ${ids.join(', ')}.`
      notes.mark(range, `${id.text} depends on ${text}, and there is no such loop.`, hint)
    }
  }
  const linked = entries.map(({ id, dependsOn }) => ({
    id: id.text,
    needs: dependsOn.map(({ text }) => text),
  }))
  for (const circle of circlesOf(linked)) {
    const [first = '', second = first] = circle
    const entry = entries.find(({ id }) => id.text === first)
    const place = entry?.dependsOn.find(({ text }) => text === second) ?? entry?.id
    const path = [...circle, first].join(' → ')
    if (place)
      notes.mark(
        place.range,
        `Loops depend on each other in a circle: ${path}.`,
        'Remove one of these dependencies.',
      )
  }
}

type Value = { key: string; text: string }

/** A single empty combination if there is no matrix. */
function combinations({ matrix, id }: LoopEntry, notes: ProblemNotes): Value[][] {
  const many = matrix.reduce((product, { values }) => product * values.length, 1)
  if (many > mostLoops) {
    const [{ keyRange } = { keyRange: id.range }] = matrix
    notes.mark(
      keyRange,
      `The matrix of ${id.text} comes to ${many} loops; ${mostLoops} is the most.`,
      'Make it smaller.',
    )
    return []
  }
  return matrix.reduce<Value[][]>(
    (found, { key, values }) => found.flatMap(before => values.map(({ text }) => [...before, { key, text }])),
    [[]],
  )
}

function instanceOf(
  entry: LoopEntry,
  values: Value[],
  notes: ProblemNotes,
): Pick<Instance, 'entry' | 'id' | 'name' | 'matrix'> {
  const base = entry.id.text
  const parts = values.map(({ key, text }) => partOf(entry, { key, text }, notes))
  return {
    entry,
    id: [base, ...parts].join('-'),
    name:
      values.length > 0 ? `${base} (${values.map(({ key, text }) => `${key}: ${text}`).join(', ')})` : base,
    matrix: Object.fromEntries(values.map(({ key, text }) => [key, text])),
  }
}

function partOf({ matrix }: LoopEntry, { key, text }: Value, notes: ProblemNotes): string {
  const part = text.replaceAll(/[^A-Za-z0-9]+/g, '-').replaceAll(/^-+|-+$/g, '')
  const node = matrix.find(one => one.key === key)?.values.find(value => value.text === text)
  if (node && (part === '' || part.length > 32))
    notes.mark(
      node.range,
      `"${text}" cannot be part of an id.`,
      'A value of a matrix has 1 to 32 letters or digits.',
    )
  return part
}

function checkCollisions(instances: Pick<Instance, 'entry' | 'id' | 'name'>[], notes: ProblemNotes): void {
  for (const [i, { id, name, entry }] of instances.entries()) {
    const other = instances.slice(0, i).find(before => asVariable(before.id) === asVariable(id))
    if (!other || entry.matrix.length + other.entry.matrix.length === 0) continue
    const range = entry.matrix[0]?.keyRange ?? entry.id.range
    notes.mark(
      range,
      `${name} and ${other.name} would both have the id ${id}.`,
      'Give one of them another id or value.',
    )
  }
}

/** The name of a loop with a matrix means all its instances. */
function needsOf(entry: LoopEntry, instances: Pick<Instance, 'entry' | 'id'>[]): string[] {
  const needs = entry.dependsOn.flatMap(({ text }) => instancesOf(text, instances))
  return [...new Set(needs)]
}

function instancesOf(id: string, instances: Pick<Instance, 'entry' | 'id'>[]): string[] {
  return instances.filter(one => one.entry.id.text === id).map(one => one.id)
}

type Linked = Omit<Instance, 'when' | 'ancestors'>

function whenOf(one: Linked & { ancestors: Set<string> }, all: Linked[], notes: ProblemNotes): When | null {
  const node = one.entry.when
  if (!node) return null
  const parsed = parseWhen(node.text)
  if ('problem' in parsed) {
    const { start, end, message, hint } = parsed.problem
    notes.mark(node.within(start, end), message, hint)
    return null
  }
  for (const named of parsed.named) {
    const problem = problemOfNamed(named, one, all)
    if (problem) notes.mark(node.within(named.start, named.end), ...problem)
  }
  return expanded(parsed.when, all)
}

function problemOfNamed(
  { loop, field }: NamedLoop,
  one: Linked & { ancestors: Set<string> },
  all: Linked[],
): [string, string] | null {
  const ids = instancesOf(loop, all)
  const exact = all.filter(({ id }) => id === loop)
  const found = ids.length > 0 ? all.filter(({ id }) => ids.includes(id)) : exact
  const [first] = found
  if (!first) {
    const near = nearest(loop, [...all.map(({ id }) => id), ...all.map(({ entry }) => entry.id.text)])
    return [
      `There is no loop ${loop}.`,
      near ? `Did you mean ${near}?` : `There are: ${all.map(({ id }) => id).join(', ')}.`,
    ]
  }
  if (!found.every(({ id }) => one.ancestors.has(id)))
    return [
      `${one.entry.id.text} does not depend on ${loop}, which may not have ended yet.`,
      `Add it: depends_on: [${loop}]`,
    ]
  if (field === null) return null
  if (found.length > 1)
    return [`${loop} is ${found.length} loops.`, `Name one of them: ${found.map(({ id }) => id).join(', ')}.`]
  return outputProblem(first.entry, field)
}

export function outputProblem({ id, outputs }: LoopEntry, field: string): [string, string] | null {
  const names = outputs.map(({ name }) => name.text)
  if (names.includes(field)) return null
  const near = nearest(field, names)
  const hint = near
    ? `Did you mean ${near}?`
    : names.length > 0
      ? `There are: ${names.join(', ')}.`
      : `Declare it there: outputs: [${field}]`
  return [`${id.text} has no output ${field}.`, hint]
}

/** For a matrix: completed and skipped mean all instances, failed means any of them. */
function expanded(when: When, all: Linked[]): When {
  if (when.op === 'not') return { ...when, term: expanded(when.term, all) }
  if ('terms' in when) return { ...when, terms: when.terms.map(term => expanded(term, all)) }
  const ids = instancesOf(when.loop, all)
  const [only = when.loop] = ids
  if (ids.length < 2 || when.op === 'output') return { ...when, loop: only }
  const terms = ids.map((loop): When => ({ ...when, loop }))
  return { op: when.how === 'failed' ? 'or' : 'and', terms }
}

/**
 * Parses a condition: `completed(x)`, `failed(x)`, `skipped(x)`, `outputs.x.field == "v"`, `!=`, `&&`, `||`, `!`,
 * parentheses. There are no other expressions: computations belong in a command. Evaluation: core/workflow.
 */

/** The position of a loop's or output's name in it. */
type NamedLoop = { loop: string; field: string | null; start: number; end: number }

type WhenProblem = { start: number; end: number; message: string; hint: string | null }

type Token = { text: string; start: number; end: number }

const form = /\s*(?:(&&|\|\||==|!=|!|\(|\))|("(?:[^"\\\n]|\\.)*"|'[^'\n]*')|([A-Za-z0-9][\w.-]*)|(\S))/gy

const mostTokens = 200
const whole = 'Such as: completed(build) && outputs.build.version == "2"'

type Cursor = { tokens: Token[]; at: number; named: NamedLoop[]; end: number }

export function parseWhen(text: string): { when: When; named: NamedLoop[] } | { problem: WhenProblem } {
  const tokens = Array.from(text.matchAll(form), match => {
    const token = match[0].trimStart()
    const end = match.index + match[0].length
    return { text: token, start: end - token.length, end }
  })
  const cursor: Cursor = { tokens, at: 0, named: [], end: text.trimEnd().length }
  if (tokens.length > mostTokens) return { problem: problemAt(cursor, 'The condition is too long.', whole) }
  const when = either(cursor)
  if ('problem' in when) return when
  if (peek(cursor)) return { problem: problemAt(cursor, `"${peek(cursor)}" has no place here.`, whole) }
  return { when, named: cursor.named }
}

type ParsedWhen = When | { problem: WhenProblem }

function either(cursor: Cursor): ParsedWhen {
  return joined(cursor, '||', both)
}

function both(cursor: Cursor): ParsedWhen {
  return joined(cursor, '&&', parseTerm)
}

function joined(cursor: Cursor, sign: '||' | '&&', read: (cursor: Cursor) => ParsedWhen): ParsedWhen {
  const terms: When[] = []
  do {
    const one = read(cursor)
    if ('problem' in one) return one
    terms.push(one)
  } while (take(cursor, sign))
  const [first, ...more] = terms
  return first && more.length === 0 ? first : { op: sign === '&&' ? 'and' : 'or', terms }
}

function parseTerm(cursor: Cursor): ParsedWhen {
  if (take(cursor, '!')) {
    const one = parseTerm(cursor)
    return 'problem' in one ? one : { op: 'not', term: one }
  }
  if (take(cursor, '(')) {
    const one = either(cursor)
    if ('problem' in one || take(cursor, ')')) return one
    return { problem: problemAt(cursor, 'A ) is missing.', whole) }
  }
  const name = cursor.tokens[cursor.at]
  if (!name || !/^[A-Za-z0-9]/.test(name.text)) {
    const what = name ? `"${name.text}" is no condition.` : 'The condition ends too early.'
    return { problem: problemAt(cursor, what, whole) }
  }
  cursor.at += 1
  return name.text.startsWith('outputs.') ? comparison(cursor, name) : ended(cursor, name)
}

function ended(cursor: Cursor, name: Token): ParsedWhen {
  const how = endings.find(word => word === name.text)
  if (!how) {
    const near = nearest(name.text, endings)
    const hint = near
      ? `Did you mean ${near}(…)?`
      : `There are: ${endings.map(word => `${word}(x)`).join(', ')}, outputs.x.field`
    return { problem: { start: name.start, end: name.end, message: `"${name.text}" is no condition.`, hint } }
  }
  if (!take(cursor, '('))
    return { problem: problemAt(cursor, `${how} needs the id of a loop: ${how}(build).`, null) }
  const loop = cursor.tokens[cursor.at]
  if (!loop || !/^[A-Za-z0-9][\w-]*$/.test(loop.text))
    return { problem: problemAt(cursor, `${how} needs the id of a loop: ${how}(build).`, null) }
  cursor.at += 1
  if (!take(cursor, ')')) return { problem: problemAt(cursor, 'A ) is missing.', `${how}(${loop.text})`) }
  cursor.named.push({ loop: loop.text, field: null, start: loop.start, end: loop.end })
  return { op: 'ended', loop: loop.text, how }
}

function comparison(cursor: Cursor, name: Token): ParsedWhen {
  const [, loop, field, ...more] = name.text.split('.')
  if (!loop || !field || more.length > 0) {
    const message = `"${name.text}" names no output: outputs.<loop>.<name>.`
    return { problem: { start: name.start, end: name.end, message, hint: null } }
  }
  const is = take(cursor, '==') ? 'equal' : take(cursor, '!=') ? 'different' : null
  if (!is)
    return { problem: problemAt(cursor, `${name.text} is compared with == or !=.`, `${name.text} == "yes"`) }
  const value = cursor.tokens[cursor.at]
  if (!value || !/^["']/.test(value.text) || value.text.length < 2)
    return {
      problem: problemAt(cursor, 'An output is compared with a text in quotes.', `${name.text} == "yes"`),
    }
  cursor.at += 1
  cursor.named.push({ loop, field, start: name.start, end: name.end })
  return { op: 'output', loop, field, is, value: unquoted(value.text) }
}

function unquoted(text: string): string {
  const inside = text.slice(1, -1)
  return text.startsWith("'") ? inside : inside.replaceAll(/\\(.)/g, (_, character: string) => character)
}

function peek({ tokens, at }: Cursor): string | null {
  return tokens[at]?.text ?? null
}

function take(cursor: Cursor, text: string): boolean {
  if (peek(cursor) !== text) return false
  cursor.at += 1
  return true
}

function problemAt({ tokens, at, end }: Cursor, message: string, hint: string | null): WhenProblem {
  const token = tokens[at] ?? { start: end, end: end + 1 }
  return { start: token.start, end: token.end, message, hint }
}

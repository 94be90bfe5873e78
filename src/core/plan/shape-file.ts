/**
 * `.loop/shape/SHAPE.md`: the shape of planned work as a page that people read and edit, and the gate before the work,
 * which judges it. loop writes headings (Criteria, MustNot, Verification); a file with the keys `criteria: mustNot:
 * verification:` is accepted too. Missing values are null, and the gate reports them.
 */
import type { Verification } from '../../model/loop/spec.ts'
import { verifications } from '../../model/loop/words.ts'
import type { PlanShape } from '../../model/plan.ts'

/**
 * The lists of a SHAPE.md in either form: under headings (`## Criteria`) or under keys (`criteria:`, in a YAML block
 * or bare, also on one line: `criteria: [tests pass, lint clean]`). It reads lines and judges nothing.
 */
type ShapeSection = 'criteria' | 'mustNot' | 'verification'

/** `value`: the text after the colon on its own line. */
type ShapeItem = {
  name: string
  command: string | null
  verification: string | null
  value: string | null
}

type ShapeSections = { lists: Map<ShapeSection, ShapeItem[]>; fields: Map<string, string> }

const most = { lines: 2_000, items: 100, text: 1_000 }

const sectionNames: Record<string, ShapeSection> = {
  criteria: 'criteria',
  mustnot: 'mustNot',
  verification: 'verification',
}

function sectionsOf(text: string): ShapeSections {
  const found: ShapeSections = { lists: new Map(), fields: new Map() }
  let open: ShapeSection | null = null
  let own = 0
  for (const line of text.split(/\r?\n/).slice(0, most.lines)) {
    const heading = headingOf(line)
    if (heading) {
      open = heading.section
      own = -1
      if (open === null) field(found, line)
      else if (heading.rest !== '') add(found, open, ...inline(heading.rest))
    } else if (open === null) field(found, line)
    else {
      const indent = line.search(/\S/)
      if (indent < 0 || /^\s*(?:```|---|#)/.test(line)) continue
      // The first line sets the indentation of the list's items; deeper lines belong to an item.
      if (own < 0) own = indent
      if (indent > own) more(found, open, line)
      else add(found, open, itemOf(line))
    }
  }
  return found
}

/** `section` is null for another heading or key, which ends the list before it. */
function headingOf(line: string): { section: ShapeSection | null; rest: string } | null {
  const heading = /^#{1,6}\s+(.*?)\s*#*$/.exec(line)
  if (heading) return { section: sectionNames[word(heading[1] ?? '')] ?? null, rest: '' }
  const [, name = '', rest = ''] = /^(?:[-*]\s+)?\**([A-Za-z][\w -]*?)\**:\**\s*(.*)$/.exec(line) ?? []
  const section = sectionNames[word(name)]
  if (section) return { section, rest: rest.trim() }
  // A key of its own at the margin, without a list mark: another part of the file.
  return /^[A-Za-z][\w-]*:\s*$/.test(line) ? { section: null, rest: '' } : null
}

function word(text: string): string {
  return text.toLowerCase().replace(/[^a-z]/g, '')
}

function field({ fields }: ShapeSections, line: string): void {
  const [, name, value] = /^\s*(?:[-*]\s+)?\**([A-Za-z][\w -]{0,40}?)\**:\**\s+(.+)$/.exec(line) ?? []
  if (name && value && !fields.has(name.toLowerCase())) fields.set(name.toLowerCase(), cut(value))
  const goal = /^#\s+Shape:\s+(.+)$/.exec(line)?.[1]
  if (goal) fields.set('goal', cut(goal))
}

function inline(rest: string): ShapeItem[] {
  const inside = /^[[{](.*)[\]}]$/.exec(rest)?.[1] ?? rest
  return inside.split(/,\s*/).filter(Boolean).map(itemOf)
}

function add({ lists }: ShapeSections, section: ShapeSection, ...items: ShapeItem[]): void {
  const list = lists.get(section) ?? []
  const named = items.filter(({ name }) => name !== '')
  lists.set(section, [...list, ...named].slice(0, most.items))
}

/** A line of an item: `command: …`, `verification: …`, `name: …`. */
function more(found: ShapeSections, section: ShapeSection, line: string): void {
  const last = found.lists.get(section)?.at(-1)
  const [, name = '', value = ''] = /^\s*(?:[-*]\s+)?\**(\w+)\**:\**\s*(.*)$/.exec(line) ?? []
  if (!last) return
  if (name === 'command' || name === 'check') last.command = commandOf(value)
  if (name === 'verification' || name === 'type') last.verification = bare(value)
  if (name === 'name') last.name = bare(value)
}

/** `- name`, `- [ ] name`, `name: value`, `- name: tests pass`, `- name (execution output)`, `` - name: `command` ``. */
function itemOf(line: string): ShapeItem {
  const text = line
    .trim()
    .replace(/^(?:[-*+]|\d+[.)])\s+/, '')
    .replace(/^\[[ xX]\]\s+/, '')
  const quoted = quotedText(text)
  if (quoted !== null) return { name: quoted, command: null, verification: null, value: null }
  const named = /^name:\s*(.+)$/.exec(text)?.[1]
  if (named) return { name: bare(named), command: null, verification: null, value: null }
  const [, left, right] = /^("[^"]*"|'[^']*'|[^:`]*?)\s*:\s+(.+)$/.exec(text) ?? []
  if (left === undefined || right === undefined) return { ...typed(text), command: null, value: null }
  const value = bare(right)
  const isCode = right.trim().startsWith('`')
  return {
    name: bare(left),
    command: isCode ? commandOf(right) : null,
    verification: isCode ? null : value,
    value,
  }
}

/** The value of a quoted JSON text, if all of it is one. */
function quotedText(text: string): string | null {
  if (!/^"(?:[^"\\]|\\.)*"$/.test(text)) return null
  try {
    return cut(String(JSON.parse(text)))
  } catch {
    return null // not JSON: the text stands for itself
  }
}

function typed(text: string): { name: string; verification: string | null } {
  const [, name, type] = /^(.*?)\s*\(([a-z ]+)\)$/.exec(text) ?? []
  return name && type ? { name: bare(name), verification: type } : { name: bare(text), verification: null }
}

/** The text of a code span; a bare text is a command too, unless it says that there is none. */
function commandOf(value: string): string | null {
  const text = value.trim()
  const span = /^(`+)( ?)(.*)\2\1$/s.exec(text)?.[3]
  if (span !== undefined) return span === '' ? null : cut(span)
  return text === '' || /^(?:none|null|~|-)(?:[,. ]|$)/i.test(text) ? null : cut(bare(text))
}

function bare(text: string): string {
  const plain = text.trim().replace(/,$/, '')
  return cut(/^(["'])(.*)\1$/.exec(plain)?.[2] ?? plain.replace(/^\*\*(.*)\*\*$/, '$1'))
}

function cut(text: string): string {
  return text.trim().slice(0, most.text)
}

/** The content of the file before it is judged. */
type ShapeFile = {
  criteria: { name: string; command: string | null; verification: Verification | null }[]
  mustNot: { name: string; command: string | null }[]
  /** The fields above the lists, by name: goal, scope, phases and so on. */
  fields: Map<string, string>
}

/** Null if it names no criterion: then it is not a shape. */
export function readShapeFile(text: string): ShapeFile | null {
  const sections = sectionsOf(text)
  const items = (name: ShapeSection) => sections.lists.get(name) ?? []
  if (items('criteria').length === 0) return null
  const types = typesIn(items('verification'))
  return {
    criteria: items('criteria').map(item => ({
      name: item.name,
      command: item.command,
      verification: verificationOf(item.verification) ?? types.get(key(item.name)) ?? types.get('') ?? null,
    })),
    mustNot: items('mustNot').map(({ name, command }) => ({ name, command })),
    fields: sections.fields,
  }
}

/** `name: type` as in the keys; `type: name, name` as under the headings; a bare type applies to all. */
function typesIn(items: readonly ShapeItem[]): Map<string, Verification> {
  const types = new Map<string, Verification>()
  for (const { name, value } of items) {
    const named = verificationOf(name)
    const valued = verificationOf(value)
    if (valued) types.set(key(name), valued)
    else if (named && value !== null) for (const one of value.split(', ')) types.set(key(one), named)
    else if (named) types.set('', named)
  }
  return types
}

function verificationOf(text: string | null): Verification | null {
  const plain = text?.trim().toLowerCase()
  return verifications.find(one => one === plain) ?? null
}

function key(name: string): string {
  return name.trim().toLowerCase()
}

/** The page as loop writes it; `readShapeFile` reads the same lists from it. */
export function shapeFileText(shape: PlanShape): string {
  const { criteria, mustNot } = shape
  const types = verifications.filter(type => criteria.some(({ verification }) => verification === type))
  const lines = [
    `# Shape: ${shape.goal}`,
    '',
    ...fieldsOf(shape).map(([name, value]) => `- ${name}: ${value}`),
    '',
    '## Criteria',
    '',
    ...criteria.flatMap(({ name, command, verification }) => [
      `- ${nameText(name)}`,
      `  - command: ${command === null ? 'none, a human says whether it is met' : codeSpan(command)}`,
      `  - verification: ${verification}`,
    ]),
    '',
    '## MustNot',
    '',
    ...mustNot.flatMap(({ name, command }) => [`- ${nameText(name)}`, `  - command: ${codeSpan(command)}`]),
    '',
    '## Verification',
    '',
    ...types.map(type => {
      const names = criteria.filter(({ verification }) => verification === type).map(({ name }) => name)
      return `- ${type}: ${names.join(', ')}`
    }),
  ]
  return `${lines.join('\n')}\n`
}

function fieldsOf(shape: PlanShape): [string, string][] {
  return [
    ['scope', shape.scope],
    ['constraints', shape.constraints.join('; ') || 'none'],
    ['assumptions', shape.assumptions.join('; ') || 'none'],
    ['phases', shape.phases],
    ['estimate', `${shape.points}pt`],
    ['alternative', shape.alt ?? 'none'],
    ['risk', shape.risk ?? 'none'],
  ]
}

/** Quoted if it could be read as something else: a colon, a bracket, a list mark. */
function nameText(name: string): string {
  return /^\p{L}[\p{L}\p{N} _/<>=%+.'-]*$/u.test(name) ? name : JSON.stringify(name)
}

/** Surrounded by more backticks than it contains. */
function codeSpan(text: string): string {
  const longest = Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return longest > 0 ? `${fence} ${text} ${fence}` : `${fence}${text}${fence}`
}

/**
 * The gate before the work: a shape is accepted if every criterion has a type and a judge (a command, or a person if
 * its type allows one), and at least two things are named that must not happen. Otherwise it goes back to the stage
 * `shape` with what is missing.
 */

type JudgedShape = {
  criteria: readonly { name: string; command: string | null; verification: Verification | null }[]
  mustNot: readonly { name: string; command: string | null }[]
}

export type PreWorkProblem =
  | { kind: 'no-criteria' }
  | { kind: 'same-name'; name: string }
  | { kind: 'no-type'; name: string }
  | { kind: 'no-command'; name: string; verification: Verification }
  /** It can never be met, so the loop could never complete. */
  | { kind: 'assumption'; name: string }
  | { kind: 'must-not-without-command'; name: string }
  | { kind: 'few-must-nots'; count: number }

export const leastMustNots = 2

/** The types that a person or a review can confirm. */
const byPeople: readonly Verification[] = ['observation', 'code review', 'reasoned inference']

export function preWorkProblems({ criteria, mustNot }: JudgedShape): PreWorkProblem[] {
  const problems: PreWorkProblem[] = criteria.length === 0 ? [{ kind: 'no-criteria' }] : []
  const names = criteria.map(({ name }) => name)
  for (const name of new Set(names.filter((one, at) => names.indexOf(one) !== at)))
    problems.push({ kind: 'same-name', name })
  for (const { name, command, verification } of criteria) {
    if (verification === null) problems.push({ kind: 'no-type', name })
    else if (verification === 'assumption') problems.push({ kind: 'assumption', name })
    else if (command === null && !byPeople.includes(verification))
      problems.push({ kind: 'no-command', name, verification })
  }
  for (const { name, command } of mustNot)
    if (command === null) problems.push({ kind: 'must-not-without-command', name })
  if (mustNot.length < leastMustNots) problems.push({ kind: 'few-must-nots', count: mustNot.length })
  return problems
}

/**
 * `.loop/shape/SHAPE.md`: the shape of planned work as a page that people read and edit. loop writes headings
 * (Criteria, MustNot, Verification); a file with the keys `criteria: mustNot: verification:` is accepted too.
 * Missing values are null, and the gate before the work (core/plan/pre-work) reports them.
 */
import type { Verification } from '../../model/loop/spec.ts'
import { verifications } from '../../model/loop/words.ts'
import type { PlanShape } from '../../model/plan/shape.ts'
import { type ShapeItem, type ShapeSection, sectionsOf } from './shape-sections.ts'

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

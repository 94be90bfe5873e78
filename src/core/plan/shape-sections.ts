/**
 * The lists of a SHAPE.md in either form: under headings (`## Criteria`) or under keys (`criteria:`, in a YAML block
 * or bare, also on one line: `criteria: [tests pass, lint clean]`). It reads lines and judges nothing.
 */

export type ShapeSection = 'criteria' | 'mustNot' | 'verification'

/** `value`: the text after the colon on its own line. */
export type ShapeItem = {
  name: string
  command: string | null
  verification: string | null
  value: string | null
}

type ShapeSections = { lists: Map<ShapeSection, ShapeItem[]>; fields: Map<string, string> }

const most = { lines: 2_000, items: 100, text: 1_000 }
const sections: Record<string, ShapeSection> = {
  criteria: 'criteria',
  mustnot: 'mustNot',
  verification: 'verification',
}

export function sectionsOf(text: string): ShapeSections {
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
  if (heading) return { section: sections[word(heading[1] ?? '')] ?? null, rest: '' }
  const [, name = '', rest = ''] = /^(?:[-*]\s+)?\**([A-Za-z][\w -]*?)\**:\**\s*(.*)$/.exec(line) ?? []
  const section = sections[word(name)]
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

/**
 * A configuration file as keys and values. Flat on purpose: a key of options/setting and one plain value, so no
 * alias is ever resolved and nothing is expanded. Each mistake is said with file, line and column, what was
 * expected, and what to do. The text may be a stranger's: none of it reaches a terminal raw.
 */
import { isAlias, isMap, isScalar, LineCounter, type Pair, parseDocument, type Scalar } from 'yaml'
import { fail, ok, type Result } from '../../model/failure.ts'
import { spelledOut } from '../../views/text/plain-text.ts'
import { nearest } from '../nearest.ts'
import { type Setting, settings } from '../setting.ts'
import { keyOf } from '../table/flag.ts'
import { laterFlags } from '../table/later.ts'
import { expectedInstead } from '../value.ts'
import type { Layer } from '../values.ts'
import type { ConfigFile, ConfigPlace } from './file.ts'

export type ConfigEntry = { key: string; text: string; line: number }

export function parseConfig(file: ConfigFile): Result<ConfigEntry[]> {
  const text = textOf(file)
  if (!text.ok) return text
  const lines = new LineCounter()
  const at: At = offset => {
    const { line, col } = lines.linePos(offset)
    return { line, words: `${file.path}:${line}:${col}` }
  }
  const document = parseDocument(text.value, { prettyErrors: false, lineCounter: lines, uniqueKeys: false })
  const wrong = document.errors[0] ?? document.warnings[0]
  if (wrong) return invalid(at(wrong.pos[0]), `this is not YAML that loop can read (${wrong.message})`)
  const { contents } = document
  if (contents === null || (isScalar(contents) && contents.value === null)) return ok([])
  if (!isMap(contents)) return invalid(at(0), 'this is not a list of keys and values')
  return entriesOf(contents.items as Pair[], { at, place: file })
}

/** The values of a file as one layer. */
export function layerOf(place: ConfigPlace, entries: ConfigEntry[]): Layer {
  const known = new Map(entries.map(entry => [entry.key, entry]))
  return flag => {
    const entry = known.get(keyOf(flag))
    if (!entry) return null
    const from = `${place.path}:${entry.line}`
    return { text: entry.text, from, subject: `${from}: ${entry.key}` }
  }
}

function short(text: string): string {
  const whole = spelledOut(text)
  return whole.length > 200 ? `${whole.slice(0, 200)}…` : whole
}

/** The setting of this name; else what was probably meant. */
export function settingNamed(key: string): Result<Setting> {
  const found = settings.find(setting => setting.key === key)
  if (found) return ok(found)
  if (laterFlags['start']?.includes(key.replaceAll('_', '-'))) {
    return fail('not-available-yet', `The key ${short(key)} is not available in this version of loop yet.`)
  }
  const near = nearest(
    key,
    settings.map(setting => setting.key),
  )
  const hint = near ? `Did you mean ${near}?` : 'The keys there are: loop config --help'
  return fail('invalid-arguments', `There is no key ${short(key)}. ${hint}`)
}

type At = (offset: number) => { line: number; words: string }
type Context = { at: At; place: ConfigPlace }

function textOf(file: ConfigFile): Result<string> {
  const nul = file.bytes.indexOf(0)
  if (nul !== -1) {
    const line = file.bytes.subarray(0, nul).toString('latin1').split('\n').length
    return invalid({ words: `${file.path}:${line}` }, 'there is a NUL byte, so this is not text')
  }
  try {
    return ok(new TextDecoder('utf-8', { fatal: true }).decode(file.bytes))
  } catch {
    return invalid({ words: file.path }, 'this is not UTF-8 text')
  }
}

function entriesOf(pairs: Pair[], context: Context): Result<ConfigEntry[]> {
  const entries: ConfigEntry[] = []
  for (const pair of pairs) {
    const entry = entryOf(pair, context)
    if (!entry.ok) return entry
    const before = entries.find(({ key }) => key === entry.value.key)
    if (before) {
      const { key, line } = entry.value
      return fail(
        'invalid-config',
        `${context.place.path}:${line}: ${key} is set twice, first in line ${before.line}. Remove one of them.`,
      )
    }
    entries.push(entry.value)
  }
  return ok(entries)
}

function entryOf({ key, value }: Pair, context: Context): Result<ConfigEntry> {
  const where = context.at(startOf(key))
  if (!isScalar(key) || typeof key.value !== 'string') return invalid(where, 'this is not the name of a key')
  const setting = settingNamed(key.value)
  if (!setting.ok) return fail('invalid-config', `${where.words}: ${setting.failure.message}`)
  const name = setting.value.key
  if (context.place.of === 'project' && !setting.value.project) {
    return fail(
      'invalid-config',
      `${where.words}: ${name} is not a project's to set. Remove it here; for yourself: loop config set ${name} <value>`,
    )
  }
  const scalar = isScalar(value) ? plainValue(value) : null
  if (scalar === null) return invalid(where, `${name} has ${kindOf(value)}; give it one plain value`)
  const expected = expectedInstead(setting.value, scalar)
  if (!expected) return ok({ key: name, text: scalar, line: where.line })
  return fail('invalid-config', `${where.words}: ${name} is ${expected}; not "${short(scalar)}".`)
}

/** As it is written, so that 2.50 and 1e3 are judged as they would be on the command line. */
function plainValue(scalar: Scalar): string | null {
  if (typeof scalar.value === 'string') return scalar.value
  return scalar.value === null ? null : (scalar.source ?? String(scalar.value))
}

function kindOf(value: unknown): string {
  if (value === null || isScalar(value)) return 'no value'
  return isAlias(value) ? 'an alias' : isMap(value) ? 'keys below it' : 'a list'
}

function startOf(node: unknown): number {
  return (node as { range?: [number, number, number] } | null)?.range?.[0] ?? 0
}

function invalid(where: { words: string }, what: string): Result<never> {
  return fail(
    'invalid-config',
    `${where.words}: ${short(what)}. Expected are lines like "timeout: 10m"; the keys there are: loop config --help`,
  )
}

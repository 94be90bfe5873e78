/**
 * A configuration file as keys and values. The format is flat: a key of options/setting and one plain value, so no
 * alias is resolved and nothing is expanded. Each mistake is reported with file, line and column, what was expected,
 * and what to do. The text can be a stranger's: none of it reaches a terminal unescaped.
 */
import { isAlias, isMap, isScalar, LineCounter, type Pair, parseDocument, type Scalar } from 'yaml'
import type { Facts } from '../../failures/all.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import { nearest } from '../nearest.ts'
import { type Setting, settings } from '../setting.ts'
import { keyOf, laterFlags } from '../table/flag.ts'
import { type Layer, unfitting } from '../values.ts'
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
  if (wrong) return invalid({ kind: 'config-not-yaml', at: at(wrong.pos[0]).words, said: wrong.message })
  const { contents } = document
  if (contents === null || (isScalar(contents) && contents.value === null)) return ok([])
  if (!isMap(contents)) return invalid({ kind: 'config-not-keys', at: at(0).words })
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

/** The setting of this name; otherwise a failure with the name that was probably meant. */
export function settingNamed(key: string): Result<Setting> {
  const found = settings.find(setting => setting.key === key)
  if (found) return ok(found)
  if (laterFlags['start']?.includes(key.replaceAll('_', '-'))) {
    return fail('not-available-yet', { kind: 'key-not-yet', key })
  }
  const near = nearest(
    key,
    settings.map(setting => setting.key),
  )
  return fail('invalid-arguments', { kind: 'unknown-key', key, near })
}

type At = (offset: number) => { line: number; words: string }
type Context = { at: At; place: ConfigPlace }

function textOf(file: ConfigFile): Result<string> {
  const nul = file.bytes.indexOf(0)
  if (nul !== -1) {
    const line = file.bytes.subarray(0, nul).toString('latin1').split('\n').length
    return invalid({ kind: 'config-nul', at: `${file.path}:${line}` })
  }
  try {
    return ok(new TextDecoder('utf-8', { fatal: true }).decode(file.bytes))
  } catch {
    return invalid({ kind: 'config-not-text', at: file.path })
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
      return invalid({ kind: 'key-twice', path: context.place.path, line, key, first: before.line })
    }
    entries.push(entry.value)
  }
  return ok(entries)
}

function entryOf({ key, value }: Pair, context: Context): Result<ConfigEntry> {
  const where = context.at(startOf(key))
  if (!isScalar(key) || typeof key.value !== 'string')
    return invalid({ kind: 'config-not-a-key', at: where.words })
  const setting = settingNamed(key.value)
  if (!setting.ok) return invalid({ kind: 'bad-key', at: where.words, because: setting.failure.facts })
  const name = setting.value.key
  if (context.place.of === 'project' && !setting.value.project) {
    return fail('invalid-config', { kind: 'not-of-project-at', at: where.words, key: name })
  }
  const scalar = isScalar(value) ? plainValue(value) : null
  if (scalar === null)
    return invalid({ kind: 'config-not-plain', at: where.words, key: name, has: kindOf(value) })
  const wrong = unfitting(setting.value, scalar)
  if (!wrong) return ok({ key: name, text: scalar, line: where.line })
  return fail('invalid-config', { kind: 'unfit-key', at: where.words, key: name, ...wrong, text: scalar })
}

/** The text as written, so that 2.50 and 1e3 are judged as on the command line. */
function plainValue(scalar: Scalar): string | null {
  if (typeof scalar.value === 'string') return scalar.value
  return scalar.value === null ? null : (scalar.source ?? String(scalar.value))
}

function kindOf(value: unknown): 'nothing' | 'alias' | 'keys' | 'list' {
  if (value === null || isScalar(value)) return 'nothing'
  return isAlias(value) ? 'alias' : isMap(value) ? 'keys' : 'list'
}

function startOf(node: unknown): number {
  return (node as { range?: [number, number, number] } | null)?.range?.[0] ?? 0
}

function invalid(facts: Facts): Result<never> {
  return fail('invalid-config', facts)
}

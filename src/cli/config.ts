/**
 * The configuration on the command line: a command line on top of the files, which reports what was left out and asks a
 * present person about an untrusted file; and how settings are shown: their table, the settings of a file, the sources
 * of a start's values.
 */
import { clip, spelledOut } from '../core/text/plain-text.ts'
import { ok, type Result } from '../model/failure.ts'
import { readConfigFile } from '../options/config/file.ts'
import type { TrustQuestion } from '../options/config/layers.ts'
import { withConfig } from '../options/config/load.ts'
import type { ConfigEntry } from '../options/config/parse.ts'
import { type Setting, settings } from '../options/setting.ts'
import type { System } from '../options/system.ts'
import { effectiveValue, type FoundValue, type Layers, type Values } from '../options/values.ts'
import { pathsFrom } from '../store/files/paths.ts'
import { align, clipStart, wrap } from '../views/layout/columns.ts'
import { trustQuestions } from '../views/words/questions.ts'
import type { Input } from './command-table.ts'
import { askNow } from './foreground/question.ts'
import { notice } from './terminal.ts'

type Row = { key: string; value: string | null; source: string; help: string }

/** The current value; a key without value and default has the `source` `default` too. */
export function rowOf(setting: Setting, layers: Layers): Row {
  const found = effectiveValue(setting, layers)
  return {
    key: setting.key,
    value: found?.text ?? null,
    source: found?.from ?? 'default',
    help: setting.help,
  }
}

/** `columns`: of the terminal. */
export function settingsTable(layers: Layers, columns: number | null): string[] {
  const rows = settings.map(setting => {
    const { key, value, source, help } = rowOf(setting, layers)
    return { cells: [key, value === null ? '–' : clip(spelledOut(value), 20), clipStart(source, 26)], help }
  })
  const left = align([['KEY', 'VALUE', 'FROM', ''], ...rows.map(({ cells }) => [...cells, '|'])])
  // As wide as needed, but no wider than the terminal or a page; long help continues below.
  const column = (left[1]?.length ?? 1) - 1
  const room = Math.max(narrowest, Math.min(widest, columns ?? widest) - column)
  const lines = rows.flatMap(({ help }, i) =>
    wrap(help, room).map(
      (line, n) => (n === 0 ? (left[i + 1] ?? '').slice(0, column) : ' '.repeat(column)) + line,
    ),
  )
  return [`${(left[0] ?? '').padEnd(column)}WHAT IT IS`, ...lines]
}

const widest = 100
const narrowest = 20

/** Every key of a file in full: a person who is asked to trust it must see all of it. */
export function setLines(entries: ConfigEntry[]): string[] {
  if (entries.length === 0) return ['  nothing']
  return align(entries.map(({ key, text }) => [`  ${key}`, spelledOut(text)]))
}

/** For a dry run: the values that are not defaults, and their sources. */
export function origins(values: Values): string[] {
  const found = settings
    .filter(setting => setting.project)
    .map(({ key, name }): [string, FoundValue | null] => [key, values.origin(name)])
  const rows = found.flatMap(([key, value]) =>
    value && value.from !== 'default' ? [[`  ${key}`, clip(spelledOut(value.text), 40), value.from]] : [],
  )
  return rows.length > 0 ? ['Not the defaults:', ...align(rows)] : []
}

export async function configured(input: Input, system: System): Promise<Result<Input>> {
  const wish = {
    wanted: input.given('trust'),
    // A dry run leaves nothing behind.
    once: input.given('dry-run'),
    ask: system.isAttended ? askTrust : null,
  }
  const found = await withConfig(input, system, wish)
  if (!found.ok) return found
  if (found.value.notice !== null) notice(input, found.value.notice)
  return ok({ ...input, ...found.value.values })
}

function askTrust({ path, changed, entries }: TrustQuestion): boolean {
  return askNow(trustQuestions.config(path, changed, setLines(entries)))
}

/** A command line on top of the user's configuration alone, for commands without a work tree. */
export async function withUserConfig(input: Input): Promise<Result<Input>> {
  const file = readConfigFile({ path: pathsFrom(input.env).config, of: 'user' })
  if (!file.ok) return file
  if (!file.value) return ok(input)
  const { layerOf, parseConfig } = await import('../options/config/parse.ts')
  const entries = parseConfig(file.value)
  return entries.ok ? ok({ ...input, ...input.over({ user: layerOf(file.value, entries.value) }) }) : entries
}

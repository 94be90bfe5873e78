/**
 * A command line on top of the configuration files: reports what was left out, and asks a present person about an
 * untrusted file.
 */
import { spelledOut } from '../../core/text/plain-text.ts'
import { ok, type Result } from '../../model/failure.ts'
import { readConfigFile } from '../../options/config/file.ts'
import type { TrustQuestion } from '../../options/config/layers.ts'
import { withConfig } from '../../options/config/load.ts'
import type { System } from '../../options/system.ts'
import { pathsFrom } from '../../store/files/paths.ts'
import type { Input } from '../command-table.ts'
import { askNow } from '../foreground/question.ts'
import { notice } from '../terminal.ts'
import { setLines } from './print.ts'

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
  const why = changed ? 'has changed since you trusted it' : 'has not been trusted yet'
  const question = 'Use it? You are asked again only when it changes. [y/N] '
  return askNow([`${spelledOut(path)} ${why}. It sets:`, ...setLines(entries), question].join('\n'))
}

/** A command line on top of the user's configuration alone, for commands without a work tree. */
export async function withUserConfig(input: Input): Promise<Result<Input>> {
  const file = readConfigFile({ path: pathsFrom(input.env).config, of: 'user' })
  if (!file.ok) return file
  if (!file.value) return ok(input)
  const { layerOf, parseConfig } = await import('../../options/config/parse.ts')
  const entries = parseConfig(file.value)
  return entries.ok ? ok({ ...input, ...input.over({ user: layerOf(file.value, entries.value) }) }) : entries
}

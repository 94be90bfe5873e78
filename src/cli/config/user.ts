/** A command line on top of the user's configuration alone, for commands without a work tree. */
import { ok, type Result } from '../../model/failure.ts'
import { readConfigFile } from '../../options/config/file.ts'
import { pathsFrom } from '../../store/files/paths.ts'
import type { Input } from '../command-table.ts'

export async function withUserConfig(input: Input): Promise<Result<Input>> {
  const file = readConfigFile({ path: pathsFrom(input.env).config, of: 'user' })
  if (!file.ok) return file
  if (!file.value) return ok(input)
  const { layerOf, parseConfig } = await import('../../options/config/parse.ts')
  const entries = parseConfig(file.value)
  return entries.ok ? ok({ ...input, ...input.over({ user: layerOf(file.value, entries.value) }) }) : entries
}

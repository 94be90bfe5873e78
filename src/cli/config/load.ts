/**
 * The configuration files of a start, read; what they mean is loaded (./layers, and YAML with it) only where
 * there is one.
 */

import { ok, type Result } from '../../model/failure.ts'
import { type ConfigFile, readConfigFile } from '../../options/config/file.ts'
import { pathsFrom, projectConfig } from '../../store/files/paths.ts'
import type { Input } from '../command-table.ts'
import { isAttended } from '../foreground/question.ts'
import { directory } from '../options/spec.ts'

/** What became of reading each; null where there is none. */
export type Files = { user: Result<ConfigFile | null>; project: Result<ConfigFile | null> }

/** The command line over the configurations; asks about a file that is not trusted where somebody can answer. */
export async function withConfig(input: Input): Promise<Result<Input>> {
  const files = readFiles(input)
  if (!files.ok) return files
  const { user, project } = files.value
  if (user.ok && project.ok && !user.value && !project.value) return ok(input)
  const { loadLayers } = await import('./layers.ts')
  const layers = loadLayers(input, files.value, isAttended(input))
  return layers.ok ? ok(input.over(layers.value)) : layers
}

export function readFiles(input: Input): Result<Files> {
  const tree = directory(input)
  if (!tree.ok) return tree
  return ok({
    user: readConfigFile({ path: pathsFrom(input.env).config, of: 'user' }),
    project: readConfigFile({ path: projectConfig(tree.value), of: 'project' }),
  })
}

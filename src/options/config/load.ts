/**
 * Reads the configuration files of a start. Their interpretation (./layers, and YAML with it) is loaded only if
 * there is a file.
 */
import { ok, type Result } from '../../model/failure.ts'
import { pathsFrom, projectConfig } from '../../store/files/paths.ts'
import { treeFrom } from '../resolve.ts'
import type { System } from '../system.ts'
import type { Values } from '../values.ts'
import { type ConfigFile, readConfigFile } from './file.ts'
import type { TrustWish } from './layers.ts'

/** The result of reading each file; null if there is none. */
export type ConfigFiles = { user: Result<ConfigFile | null>; project: Result<ConfigFile | null> }

/** `notice`: why the project's file was not used. */
type Configured = { values: Values; notice: string | null }

/** The request on top of the user's and the work tree's configuration. */
export async function withConfig(
  values: Values,
  system: System,
  wish: TrustWish = { wanted: false, ask: null },
): Promise<Result<Configured>> {
  const files = readConfigFiles(values, system)
  if (!files.ok) return files
  const { user, project } = files.value
  if (user.ok && project.ok && !user.value && !project.value) return ok({ values, notice: null })
  const { loadLayers } = await import('./layers.ts')
  const loaded = loadLayers(files.value, system, wish)
  if (!loaded.ok) return loaded
  return ok({ values: values.over(loaded.value.layers), notice: loaded.value.notice })
}

export function readConfigFiles(values: Values, system: System): Result<ConfigFiles> {
  const tree = treeFrom(values, system)
  if (!tree.ok) return tree
  return ok({
    user: readConfigFile({ path: pathsFrom(system.env).config, of: 'user' }),
    project: readConfigFile({ path: projectConfig(tree.value), of: 'project' }),
  })
}

/**
 * The configuration files as layers below a request. A work tree's file counts only if the user trusts it: a cloned
 * repository can neither steer a loop nor prevent its start. An untrusted file is left out, with a notice for the
 * user.
 */

import { dirname } from 'node:path'
import { failureWords } from '../../failures/words.ts'
import { ok, type Result } from '../../model/failure.ts'
import { pathsFrom } from '../../store/files/paths.ts'
import type { System } from '../system.ts'
import type { Layer, Layers } from '../values.ts'
import type { ConfigFile } from './file.ts'
import type { ConfigFiles } from './load.ts'
import { type ConfigEntry, layerOf, parseConfig } from './parse.ts'
import { recordTrust, trustOf } from './trust.ts'

/** An untrusted file and its settings. */
export type TrustQuestion = { path: string; changed: boolean; entries: ConfigEntry[] }

/**
 * `wanted`: trust the project's file from now on or, if nothing is recorded, this once. `ask`: a way to ask a
 * person; null if nobody is there.
 */
export type TrustWish = {
  wanted: boolean
  once?: boolean
  ask: ((question: TrustQuestion) => boolean) | null
}

type Loaded = { layers: Layers; notice: string | null }

export function loadLayers(files: ConfigFiles, system: System, wish: TrustWish): Result<Loaded> {
  const user = usersLayer(files.user)
  if (!user.ok) return user
  const project = projectLayer(files.project, system, wish)
  if (!project.ok) return project
  const { layer, notice } = project.value
  return ok({ layers: { ...(user.value && { user: user.value }), ...(layer && { project: layer }) }, notice })
}

function usersLayer(read: ConfigFiles['user']): Result<Layer | null> {
  if (!read.ok || !read.value) return read.ok ? ok(null) : read
  const entries = parseConfig(read.value)
  return entries.ok ? ok(layerOf(read.value, entries.value)) : entries
}

type ProjectLayer = { layer: Layer | null; notice: string | null }

function projectLayer(
  read: ConfigFiles['project'],
  system: System,
  { wanted, once, ask }: TrustWish,
): Result<ProjectLayer> {
  if (!read.ok) return wanted ? read : leftOut(`${failureWords(read.failure)} It was not used.`)
  const file = read.value
  if (!file) return ok({ layer: null, notice: null })
  const paths = pathsFrom(system.env)
  const trust = trustOf(paths, file)
  const changed = trust === 'changed'
  if (!wanted && trust !== 'trusted' && (!ask || trust === 'refused')) {
    return leftOut(untrusted(file, changed, system))
  }
  const entries = parseConfig(file)
  if (!entries.ok && (wanted || trust === 'trusted')) return entries
  if (!entries.ok) return leftOut(`${failureWords(entries.failure)} The file was not used.`)
  const layer = layerOf(file, entries.value)
  if (trust === 'trusted') return ok({ layer, notice: null })
  const trusted = wanted || ask?.({ path: file.path, changed, entries: entries.value }) === true
  if (wanted && once) return ok({ layer, notice: null })
  const recorded = recordTrust(paths, file, trusted)
  if (!recorded.ok) return recorded
  return trusted ? ok({ layer, notice: null }) : leftOut(untrusted(file, false, system))
}

function untrusted({ path }: ConfigFile, changed: boolean, system: System): string {
  const why = changed ? 'has changed since you trusted it' : 'is not trusted'
  return `${path} ${why} and was not used. ${wayToTrust(path, system)}`
}

export function wayToTrust(path: string, { cwd }: System): string {
  const tree = dirname(dirname(path))
  const quoted = /^[\w./-]+$/.test(tree) ? tree : `'${tree.replaceAll("'", "'\\''")}'`
  return `Read it, then trust it with: loop config trust${tree === cwd ? '' : ` --cwd ${quoted}`}`
}

/** The notice is loud, but does not stop the start. */
function leftOut(notice: string): Result<ProjectLayer> {
  return ok({ layer: null, notice })
}

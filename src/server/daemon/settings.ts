/**
 * The configuration of loopd: read again when the file has changed, so that no restart is needed. If the file cannot
 * be read, the earlier values stay.
 */

import { statSync } from 'node:fs'
import { wordsOf } from '../../adapters/notify.ts'
import { failureWords } from '../../failures/words.ts'
import { ok, type Result } from '../../model/failure.ts'
import { parseBytes, parseDuration } from '../../model/units.ts'
import { readConfigFile } from '../../options/config/file.ts'
import { layerOf, parseConfig } from '../../options/config/parse.ts'
import { settings } from '../../options/setting.ts'
import { effectiveValue, type Layers } from '../../options/values.ts'
import type { Paths } from '../../store/files/paths.ts'

type Settings = {
  limit: number
  port: number
  /** Additional host names of the page, behind a tunnel or proxy. */
  hosts: string[]
  notificationCmd: string[]
  webhook: string | null
  minFreeBytes: number
  retentionMs: number
}

export type LiveSettings = { now(): Settings; problem(): string | null }

export function liveSettings(paths: Paths): LiveSettings {
  let seen = ''
  let problem: string | null = null
  let current = settingsFrom({})
  const refresh = () => {
    const stat = statSync(paths.config, { throwIfNoEntry: false })
    const version = stat ? `${stat.mtimeMs}:${stat.size}:${stat.ino}` : 'none'
    if (version === seen) return
    seen = version
    const layers = layersIn(paths)
    problem = layers.ok ? null : failureWords(layers.failure)
    if (layers.ok) current = settingsFrom(layers.value)
  }
  return {
    now() {
      refresh()
      return current
    },
    problem: () => problem,
  }
}

function layersIn(paths: Paths): Result<Layers> {
  const file = readConfigFile({ path: paths.config, of: 'user' })
  if (!file.ok) return file
  if (!file.value) return ok({})
  const entries = parseConfig(file.value)
  return entries.ok ? ok({ user: layerOf(file.value, entries.value) }) : entries
}

function settingsFrom(layers: Layers): Settings {
  const value = (key: string): string | null => {
    const setting = settings.find(candidate => candidate.key === key)
    if (!setting) throw new Error(`Internal error: no key ${key}`)
    return effectiveValue(setting, layers)?.text ?? null
  }
  const command = value('notification_cmd')
  return {
    limit: Number(value('max_concurrent_loops')),
    port: Number(value('web_ui_port')),
    hosts: (value('web_ui_hosts') ?? '').split(/[\s,]+/).filter(Boolean),
    notificationCmd: command === 'none' ? [] : wordsOf(command ?? ''),
    webhook: value('webhook'),
    retentionMs: parseDuration(value('checkpoint_retention') ?? '') ?? 0,
    minFreeBytes: parseBytes(value('min_free_disk') ?? '') ?? 0,
  }
}

/**
 * Garbage collection: removes expired checkpoints, working copies and outputs. It runs for `loop gc`, and sometimes
 * at the end of a foreground loop when nobody waits, so that retention works without loopd too.
 */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { sweepTemplates } from '../../adapters/workcopies/templates.ts'
import { ok, type Result } from '../../model/failure.ts'
import { parseDuration } from '../../model/units.ts'
import { readConfigFile } from '../../options/config/file.ts'
import { settings } from '../../options/setting.ts'
import type { Store } from '../../store/contract.ts'
import type { Paths } from '../../store/files/paths.ts'
import { cleanTree, type TreeReport } from './checkpoints.ts'
import { type FileReport, removeCopies, removeOutputs } from './files.ts'
import { loopsById, type Work } from './work.ts'

export type Collected = { trees: TreeReport[]; copies: FileReport[]; outputs: FileReport[] }

export async function collect(work: Work): Promise<Result<Collected>> {
  const trees: TreeReport[] = []
  for (const name of existsSync(work.paths.trees) ? readdirSync(work.paths.trees) : []) {
    const cleaned = await cleanTree(work, join(work.paths.trees, name))
    if (!cleaned.ok) return cleaned
    if (cleaned.value) trees.push(cleaned.value)
  }
  const copies = await removeCopies(work)
  // After the copies that used them.
  const { paths, now, retentionMs, isDry } = work
  const swept = { templates: paths.templates, now, retentionMs, isDry }
  const templates = work.of === 'known' ? await sweepTemplates(swept) : []
  return ok({ trees, copies: [...copies, ...templates], outputs: removeOutputs(work) })
}

/** Automatic collection. Errors are left to the next time, or to `loop gc`, which reports them. */
export async function collectByItself(store: Store, now: number): Promise<void> {
  const { paths } = store
  const retentionMs = await configured(paths, 'checkpoint-retention')
  const outputMs = await configured(paths, 'output-retention')
  if (retentionMs === null || outputMs === null) return
  const loops = () => loopsById(store)
  try {
    await collect({ paths, loops, now, retentionMs, outputMs, isDry: false, keepsEnds: true, of: 'known' })
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error
  }
}

/** Retention is a setting of the user, not of a project. Null if the file cannot be read. */
async function configured(paths: Paths, name: string): Promise<number | null> {
  const setting = settings.find(one => one.name === name)
  const file = readConfigFile({ path: paths.config, of: 'user' })
  if (!setting || !file.ok) return null
  if (!file.value) return parseDuration(setting.default ?? '')
  const { layerOf, parseConfig } = await import('../../options/config/parse.ts')
  const entries = parseConfig(file.value)
  if (!entries.ok) return null
  return parseDuration(layerOf(file.value, entries.value)(setting)?.text ?? setting.default ?? '')
}

/**
 * `loop gc`: throws away the checkpoints of loops that ended longer ago than they are kept, and what is left of
 * loops that are not known any more; says what it frees. A work tree in which a loop has not ended is left alone.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { removeSnapshot, snapshotsOf } from '../../adapters/checkpoints/btrfs.ts'
import {
  type Checkpoint,
  listCheckpoints,
  removeCheckpoints,
  sizeOf,
} from '../../adapters/checkpoints/git/clean.ts'
import { openRepository } from '../../adapters/checkpoints/git/repository.ts'
import { readConfigFile } from '../../config/file.ts'
import { isOpen, type Summary } from '../../core/summary.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import { formatBytes, formatDuration, parseDuration } from '../../model/units.ts'
import { openStoreToRead, type Store } from '../../store/database.ts'
import { pathsFrom } from '../../store/paths.ts'
import { list } from '../../store/summary.ts'
import type { Input, Run } from '../command.ts'
import { out } from '../terminal.ts'

type Report = { tree: string; checkpoints: number; bytes: number; kept: string | null }

const gc: Run = async given => {
  if (given.positionals.length > 0)
    return fail('invalid-arguments', 'loop gc takes no names: it looks at all loops.')
  const input = await withUserConfig(given)
  if (!input.ok) return input
  const text = input.value.value('checkpoint-retention') ?? '24h'
  const retentionMs = parseDuration(text)
  if (retentionMs === null) {
    return fail('invalid-arguments', `--checkpoint-retention is a time like 24h or 7d; not "${text}".`)
  }
  const paths = pathsFrom(given.env)
  const store = openStoreToRead(paths)
  if (!store.ok) return store
  const reports: Report[] = []
  for (const name of existsSync(paths.trees) ? readdirSync(paths.trees) : []) {
    const cleaned = await clean({
      store: store.value,
      directory: join(paths.trees, name),
      retentionMs,
      isDry: given.given('dry-run'),
    })
    if (!cleaned.ok) return cleaned
    if (cleaned.value) reports.push(cleaned.value)
  }
  print(given, reports, retentionMs)
  return ok(0)
}

/** How long checkpoints are kept is a matter of the user, not of a project. */
async function withUserConfig(input: Input): Promise<Result<Input>> {
  const file = readConfigFile({ path: pathsFrom(input.env).config, of: 'user' })
  if (!file.ok) return file
  if (!file.value) return ok(input)
  const { layerOf, parseConfig } = await import('../../config/parse.ts')
  const entries = parseConfig(file.value)
  return entries.ok ? ok(input.over({ user: layerOf(file.value, entries.value) })) : entries
}

type Work = { store: Store | null; directory: string; retentionMs: number; isDry: boolean }

/** Null where there is nothing to throw away. */
async function clean(work: Work): Promise<Result<Report | null>> {
  const store = join(work.directory, 'git')
  for (const left of readdirSync(work.directory).filter(name => name.includes('.gone-'))) {
    if (!work.isDry) rmSync(join(work.directory, left), { recursive: true, force: true })
  }
  if (!existsSync(store)) return ok(null)
  const repository = openRepository({ tree: store, store })
  const all = listCheckpoints(repository)
  const gone = all.filter(isOld(loopsOf(work.store), work.retentionMs))
  if (gone.length === 0) return ok(null)
  const bytes = await sizeOf(repository, gone)
  if (!bytes.ok) return bytes
  const report = { tree: work.directory, checkpoints: gone.length, bytes: bytes.value }
  const mayClean = () => !all.some(({ loop }) => isBusy(loopsOf(work.store).get(loop)))
  if (work.isDry) return ok({ ...report, kept: mayClean() ? null : busyWords })
  const removed = await removeCheckpoints(repository, { gone, mayClean })
  if (!removed.ok) return removed
  if (!removed.value) return ok({ ...report, kept: busyWords })
  for (const { loop, name } of gone) await removeSnapshotOf(loopsOf(work.store).get(loop), name)
  return ok({ ...report, kept: null })
}

/** Of a tree that is a btrfs subvolume; what can not be deleted is a directory the user sees. */
async function removeSnapshotOf(summary: Summary | undefined, name: string): Promise<void> {
  const path = summary && join(snapshotsOf(summary.cwd), summary.id, name)
  if (path && existsSync(path)) await removeSnapshot(path)
}

const busyWords = 'a loop there has not ended'

function loopsOf(store: Store | null): Map<string, Summary> {
  return new Map((store ? list(store, {}).summaries : []).map(summary => [summary.id, summary]))
}

function isOld(loops: Map<string, Summary>, retentionMs: number): (checkpoint: Checkpoint) => boolean {
  return ({ loop }) => {
    const summary = loops.get(loop)
    if (!summary) return true
    return !isBusy(summary) && Date.now() - (summary.endedAt ?? Date.now()) > retentionMs
  }
}

function isBusy(summary: Summary | undefined): boolean {
  return summary !== undefined && (isOpen(summary.status) || summary.holdsTree)
}

function print(input: Input, reports: readonly Report[], retentionMs: number): void {
  const isDry = input.given('dry-run')
  const done = reports.filter(({ kept }) => kept === null)
  const bytes = done.reduce((sum, report) => sum + report.bytes, 0)
  const checkpoints = done.reduce((sum, report) => sum + report.checkpoints, 0)
  if (input.given('json')) {
    out(JSON.stringify({ dryRun: isDry, checkpoints, bytes, trees: reports }))
    return
  }
  for (const { tree, checkpoints: count, bytes: size, kept } of reports) {
    const words = `${String(count).padStart(5)} checkpoints  ${formatBytes(size).padStart(9)}  ${tree}`
    out(kept === null ? words : `${words} (left alone: ${kept})`)
  }
  const age = `of loops that ended more than ${formatDuration(retentionMs)} ago`
  if (checkpoints === 0) out(`Nothing to throw away: there are no checkpoints ${age}.`)
  else
    out(`${isDry ? 'Would free' : 'Freed'} about ${formatBytes(bytes)}: ${checkpoints} checkpoints ${age}.`)
}

export default gc

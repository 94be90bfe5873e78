/**
 * Frozen templates of large ignored entries (node_modules, .venv, target): copied once, never written again, and used by
 * any number of copies as a lower layer of their overlay. A template is named by the fingerprint of its original, so
 * that a changed directory gets another template.
 *
 *   <templates>/<key>/files/<path>   the entry, at its path in the tree
 *   <templates>/<key>/made           exists once the template is complete and durable
 *   <templates>/<key>/uses/<copy>    holds the directory of a copy that uses it
 *   <templates>/<key>.new-<n>        being made, or left behind by a kill
 */
import { createHash, randomUUID } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fail, ok, type Result } from '../../model/failure.ts'
import { exec } from '../../platform/exec.ts'
import { platform } from '../../platform/platform.ts'
import { copyLarge, removeAll } from './copy-files.ts'
import { type Weight, weigh } from './weigh.ts'

type Entry = {
  templates: string
  tree: string
  /** Relative to the tree. */
  path: string
  /** The directory of the copy that will use it. */
  home: string
  signal: AbortSignal
  fault: (point: string) => void
}

type Frozen = Entry & { weight: Weight; progress?: ((done: number, of: number) => void) | undefined }

const attempts = 3
/** Templates being made by this process: two copies that are made at once need the same ones. */
const underWay = new Map<string, Promise<Result<boolean>>>()

/** Returns a layer with a frozen copy of the entry as it is now, and records that this copy uses it. */
export async function freeze(request: Frozen): Promise<Result<string>> {
  const { tree, path, signal, progress } = request
  const from = join(tree, path)
  let weight: Weight | null = request.weight
  for (let attempt = 0; attempt < attempts && weight; attempt += 1) {
    const { print, bytes, isShut } = weight
    const frozen = await templateLayer(request, {
      print,
      bytes,
      async fill(to) {
        const copied = await copyLarge({ from, to, reflink: 'auto', signal, progress })
        if (!copied.ok && (signal.aborted || !isShut)) return copied
        return ok((await weigh(tree, path, signal))?.print === print)
      },
    })
    if (!frozen.ok || frozen.value !== null) return frozen as Result<string>
    weight = await weigh(tree, path, signal)
  }
  return fail('step-failed', { kind: 'changed-while-copied', path: from })
}

/** `fill` writes the entry to a path; false where the entry changed meanwhile. `bytes`: the space of the template. */
type Filling = { print: string; bytes: number; fill(to: string): Promise<Result<boolean>> }

/** The layer of the template with this fingerprint, made by `fill` if it is missing; null where that did not succeed. */
export async function templateLayer(entry: Entry, filling: Filling): Promise<Result<string | null>> {
  const { templates, tree, path, home, signal } = entry
  const key = createHash('sha1').update(`${tree}\0${path}\0${filling.print}`).digest('hex').slice(0, 20)
  const template = join(templates, key)
  mkdirSync(templates, { recursive: true, mode: 0o700 })
  const others = underWay.get(template)
  const work = others ?? make(template, entry, filling).finally(() => underWay.delete(template))
  underWay.set(template, work)
  const made = await work
  // It was being made for another copy, which was stopped.
  if (others && !made.ok && !signal.aborted) return ok(null)
  if (!made.ok) return made
  return ok(made.value && use(template, home) ? join(template, 'files') : null)
}

/** False where the entry changed while it was copied; then nothing is kept. */
async function make(template: string, entry: Entry, filling: Filling): Promise<Result<boolean>> {
  const { tree, path, fault } = entry
  if (existsSync(join(template, 'made'))) return ok(true)
  const fresh = `${template}.new-${process.pid}-${randomUUID().slice(0, 8)}`
  const to = join(fresh, 'files', path)
  mkdirSync(dirname(to), { recursive: true, mode: 0o755 })
  mkdirSync(join(fresh, 'uses'), { mode: 0o700 })
  fault('template:begun')
  const filled = await filling.fill(to).catch(async error => {
    await removeAll(fresh)
    throw error
  })
  if (!filled.ok || !filled.value) return discard(fresh, filled)
  fault('template:copied')
  const { bytes } = filling
  writeFileSync(join(fresh, 'made'), JSON.stringify({ tree, path, bytes }), { mode: 0o600 })
  // Before it gets its name: so a template that has a name is complete, even after a power cut.
  const synced = await syncAll(fresh)
  if (!synced.ok) return discard(fresh, synced)
  try {
    renameSync(fresh, template)
  } catch (error) {
    // Another process was faster.
    if (!existsSync(join(template, 'made'))) throw error
    await removeAll(fresh)
  }
  fault('template:made')
  return ok(true)
}

async function discard<T>(path: string, outcome: Result<T>): Promise<Result<T>> {
  await removeAll(path)
  return outcome
}

/** Makes everything written to the file system of this path durable: one call, where one for each file takes minutes. */
export async function syncAll(path: string): Promise<Result<null>> {
  const env = { PATH: process.env['PATH'] ?? '', LC_ALL: 'C' }
  const done = await exec({ argv: platform.files.syncCommand(path), cwd: '/', env })
  if (done.code === 0) return ok(null)
  return fail('step-failed', {
    kind: 'not-on-disk',
    path,
    why: done.stderr.toString().trim() || String(done.cut),
  })
}

/** Records that a copy uses the template; false where it was deleted meanwhile. */
export function use(template: string, home: string): boolean {
  try {
    writeFileSync(join(template, 'uses', basename(home)), home, { mode: 0o600 })
    touch(template)
    return existsSync(join(template, 'made'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

/** Forgets that a copy uses this layer: the copy is about to be removed. */
export function unuse(layer: string, home: string): void {
  const template = dirname(layer)
  rmSync(join(template, 'uses', basename(home)), { force: true })
  if (existsSync(join(template, 'made'))) touch(template)
}

/** Retention counts from the last use. */
function touch(template: string): void {
  const now = new Date()
  utimesSync(join(template, 'made'), now, now)
}

type Sweep = { templates: string; now: number; retentionMs: number; isDry: boolean }

/**
 * Deletes templates that no copy has used for the retention time, and incomplete ones that kills left behind. A
 * template that a copy begins to use meanwhile stays.
 */
export async function sweepTemplates(sweep: Sweep): Promise<{ path: string; bytes: number }[]> {
  const { templates, now, retentionMs, isDry } = sweep
  const swept: { path: string; bytes: number }[] = []
  for (const name of existsSync(templates) ? readdirSync(templates) : []) {
    const path = join(templates, name)
    putBack(path)
    const made = statSync(join(path, 'made'), { throwIfNoEntry: false })
    const since = (made ?? statSync(path, { throwIfNoEntry: false }))?.mtimeMs ?? now
    if (now - since <= retentionMs || isUsed(path) || isBeingMade(name)) continue
    const bytes = bytesOf(path)
    if (isDry || (await sweepOne(path))) swept.push({ path, bytes })
  }
  return swept
}

/** A sweep that was killed may have left a template under its other name though a copy had begun to use it. */
function putBack(path: string): void {
  const before = path.replace(/\.gone-[^/]*$/, '')
  if (before !== path && isUsed(path) && !existsSync(before)) renameSync(path, before)
}

/** Renames first: a copy that begins to use the template is then either seen here, or finds that it is gone. */
async function sweepOne(path: string): Promise<boolean> {
  const gone = path.includes('.gone-') ? path : `${path}.gone-${randomUUID().slice(0, 8)}`
  if (gone !== path) renameSync(path, gone)
  if (isUsed(gone) && !existsSync(path)) {
    renameSync(gone, path)
    return false
  }
  return (await removeAll(gone)).ok
}

function isBeingMade(name: string): boolean {
  const pid = Number(/\.new-(\d+)-/.exec(name)?.[1])
  return pid > 0 && platform.processes.find(pid) !== null
}

/** Is it used by a copy that still exists? */
function isUsed(template: string): boolean {
  const uses = join(template, 'uses')
  if (!existsSync(uses)) return false
  return readdirSync(uses).some(name => existsSync(readFileSync(join(uses, name), 'utf8')))
}

/** The size in bytes when it was made; 0 for an incomplete one. */
function bytesOf(template: string): number {
  try {
    return Number(JSON.parse(readFileSync(join(template, 'made'), 'utf8')).bytes) || 0
  } catch {
    return 0
  }
}

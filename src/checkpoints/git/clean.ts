/**
 * Deletes checkpoints that nobody needs any more and frees their space; git decides which objects are still reachable.
 * While a store is being cleaned, a marker file keeps all other calls out: a checkpoint could rely on an object that
 * is about to be deleted.
 */
import {
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fail, ok, type Result } from '../../model/failure.ts'
import { codeOf, isMissing } from '../errors.ts'
import { prepareRepository, type Repository } from '../objects/repository.ts'

export type Checkpoint = { loop: string; name: string; id: string }

const marker = 'cleaning'
const pollMs = 50
const patienceMs = 10 * 60_000

export function listCheckpoints(repository: Repository): Checkpoint[] {
  const refs = join(repository.dir, 'refs/loop')
  return namesIn(refs).flatMap(loop =>
    namesIn(join(refs, loop))
      .filter(name => !name.startsWith('.'))
      .map(name => ({ loop, name, id: readFileSync(join(refs, loop, name), 'utf8').trim() })),
  )
}

/** How much space deleting these would free: the size on disk of the objects that no other checkpoint needs. */
export async function sizeOnDisk(
  repository: Repository,
  gone: readonly Checkpoint[],
): Promise<Result<number>> {
  const isGone = new Set(gone.map(({ loop, name }) => `${loop}/${name}`))
  const kept = listCheckpoints(repository).filter(({ loop, name }) => !isGone.has(`${loop}/${name}`))
  if (kept.length === 0) return ok(ownBytes(repository.dir))
  const all = await repository.git({
    args: ['cat-file', '--batch-all-objects', '--batch-check=%(objectname) %(objectsize:disk)'],
  })
  if (!all.ok) return all
  const input = Buffer.from(kept.map(({ id }) => `${id}\n`).join(''))
  const needed = await repository.git({ args: ['rev-list', '--objects', '--stdin'], input })
  if (!needed.ok) return needed
  const reachable = new Set(
    needed.value.stdout
      .toString('latin1')
      .split('\n')
      .map(line => line.slice(0, 40)),
  )
  const lines = all.value.stdout.toString().trim().split('\n')
  const sizes = lines.map(line => line.split(' ')).filter(([id = '']) => !reachable.has(id))
  return ok(sizes.reduce((sum, [, size]) => sum + Number(size), 0))
}

/**
 * False where the store is in use. `mayClean` is asked when the marker is set, so that no new call can begin; it must
 * say no while a loop works on the tree. `note` is called after that, before anything is deleted.
 */
export async function removeCheckpoints(
  repository: Repository,
  request: { gone: readonly Checkpoint[]; mayClean: () => boolean; note: () => void },
): Promise<Result<boolean>> {
  const path = join(repository.dir, marker)
  if (!mark(path)) return ok(false)
  try {
    if (!request.mayClean()) return ok(false)
    request.note()
    const refs = join(repository.dir, 'refs/loop')
    for (const { loop, name } of request.gone) rmSync(join(refs, loop, name), { force: true })
    for (const loop of namesIn(refs)) {
      // Names with a dot are temporary files that a kill left behind.
      const isEmpty = namesIn(join(refs, loop)).every(name => name.startsWith('.'))
      if (isEmpty) rmSync(join(refs, loop), { recursive: true })
    }
    if (listCheckpoints(repository).length === 0) return ok(removeStore(repository))
    prepareRepository(repository)
    await repository.batch.settle()
    for (const args of [
      ['repack', '-a', '-d', '-q'],
      ['prune', '--expire=now'],
    ]) {
      const done = await repository.git({ args })
      if (!done.ok) return done
    }
    return ok(true)
  } finally {
    rmSync(path, { force: true })
  }
}

/** Waits while the store is being cleaned. The marker of a process that has ended does not count. */
export async function waitWhileCleaned(
  repository: Repository,
  signal: AbortSignal | undefined,
): Promise<Result<null>> {
  const path = join(repository.dir, marker)
  for (let waitedMs = 0; existsSync(path) && isCleaning(path); waitedMs += pollMs) {
    signal?.throwIfAborted()
    if (waitedMs >= patienceMs) return fail('step-failed', { kind: 'still-cleaned', dir: repository.dir })
    await wait(pollMs)
  }
  return ok(null)
}

function mark(path: string): boolean {
  if (existsSync(path) && isCleaning(path)) return false
  rmSync(path, { force: true })
  try {
    const file = openSync(path, 'wx', 0o600)
    writeSync(file, String(process.pid))
    closeSync(file)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST' || isMissing(error)) return false
    throw error
  }
}

function isCleaning(path: string): boolean {
  try {
    const pid = Number(readFileSync(path, 'utf8'))
    // Created a moment ago, the pid is not written yet.
    if (pid === 0) return Date.now() - statSync(path).mtimeMs < 1_000
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/** Renamed first, in one step: a call that begins now creates a new store. */
function removeStore({ dir }: Repository): true {
  const away = `${dir}.gone-${process.pid}`
  renameSync(dir, away)
  rmSync(away, { recursive: true, force: true })
  return true
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

/** Without packs that are linked from the user's repository: deleting those frees nothing. */
function ownBytes(path: string): number {
  const stat = lstatSync(path)
  if (!stat.isDirectory()) return stat.nlink > 1 ? 0 : stat.size
  return namesIn(path).reduce((sum, name) => sum + ownBytes(join(path, name)), 0)
}

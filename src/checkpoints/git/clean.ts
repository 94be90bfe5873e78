/**
 * Throws away checkpoints nobody needs any more and gives their space back. What is kept stays exactly as it is:
 * git itself decides what is still reachable. While a store is cleaned a marker keeps everybody else out, since
 * an object that is about to go would look as if it were there.
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
import { prepareRepository, type Repository } from './repository.ts'
import { codeOf, isMissing } from './trouble.ts'

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

/** What would be freed without these: the size on disk of what nothing else needs. */
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
 * `mayClean` is asked once nobody can begin anything any more; whoever is at work already makes it say no. `note` is
 * called after that, before the first thing goes.
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
      // What a kill left begins with a dot.
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

/** Waits while the store is being cleaned; a marker whose process is gone means nothing. */
export async function waitWhileCleaned(
  repository: Repository,
  signal: AbortSignal | undefined,
): Promise<Result<null>> {
  const path = join(repository.dir, marker)
  for (let waitedMs = 0; existsSync(path) && isCleaning(path); waitedMs += pollMs) {
    signal?.throwIfAborted()
    if (waitedMs >= patienceMs)
      return fail('step-failed', `loop gc still cleans ${repository.dir}. End it, then resume.`)
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
    // Just made, and not written yet.
    if (pid === 0) return Date.now() - statSync(path).mtimeMs < 1_000
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/** Out of the way in one step: what begins now makes a new one. */
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

/** Without what the user's repository has too: a linked pack is freed only when both let go of it. */
function ownBytes(path: string): number {
  const stat = lstatSync(path)
  if (!stat.isDirectory()) return stat.nlink > 1 ? 0 : stat.size
  return namesIn(path).reduce((sum, name) => sum + ownBytes(join(path, name)), 0)
}

/**
 * Checkpoints in a private git directory outside the work tree: works in any repository and outside of one.
 * The tree is scanned and written by this process; git reads objects, compares them, and cleans up.
 * A checkpoint is a commit object and a ref file that names it. Exact for bytes, permissions, symlinks,
 * deletions and empty directories of everything that is not ignored.
 */
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Changes } from '../../model/event.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import type { Checkpoints, Taken } from '../checkpoint.ts'
import type { Merged } from '../workcopy.ts'
import { waitWhileCleaned } from './git/clean.ts'
import { type MergeRequest, merge } from './git/merge.ts'
import { openRepository, prepareRepository, type Repository, refPath, writeRef } from './git/repository.ts'
import { notePath, preview, restore } from './git/restore.ts'
import { openSaver, type Saver } from './git/save.ts'
import { codeOf, Unable } from './git/trouble.ts'
import { type Objects, openObjects } from './objects/objects.ts'
import { readable } from './scan/listing.ts'
import { copyExclude } from './scan/outer-rules.ts'

export type GitCheckpointsOptions = {
  /** The work tree, with symlinks resolved. */
  tree: string
  /** The private git directory of this tree alone, outside of it; made where it is not there. */
  store: string
  /** Save ignored files too, as far as they are small. */
  ignoredToo?: boolean
  /** A working copy: what is known of it is kept under this name, and the rules from outside are those of its origin. */
  cache?: string
  rulesOf?: string
}

export type GitCheckpoints = Checkpoints & { merge(request: MergeRequest): Promise<Result<Merged>> }

const mostPacks = 50

export function gitCheckpoints(options: GitCheckpointsOptions): GitCheckpoints {
  const repository = openRepository(options)
  const objects = openObjects(join(repository.dir, 'objects'))
  const ignoredToo = options.ignoredToo ?? false
  const saver = openSaver({ repository, objects, ignoredToo, cache: options.cache ?? 'snapshot' })
  let prepared = false
  let queue: Promise<unknown> = Promise.resolve()

  // One at a time: all share one snapshot and one pack.
  function inTurn<T>(what: string, step: () => Promise<Result<T>>, signal?: AbortSignal): Promise<Result<T>> {
    const turn = queue.then(async () => {
      try {
        const free = await waitWhileCleaned(repository, signal)
        if (!free.ok) return free
        if (!prepared) {
          prepareRepository(repository)
          if (!options.cache) copyExclude(repository)
        }
        prepared = true
        return await step()
      } catch (error) {
        return worldFailure(what, repository, error)
      }
    })
    queue = turn.then(
      () => tidy(repository, objects),
      () => null,
    )
    return turn
  }

  return {
    take: request => inTurn(`Checkpoint ${request.name}`, () => take({ repository, saver, ...request })),
    changed: ({ from, to }) =>
      inTurn(`Comparing ${from}`, async () => {
        const compared = await changesBetween(repository, { since: from, id: to })
        return compared.ok ? ok(compared.value.changed) : compared
      }),
    diff: request => inTurn(`Comparing ${request.from}`, () => diff(repository, request)),
    merge: request => inTurn(`Merging ${request.theirs}`, () => merge(repository, objects, request)),
    preview: request =>
      inTurn(`Comparing with ${request.tree}`, () =>
        preview({ repository, objects, saver, ignoredToo, keepAs: '', ...request }),
      ),
    restore: request =>
      inTurn(`Restoring ${request.tree}`, () =>
        restore({ repository, objects, saver, ignoredToo, ...request }),
      ),
  }
}

type TakeRequest = Parameters<Checkpoints['take']>[0] & { repository: Repository; saver: Saver }

async function take(request: TakeRequest): Promise<Result<Taken>> {
  const { repository, saver, since, signal } = request
  const startedMs = performance.now()
  const ref = refPath(repository, request.loop, request.name)
  // What a killed restore left is now a state somebody asked to save.
  if (existsSync(notePath(repository))) rmSync(notePath(repository))
  const before = since === null ? null : saver.treeOf(since)
  const ahead = before === null ? null : startComparing(repository, before, signal)
  const saving = saver.save({ signal, ...(request.from && { from: request.from }) })
  saving.then(ahead?.compareWith, () => ahead?.compareWith(null))
  const { id, skipped } = await saving
  const slow = () => changesBetween(repository, { since: since ?? id, id, signal })
  const compared = since === null ? ok(null) : await (ahead?.result ?? slow())
  if (!compared.ok) return compared
  signal.throwIfAborted()
  writeRef(ref, id)
  const durationMs = performance.now() - startedMs
  return ok({ tree: id, durationMs, skipped: skipped.map(readable), ...(compared.value ?? unknown) })
}

async function diff(repository: Repository, range: { from: string; to: string }): Promise<Result<string>> {
  const options = ['-r', '-p', '--no-renames', '--no-textconv', '--no-ext-diff']
  const compared = await repository.git({ args: ['diff-tree', ...options, range.from, range.to, '--'] })
  return compared.ok ? ok(compared.value.stdout.toString('utf8')) : compared
}

type Compared = { changes: Changes; changed: string[] }

const unknown = { changes: null, changed: null }

// Larger files count as binary: nobody waits for the lines of a database.
const counting = ['-c', 'core.bigFileThreshold=16m', 'diff-tree', '-r', '--numstat', '-z', '--no-renames']

async function changesBetween(
  repository: Repository,
  question: { since: string; id: string; signal?: AbortSignal },
): Promise<Result<Compared>> {
  const { since, id, signal } = question
  if (since === id) return ok(countsOf(Buffer.alloc(0)))
  const compared = await repository.git({ args: [...counting, since, id, '--'], signal })
  return compared.ok ? ok(countsOf(compared.value.stdout)) : compared
}

/** Starts git before it is known what to compare with: it is up by the time the tree is saved. */
function startComparing(
  repository: Repository,
  before: string,
  signal: AbortSignal,
): { compareWith(saved: { tree: string } | null): void; result: Promise<Result<Compared>> } {
  const { promise: input, resolve } = Promise.withResolvers<Buffer>()
  const compared = repository.git({ args: [...counting, '--stdin'], input, signal })
  return {
    compareWith: saved =>
      resolve(Buffer.from(saved && saved.tree !== before ? `${before} ${saved.tree}\n` : '')),
    result: compared.then(done => (done.ok ? ok(countsOf(done.value.stdout)) : done)),
  }
}

function countsOf(output: Buffer): Compared {
  const total: Changes = { added: 0, removed: 0, files: 0 }
  const changed: string[] = []
  // Binary files have "-" for both numbers.
  for (const [, added, removed, name] of output.toString('latin1').matchAll(numbers)) {
    changed.push(readable(name ?? ''))
    total.files += 1
    total.added += Number(added?.replace('-', '0'))
    total.removed += Number(removed?.replace('-', '0'))
  }
  return { changes: total, changed }
}

const numbers = /(\d+|-)\t(\d+|-)\t([^\0]+)\0/g

/** Each checkpoint with changes is a pack; too many make git slow. After the answer, before the next call. */
async function tidy(repository: Repository, objects: Objects): Promise<void> {
  if (objects.written() < mostPacks) return
  await repository.git({ args: ['repack', '--geometric=2', '-d', '-q'] })
  objects.reload()
}

/** Only what the operating system refused is a failure of the step; anything else is a bug and is thrown. */
function worldFailure(what: string, repository: Repository, error: unknown): Result<never> {
  if (error instanceof Unable) return fail('step-failed', error.message)
  if (error instanceof Error && error.name === 'AbortError') {
    return fail('step-failed', `${what} of ${repository.tree} was stopped; nothing of it counts.`)
  }
  if (!(error instanceof Error) || codeOf(error) === null || !('syscall' in error)) throw error
  const words = `${what} of ${repository.tree} failed: ${error.message}.`
  return fail('step-failed', `${words} Nothing of it counts; solve this and resume.`)
}

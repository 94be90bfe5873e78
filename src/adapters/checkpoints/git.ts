/**
 * Checkpoints in a private git directory outside the work tree: works in any repository and outside of one.
 * A checkpoint is a tree object and a ref file that names it; no commit, no identity, no signing.
 * Exact for bytes, exec bit, symlinks and deletions of every file that is not ignored. Not yet: empty
 * directories, permission bits beyond exec, ignored files on request, seeding from the user's objects.
 */
import { rmSync } from 'node:fs'
import type { Changes } from '../../model/event.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import type { Checkpoints, Taken } from '../checkpoint.ts'
import { notePath, restore } from './git-restore.ts'
import { type Save, saver } from './git-save.ts'
import { codeOf, type GitStore, openGitStore, prepareGitStore, refPath, writeRef } from './git-store.ts'
import { readable } from './git-survey.ts'

export type GitCheckpointsOptions = {
  /** The work tree, with symlinks resolved. */
  tree: string
  /** The private git directory of this tree alone, outside of it; made where it is not there. */
  store: string
}

export function gitCheckpoints(options: GitCheckpointsOptions): Checkpoints {
  const store = openGitStore(options)
  const save = saver(store)
  let prepared = false
  let queue: Promise<unknown> = Promise.resolve()

  // One at a time: two gits on one index would take each other's lock for stale.
  function inTurn<T>(what: string, step: () => Promise<Result<T>>): Promise<Result<T>> {
    const turn = queue.then(async () => {
      try {
        if (!prepared) prepareGitStore(store)
        prepared = true
        return await step()
      } catch (error) {
        return worldFailure(what, store, error)
      }
    })
    queue = turn.catch(() => null)
    return turn
  }

  return {
    take: request => inTurn(`Checkpoint ${request.name}`, () => take({ store, save, ...request })),
    changed: ({ from, to }) =>
      inTurn(`Comparing ${from}`, async () => {
        const compared = await changesBetween(store, { since: from, tree: to })
        return compared.ok ? ok(compared.value.changed) : compared
      }),
    diff: request => inTurn(`Comparing ${request.from}`, () => diff(store, request)),
    restore: request => inTurn(`Restoring ${request.tree}`, () => restore({ store, save, ...request })),
  }
}

type TakeRequest = Parameters<Checkpoints['take']>[0] & { store: GitStore; save: Save }

async function take(request: TakeRequest): Promise<Result<Taken>> {
  const { store, save, since, signal } = request
  const startedMs = performance.now()
  const ref = refPath(store, request.loop, request.name)
  // What a killed restore left is now a state somebody asked to save.
  rmSync(notePath(store), { force: true })
  const saved = await save(signal)
  if (!saved.ok) return saved
  const { tree, skipped } = saved.value
  const compared = since === null ? ok(null) : await changesBetween(store, { since, tree, signal })
  if (!compared.ok) return compared
  if (signal.aborted)
    return fail('step-failed', `Checkpoint ${request.name} was stopped; nothing of it counts.`)
  writeRef(ref, tree)
  const durationMs = performance.now() - startedMs
  return ok({ tree, durationMs, skipped: skipped.map(readable), ...(compared.value ?? unknown) })
}

async function diff(store: GitStore, { from, to }: { from: string; to: string }): Promise<Result<string>> {
  const args = ['diff-tree', '-r', '-p', '--no-renames', '--no-textconv', '--no-ext-diff', from, to, '--']
  const compared = await store.git({ args })
  return compared.ok ? ok(compared.value.stdout.toString('utf8')) : compared
}

type Compared = { changes: Changes; changed: string[] }

const unknown = { changes: null, changed: null }

async function changesBetween(
  store: GitStore,
  question: { since: string; tree: string; signal?: AbortSignal },
): Promise<Result<Compared>> {
  const { since, tree, signal } = question
  const total: Changes = { added: 0, removed: 0, files: 0 }
  const changed: string[] = []
  if (since === tree) return ok({ changes: total, changed })
  // Larger files count as binary: nobody waits for the lines of a database.
  const limit = ['-c', 'core.bigFileThreshold=16m']
  const args = [...limit, 'diff-tree', '-r', '--numstat', '-z', '--no-renames', since, tree, '--']
  const compared = await store.git({ args, ...(signal && { signal }) })
  if (!compared.ok) return compared
  // Binary files have "-" for both numbers.
  for (const [, added, removed, name] of compared.value.stdout.toString('latin1').matchAll(numbers)) {
    changed.push(Buffer.from(name ?? '', 'latin1').toString('utf8'))
    total.files += 1
    total.added += Number(added?.replace('-', '0'))
    total.removed += Number(removed?.replace('-', '0'))
  }
  return ok({ changes: total, changed })
}

const numbers = /(\d+|-)\t(\d+|-)\t([^\0]+)\0/g

/** Only what the operating system refused is a failure of the step; anything else is a bug and is thrown. */
function worldFailure(what: string, store: GitStore, error: unknown): Result<never> {
  const code = codeOf(error)
  if (!(error instanceof Error) || code === null || !('syscall' in error)) throw error
  const words = `${what} of ${store.tree} failed: ${error.message}.`
  return fail('step-failed', `${words} Nothing of it counts; solve this and resume.`)
}

/**
 * The git backend: checkpoints in a private git directory outside the work tree, for any tree, in a repository or not.
 * This process scans and writes the tree; git only reads objects, compares them, merges and cleans up. A checkpoint
 * is a commit object and a ref file that names it. It is exact for content, permissions, symlinks, deletions and
 * empty directories of everything that is not ignored.
 */
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fail, ok, type Result } from '../../model/failure.ts'
import type { Checkpoints, FileChange, Merged, Taken } from '../contract.ts'
import { isOfSystem, Unable } from '../errors.ts'
import { readable } from '../format/file.ts'
import { type Objects, openObjects } from '../objects/objects.ts'
import { addRef, openRepository, prepareRepository, type Repository, refPath } from '../objects/repository.ts'
import { copyRules } from '../scan/outer-rules.ts'
import { type Compared, countByGit, countHere, linesByFile, namesBetween, type Range } from './changes.ts'
import { waitWhileCleaned } from './clean.ts'
import {
  type BegunRequest,
  begunFiles,
  type FilesRequest,
  type MergeRequest,
  merge,
  withFiles,
} from './merge.ts'
import { forgetNote, type Materialized, materialize, preview, restoreTree } from './restore.ts'
import { openSaver, type Saver } from './save.ts'
import { type TreeTexts, treeTexts } from './saved-files.ts'

export type GitCheckpointsOptions = {
  /** The work tree, with symlinks resolved. */
  tree: string
  /** The private git directory of this tree, outside of it; created on first use. */
  store: string
  /** Save ignored files too, as long as they are small (scan/ignored). */
  ignoredToo?: boolean
  /** False: the first checkpoint reads every file, and takes nothing from the user's repository (checkpoints/seed). */
  seed?: boolean
  /** For a working copy: the name of its snapshot file, and the tree whose rules from outside apply. */
  cache?: string
  rulesOf?: string
}

export type GitCheckpoints = Checkpoints & {
  merge(request: MergeRequest): Promise<Result<Merged>>
  /** Which of these files did a restore that was killed begin to write? */
  begunFiles(request: BegunRequest): Promise<Result<string[]>>
  /** A saved tree with some files replaced by those of another one. Resolves to the id of the new checkpoint. */
  withFiles(request: FilesRequest): Promise<Result<string>>
  /** The files of a saved tree, to be closed after use. */
  files(tree: string): Promise<Result<TreeTexts>>
  linesByFile(request: { from: string; to: string; signal: AbortSignal }): Promise<Result<FileChange[]>>
  /**
   * Makes the tree equal to a saved one, for a directory that nobody else uses yet (a new working copy): nothing that
   * is there is kept, and nothing is read back. Aborting or a kill leaves it half done.
   * `timeOf`: the modification time that a file gets, in milliseconds; null for now.
   */
  materialize(request: {
    tree: string
    signal: AbortSignal
    timeOf?: (path: string, id: string) => number | null
  }): Promise<Result<Materialized>>
  /** The modification time of a file in the last snapshot, if it had this id there; else null. */
  timeOf(path: string, id: string): number | null
}

const mostPacks = 50

export function gitCheckpoints(options: GitCheckpointsOptions): GitCheckpoints {
  const repository = openRepository(options)
  const objects = openObjects(join(repository.dir, 'objects'), repository.batch)
  const ignoredToo = options.ignoredToo ?? false
  const saver = openSaver({
    repository,
    objects,
    ignoredToo,
    seed: options.seed ?? process.env['LOOP_SEED'] !== 'off',
  })
  const parts = { repository, objects, saver }
  const inTurn = openTurns(parts, options)
  return {
    take: request => inTurn(`Checkpoint ${request.name}`, () => take({ ...parts, ...request })),
    changed: ({ from, to }) =>
      inTurn(`Comparing ${from}`, async () => ok(await namesBetween(repository, objects, { from, to }))),
    changedSince: request =>
      inTurn(`Comparing with ${request.since}`, () => changedSince({ ...parts, ...request }), request.signal),
    diff: request => inTurn(`Comparing ${request.from}`, () => diff(repository, request)),
    merge: request => inTurn(`Merging ${request.theirs}`, () => merge(repository, objects, request)),
    begunFiles: request => inTurn('Looking at the tree', () => begunFiles(repository, objects, request)),
    withFiles: request => inTurn('Taking files', () => withFiles(repository, objects, request)),
    files: tree => inTurn(`Reading ${tree}`, async () => ok(await treeTexts(repository, objects, tree))),
    linesByFile: request => inTurn(`Comparing ${request.from}`, () => linesByFile(repository, request)),
    materialize: request =>
      inTurn(`Writing ${request.tree}`, () => materialize({ ...parts, ...request }), request.signal),
    timeOf: saver.timeOf,
    preview: request =>
      inTurn(`Comparing with ${request.tree}`, () =>
        preview({ ...parts, ignoredToo, keepAs: '', ...request }),
      ),
    restore: request =>
      inTurn(`Restoring ${request.tree}`, () => restoreTree({ ...parts, ignoredToo, ...request })),
  }
}

type Parts = { repository: Repository; objects: Objects; saver: Saver }

type InTurn = <T>(what: string, step: () => Promise<Result<T>>, signal?: AbortSignal) => Promise<Result<T>>

/** Runs calls one after the other: all of them share one snapshot and one unfinished pack. */
function openTurns({ repository, objects, saver }: Parts, options: GitCheckpointsOptions): InTurn {
  let prepared = false
  let queue: Promise<unknown> = Promise.resolve()
  return (what, step, signal) => {
    const turn = queue.then(async () => {
      try {
        const free = await waitWhileCleaned(repository, signal)
        if (!free.ok) return free
        if (!prepared) {
          prepareRepository(repository)
          if (!options.cache) await copyRules(repository)
        }
        prepared = true
        if (objects.isStale()) {
          objects.reload()
          saver.forget()
        }
        return await step()
      } catch (error) {
        // The store itself may be damaged: the next call creates again what is missing.
        prepared = false
        repository.batch.discard()
        return worldFailure(what, repository, error)
      }
    })
    // A call that failed, or a failed repack, must not fail the next call.
    queue = turn.then(() => (existsSync(repository.dir) ? tidy(repository, objects) : null)).catch(() => null)
    return turn
  }
}

type TakeRequest = Parameters<Checkpoints['take']>[0] & Parts

async function take(request: TakeRequest): Promise<Result<Taken>> {
  const { repository, saver, since, signal } = request
  const startedMs = performance.now()
  const ref = refPath(repository, request.loop, request.name)
  // A restore was killed and not repeated: what it left is now a state that somebody asked to save.
  forgetNote(repository)
  const { id, snapshot } = await saver.look({ signal, ...(request.from && { from: request.from }) })
  const compared = since === null ? ok(null) : await compare(request, { from: since, to: id, signal })
  if (!compared.ok) return compared
  addRef(repository, ref, { id, isNew: request.isNew })
  await saver.settle(signal)
  saver.remember()
  const durationMs = performance.now() - startedMs
  const skipped = snapshot.skipped.map(readable)
  return ok({ tree: id, durationMs, skipped, ...(compared.value ?? unknown) })
}

type Looking = Pick<TakeRequest, 'repository' | 'objects' | 'saver' | 'signal'>

async function changedSince(looking: Looking & { since: string }): Promise<Result<Compared>> {
  const { saver, since, signal } = looking
  const { id } = await saver.look({ signal })
  const compared = await compare(looking, { from: since, to: id, signal })
  await saver.settle(signal)
  saver.remember()
  return compared
}

const unknown = { changes: null, changed: null }

/** Before the ref is written: a checkpoint that cannot be compared does not count. Only for git it must be on disk. */
async function compare(
  { repository, objects, saver, signal }: Looking,
  range: Range,
): Promise<Result<Compared>> {
  const counted = await countHere(repository, objects, range)
  if (counted) return ok(counted)
  await saver.settle(signal)
  return countByGit(repository, range)
}

async function diff(
  repository: Repository,
  { from, to, binary, take: give }: Parameters<Checkpoints['diff']>[0],
): Promise<Result<null>> {
  const options = ['-r', '-p', '--no-renames', '--no-textconv', '--no-ext-diff']
  const enough = new AbortController()
  const compared = await repository.git({
    args: ['diff-tree', ...options, ...(binary ? ['--binary'] : []), from, to, '--'],
    signal: enough.signal,
    onStdout: piece => {
      if (!enough.signal.aborted && !give(piece)) enough.abort()
    },
  })
  return compared.ok || enough.signal.aborted ? ok(null) : compared
}

/** Merges packs: each checkpoint with changes adds one, and many make git slow. Runs between two calls. */
async function tidy(repository: Repository, objects: Objects): Promise<void> {
  const packs = objects.packs()
  // Packs linked from the user's repository do not count: merging them would copy them.
  if (packs.length < mostPacks || packs.filter(isOwn).length < mostPacks) return
  await repository.git({ args: ['repack', '--geometric=2', '-d', '-q'] })
  objects.reload()
}

function isOwn(pack: string): boolean {
  return statSync(pack, { throwIfNoEntry: false })?.nlink === 1
}

/** An error of the operating system is a failure of the step; any other error is a bug and is thrown. */
function worldFailure(what: string, repository: Repository, error: unknown): Result<never> {
  if (error instanceof Unable) return fail('step-failed', error.facts)
  if (error instanceof Error && error.name === 'AbortError') {
    return fail('step-failed', { kind: 'checkpoint-stopped', what, tree: repository.tree })
  }
  if (!isOfSystem(error)) throw error
  return fail('step-failed', { kind: 'checkpoint-refused', what, tree: repository.tree, why: error.message })
}

/** The saved states of a work tree: the list, the differences between them, and the effect of a rollback. */
import { patchJson, wholeDiff } from '../../../checkpoints/contract.ts'
import { changedFiles, filePatch, savedFile } from '../../../checkpoints/git/saved-files.ts'
import { generatedWhy, isTestFile } from '../../../core/change.ts'
import { spelledOut } from '../../../core/text/plain-text.ts'
import { wouldAdmit } from '../../../engine/ask.ts'
import { readJournal } from '../../../engine/host.ts'
import { secretBytes } from '../../../engine/perform/loop/redaction.ts'
import { oneLoop } from '../../../engine/shown/members.ts'
import { type SavedStates, savedStates } from '../../../engine/shown/saved-states.ts'
import { failureWords } from '../../../failures/words.ts'
import { allOf, fail, ok, type Result } from '../../../model/failure.ts'
import { redactText } from '../../../secrets/redact.ts'
import type { treeRoutes } from '../contract/tree.ts'
import type { RouteAnswer } from '../contract.ts'
import type { ApiContext, Some } from './context.ts'

const mostFiles = 5_000
const mostPaths = 2_000
const mostPatch = 256 * 1024
const mostWholePatch = 4 * 1024 * 1024
const mostFile = 1024 * 1024

export function treeAnswers(context: ApiContext): Some<keyof typeof treeRoutes> {
  const { store } = context.world
  return {
    checkpoints: ({ params }) => {
      const saved = savedStates(store, params.id)
      return saved.ok ? ok({ checkpoints: saved.value.states, undo: saved.value.undo }) : saved
    },
    changes: async ({ params, query }) => {
      const range = rangeOf(savedStates(store, params.id), query)
      if (!range.ok) return range
      const files = await changedFiles(range.value.store, range.value)
      return files.ok ? ok(listed(files.value)) : files
    },
    fileDiff: async ({ params, query }) => {
      const range = rangeOf(savedStates(store, params.id), query)
      if (!range.ok) return range
      const most = query.all ? mostWholePatch : mostPatch
      const patch = await filePatch(range.value.store, { ...range.value, path: query.path }, most)
      return patch.ok ? ok({ patch: patch.value.bytes.toString('utf8'), isCut: patch.value.isCut }) : patch
    },
    treeFile: ({ params, query }) => fileIn(savedStates(store, params.id), query),
    rollbackPreview: ({ params, query }) => preview(context, params.id, query.to),
    diff: ({ params, query }) => diff(context, params.id, query),
  }
}

type Range = { from: string; to: string }

function rangeOf(saved: Result<SavedStates>, { from, to }: Range): Result<Range & { store: string }> {
  if (!saved.ok) return saved
  const { treeOf, store } = saved.value
  const trees = allOf({ from: treeOf(from), to: treeOf(to) })
  return trees.ok ? ok({ ...trees.value, store }) : trees
}

type Changed = Extract<Awaited<ReturnType<typeof changedFiles>>, { ok: true }>['value']

function listed(all: Changed): RouteAnswer<'changes'> {
  const sum = (of: (file: Changed[number]) => number) => all.reduce((total, file) => total + of(file), 0)
  const files = all.slice(0, mostFiles).map(file => ({
    ...file,
    name: spelledOut(file.path),
    generated: generatedWhy(file),
    isTest: isTestFile(file.path),
  }))
  const total = {
    files: all.length,
    added: sum(({ added }) => added),
    removed: sum(({ removed }) => removed),
  }
  return { files, total, isCut: all.length > files.length }
}

async function fileIn(
  saved: Result<SavedStates>,
  { checkpoint, path }: { checkpoint: string; path: string },
): Promise<Result<RouteAnswer<'treeFile'>>> {
  if (!saved.ok) return saved
  const tree = saved.value.treeOf(checkpoint)
  if (!tree.ok) return tree
  const found = await savedFile(saved.value.store, { tree: tree.value, path }, mostFile)
  if (!found.ok) return found
  if (!found.value) return fail('unknown-loop', { kind: 'no-file-in-checkpoint', path, checkpoint })
  const { bytes, size, isCut } = found.value
  return ok({ text: bytes.includes(0) ? null : bytes.toString('utf8'), bytes: size, isCut })
}

async function preview(
  { world }: ApiContext,
  id: string,
  to: string,
): Promise<Result<RouteAnswer<'rollbackPreview'>>> {
  const saved = savedStates(world.store, id)
  if (!saved.ok) return saved
  const tree = saved.value.treeOf(to)
  if (!tree.ok) return tree
  const rollback = { kind: 'rollback', to }
  const journal = readJournal(world, id)
  const admitted = journal.ok ? wouldAdmit(world, journal.value, rollback) : journal
  const found = await world.checkpoints(saved.value.spec).preview({ loop: id, tree: tree.value })
  if (!found.ok) return found
  const { written, deleted, left } = found.value
  const shown = (paths: string[]) => paths.slice(0, mostPaths).map(spelledOut)
  return ok({
    id,
    to,
    written: shown(written),
    deleted: shown(deleted),
    left: shown(left),
    counts: { written: written.length, deleted: deleted.length, left: left.length },
    refused: admitted.ok ? null : failureWords(admitted.failure),
  })
}

/** A group with one member stands for that member. */
async function diff({ world }: ApiContext, id: string, query: Range): Promise<Result<RouteAnswer<'diff'>>> {
  const one = oneLoop(world.store, world.store.heads.get(id))
  const known = one.ok ? one.value.id : id
  const saved = savedStates(world.store, known)
  if (!saved.ok) return saved
  const range = rangeOf(saved, query)
  if (!range.ok) return range
  const patch = await wholeDiff(world.checkpoints(saved.value.spec), range.value)
  if (!patch.ok) return patch
  const clean = redactText(patch.value.toString('latin1'), secretBytes(world.env))
  return ok({ id: known, ...query, ...patchJson(Buffer.from(clean, 'latin1')) })
}

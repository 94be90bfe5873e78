/**
 * Makes the work tree equal to a saved one, touching only what differs.
 *
 *   save now -> include what is in the way -> ref keepAs, note "restoring" -> spare what the target ignores
 *            -> read-tree -m -u now target -> save again: must be the target -> forget the note
 *
 * Up to the note nothing of the tree is touched; after a kill the note keeps keepAs as it was before the
 * first attempt. Never deletes what no checkpoint holds: it is added to keepAs first, or the restore refuses.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fail, ok, type Result } from '../../model/failure.ts'
import type { Checkpoints, Restored } from '../checkpoint.ts'
import { isFile, type Save, statOrNull } from './git-save.ts'
import { type GitStore, refPath, writeDurably, writeRef } from './git-store.ts'
import { absolute, fromList, ignoredOf, joinPath, readable, toList } from './git-survey.ts'

type RestoreRequest = Parameters<Checkpoints['restore']>[0] & { store: GitStore; save: Save }

type Difference = { write: string[]; create: string[]; remove: string[] }

/** `save`: files to add to the safety checkpoint; `pipes`: FIFOs and sockets, which hold no bytes. */
type InTheWay = { save: string[]; pipes: string[]; unsavable: string[] }

export async function restore(request: RestoreRequest): Promise<Result<Restored>> {
  const { store, save, tree } = request
  if (!/^[0-9a-f]{40,64}$/.test(tree)) {
    return fail('step-failed', `${JSON.stringify(tree)} is not the id of a checkpoint. See loop history.`)
  }
  const saved = await save()
  if (!saved.ok) return saved
  const safe = await saveInTheWay(store, saved.value.tree, tree)
  if (!safe.ok) return safe
  const first = keep(request, safe.value.now)
  for (const path of safe.value.pipes) unlinkSync(absolute(store.tree, path))
  const step = await plan(store, { ...safe.value, first, target: tree })
  if (!step.ok) return step
  const moved = await store.git({ args: ['read-tree', '-m', '-u', step.value.from, tree] })
  if (!moved.ok) return moved
  const verified = await verify(request, step.value.remove)
  if (!verified.ok) return verified
  rmSync(notePath(store), { force: true })
  return ok({ kept: first, written: step.value.written, deleted: step.value.remove.length })
}

/** `now`: the tree to come back to; `difference`: from there to the target. */
type Safe = { now: string; difference: Difference; pipes: string[] }

/** The tree as it is now, with what the target would write over included though it is ignored. */
async function saveInTheWay(store: GitStore, saved: string, target: string): Promise<Result<Safe>> {
  const difference = await compare(store, saved, target)
  if (!difference.ok) return difference
  const found = inTheWay(store.tree, difference.value.create)
  const [unsavable] = found.unsavable
  if (unsavable !== undefined) {
    const words = `Restoring ${store.tree} would delete ${readable(unsavable)}, which can not be saved.`
    return fail('step-failed', `${words} Nothing was changed; move it away and restore again.`)
  }
  const { pipes } = found
  if (found.save.length === 0) return ok({ now: saved, difference: difference.value, pipes })
  const input = toList(found.save)
  const added = await store.git({ args: ['update-index', '--add', '-z', '--stdin'], input })
  if (!added.ok) return added
  const now = await writeTree(store)
  if (!now.ok) return now
  const left = await compare(store, now.value, target)
  return left.ok ? ok({ now: now.value, difference: left.value, pipes }) : left
}

function inTheWay(tree: string, create: string[]): InTheWay {
  const found: InTheWay = { save: [], pipes: [], unsavable: [] }
  const looked = new Map<string, boolean>()
  const look = (path: string) => {
    const stat = statOrNull(tree, path)
    if (stat === null) return
    if (/(^|\/)\.git$/i.test(path)) found.unsavable.push(path)
    else if (isFile(stat)) found.save.push(path)
    else if (stat.isFIFO() || stat.isSocket()) found.pipes.push(path)
    else if (stat.isDirectory()) for (const name of namesIn(tree, path)) look(joinPath(path, name))
    else found.unsavable.push(path)
  }
  // Not beyond a symlink: what lies behind it is not in the way.
  const isDirectory = (path: string) => {
    const known = looked.get(path)
    if (known !== undefined) return known
    const answer = statOrNull(tree, path)?.isDirectory() ?? false
    looked.set(path, answer)
    if (!answer) look(path)
    return answer
  }
  for (const path of create) if (ancestorsOf(path).every(isDirectory)) look(path)
  return found
}

/** `a`, `a/b` of `a/b/c`. */
function ancestorsOf(path: string): string[] {
  const names = path.split('/')
  return names.slice(1).map((_, at) => names.slice(0, at + 1).join('/'))
}

function namesIn(tree: string, directory: string): string[] {
  return readdirSync(absolute(tree, directory), { encoding: 'buffer' }).map(name => name.toString('latin1'))
}

/** Returns the tree as it was before the first attempt; `now` itself unless this call finishes another. */
function keep(request: RestoreRequest, now: string): string {
  const { store, loop, tree, keepAs } = request
  const ref = refPath(store, loop, keepAs)
  const note = Buffer.from(`${JSON.stringify({ loop, tree, keepAs })}\n`)
  const path = notePath(store)
  if (existsSync(path) && readFileSync(path).equals(note)) {
    // Half-way is no state anybody asked for; but what was edited since the kill must not be lost.
    writeRef(refPath(store, loop, `${keepAs}-half`), now)
    return readFileSync(ref, 'utf8').trim()
  }
  writeRef(ref, now)
  writeDurably(path, note)
  return now
}

export function notePath(store: GitStore): string {
  return join(store.dir, 'restoring')
}

/**
 * What to move the tree from, once the index has forgotten the files that stay though the target has them not:
 * those its rules ignore, and those that only a half-done restore made visible.
 */
async function plan(
  store: GitStore,
  trees: { first: string; now: string; target: string; difference: Difference },
): Promise<Result<{ from: string; written: number; remove: string[] }>> {
  const { first, now, target } = trees
  const { write, create, remove } = trees.difference
  const original = first === now ? ok(trees.difference) : await compare(store, first, target)
  if (!original.ok) return original
  const held = new Set(original.value.remove)
  const ignored = await ignoredAt(store, target, original.value)
  if (!ignored.ok) return ignored
  const blocked = new Set(create.flatMap(path => [path, ...ancestorsOf(path)]))
  const created = new Set(create)
  const mayStay = (path: string) => !blocked.has(path) && !ancestorsOf(path).some(at => created.has(at))
  const stays = new Set(remove.filter(path => (!held.has(path) || ignored.value.has(path)) && mayStay(path)))
  const rest = {
    written: write.length + create.length,
    remove: remove.filter(path => !stays.has(path)),
  }
  if (stays.size === 0) return ok({ from: now, ...rest })
  const args = ['update-index', '-z', '--force-remove', '--stdin']
  const forgotten = await store.git({ args, input: toList([...stays]) })
  if (!forgotten.ok) return forgotten
  const from = await writeTree(store)
  return from.ok ? ok({ from: from.value, ...rest }) : from
}

/** The files to remove that the rules saved in `target` ignore: judged in a directory with its rules alone. */
async function ignoredAt(
  store: GitStore,
  target: string,
  difference: Difference,
): Promise<Result<Set<string>>> {
  const { write, create, remove } = difference
  if (remove.length === 0 || ![write, create, remove].flat().some(isRules)) return ok(new Set())
  const scratch = join(store.dir, 'rules')
  const index = `${scratch}.index`
  for (const path of [scratch, index]) rmSync(path, { recursive: true, force: true })
  mkdirSync(scratch)
  const env = { GIT_WORK_TREE: scratch, GIT_INDEX_FILE: index }
  const listed = await store.git({ args: ['ls-tree', '-r', '-z', '--name-only', target] })
  if (!listed.ok) return listed
  const loaded = await store.git({ args: ['read-tree', target], env })
  if (!loaded.ok) return loaded
  const input = toList(fromList(listed.value.stdout).filter(isRules))
  const written = await store.git({ args: ['checkout-index', '-z', '--stdin'], env, input })
  return written.ok ? ignoredOf(store, { paths: remove, workTree: scratch }) : written
}

function isRules(path: string): boolean {
  return /(^|\/)\.gitignore$/.test(path)
}

async function compare(store: GitStore, from: string, to: string): Promise<Result<Difference>> {
  const difference: Difference = { write: [], create: [], remove: [] }
  if (from === to) return ok(difference)
  const args = ['diff-tree', '-r', '-z', '--name-status', '--no-renames', from, to, '--']
  const compared = await store.git({ args })
  if (!compared.ok) return compared
  const fields = fromList(compared.value.stdout)
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const path = fields[at + 1] ?? ''
    if (fields[at] === 'A') difference.create.push(path)
    else if (fields[at] === 'D') difference.remove.push(path)
    else difference.write.push(path)
  }
  return ok(difference)
}

async function writeTree(store: GitStore): Promise<Result<string>> {
  const written = await store.git({ args: ['write-tree'] })
  return written.ok ? ok(written.value.stdout.toString().trim()) : written
}

/** Equal to the target, but for files that no checkpoint holds and that its rules do not hide. */
async function verify(request: RestoreRequest, removed: string[]): Promise<Result<null>> {
  const { store, save, tree } = request
  const after = await save()
  if (!after.ok) return after
  const difference = await compare(store, after.value.tree, tree)
  if (!difference.ok) return difference
  const { write, create, remove } = difference.value
  const gone = new Set(removed)
  const wrong = [...write, ...create, ...remove.filter(path => gone.has(path))]
  if (wrong.length === 0) return ok(null)
  const paths = wrong.slice(0, 5).map(readable).join(', ')
  const words = `${store.tree} was restored, but differs from the checkpoint again in ${paths}.`
  return fail('step-failed', `${words} Something is writing to it: stop that, then restore again.`)
}

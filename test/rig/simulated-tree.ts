/**
 * Trees, copies and checkpoints that are only maps from a path to a text, and outlive the hosts of a cut test as files
 * do. A restore writes its first file before anything can happen, so that a host that dies in it leaves the tree
 * half-way. What a host that is dead still had under way changes nothing.
 */
import { createHash } from 'node:crypto'
import type { WorkCopies } from '../../src/adapters/workcopies/contract.ts'
import type { Checkpoints } from '../../src/checkpoints/contract.ts'
import type { GitCheckpoints } from '../../src/checkpoints/git/backend.ts'
import { fail, ok, type Result } from '../../src/model/failure.ts'

export type Files = Record<string, string>

/** `places`: the tree and each copy by path. `saved`: by the id of the saved tree. */
export type Disk = { places: Map<string, Files>; saved: Map<string, Files> }

/** Throws once the host is dead. */
type Alive = () => void

export function aDisk(tree: string, files: Files): Disk {
  return { places: new Map([[tree, { ...files }]]), saved: new Map() }
}

export function filesAt({ places }: Disk, path: string): Files {
  const files = places.get(path)
  if (!files) throw new Error(`There is no ${path}`)
  return files
}

/** Something else has its turn; then the host may be dead, or the step not wanted any more. */
async function moment(alive: Alive, signal?: AbortSignal): Promise<Result<null>> {
  await new Promise(resolve => setImmediate(resolve))
  alive()
  return signal?.aborted ? fail('step-failed', { kind: 'saving-stopped', tree: 'it' }) : ok(null)
}

/** A host that dies in the middle of it waits for it no more. */
function unwatched<T>(pending: Promise<T>): Promise<T> {
  pending.catch(() => null)
  return pending
}

export function simulatedCopies(disk: Disk, tree: string, alive: Alive): WorkCopies {
  const pathOf = ({ loop, name }: { loop: string; name: string }) => `/copies/${loop}-${name}`
  const of = ({ path }: { path: string }) => simulatedCheckpoints(disk, path, alive)
  return {
    pathOf,
    changed: async () => null,
    ignoredSince: async () => ({ files: [], hasLeftovers: false }),
    of,
    tree: of({ path: tree }),
    merge: of({ path: tree }).merge,
    make: ({ base, signal, ...name }) => {
      const path = pathOf(name)
      const id = base ?? keep(disk, filesAt(disk, tree))
      const made = async (): ReturnType<WorkCopies['make']> => {
        const going = await moment(alive, signal)
        if (!going.ok) return going
        if (!disk.places.has(path)) disk.places.set(path, { ...savedAs(disk, id) })
        return ok({
          path,
          base: id,
          how: 'copy',
          mounts: null,
          ms: 1,
          skipped: [],
          references: [],
          borrowed: [],
        })
      }
      return unwatched(made())
    },
    async save(copy, { signal }) {
      const going = await moment(alive, signal)
      return going.ok ? ok(keep(disk, filesAt(disk, copy.path))) : going
    },
    async remove({ path }) {
      const going = await moment(alive)
      if (going.ok) disk.places.delete(path)
      return going
    },
  }
}

export function simulatedCheckpoints(disk: Disk, path: string, alive: Alive): GitCheckpoints {
  const now = () => filesAt(disk, path)
  return {
    take: ({ signal }) => {
      const taken = async (): ReturnType<Checkpoints['take']> => {
        const going = await moment(alive, signal)
        if (!going.ok) return going
        return ok({ tree: keep(disk, now()), durationMs: 1, skipped: [], changes: null, changed: null })
      }
      return unwatched(taken())
    },
    changed: async ({ from, to }) => ok(differing(savedAs(disk, from), savedAs(disk, to))),
    async changedSince({ since, signal }) {
      const going = await moment(alive, signal)
      if (!going.ok) return going
      // The checkpoints of simulated members are ids alone, which this disk does not have.
      if (!disk.saved.has(since))
        return fail('checkpoint-gone', { kind: 'object-gone', id: since, tree: path })
      const changed = differing(savedAs(disk, since), now())
      return ok({ changed, changes: { added: 0, removed: 0, files: changed.length } })
    },
    // Each file is written at once there.
    begunFiles: async () => ok([]),
    restore: request => unwatched(restore(disk, path, { ...request, alive })),
    async merge({ base, ours, theirs }) {
      await moment(alive)
      return ok(mergedOf(disk, [base, ours, theirs].map(id => savedAs(disk, id)) as [Files, Files, Files]))
    },
    async withFiles({ into, from, files }) {
      await moment(alive)
      const taken = { ...savedAs(disk, into) }
      for (const file of files) put(taken, file, savedAs(disk, from)[file])
      return ok(keep(disk, taken))
    },
    files: async tree => {
      const saved = savedAs(disk, tree)
      return ok({
        links: [],
        paths: Object.keys(saved),
        text: async file => saved[file] ?? null,
        close: async () => {},
      })
    },
    async linesByFile({ from, to, signal }) {
      const going = await moment(alive, signal)
      if (!going.ok) return going
      const [before, after] = [savedAs(disk, from), savedAs(disk, to)]
      const lines = (text = '') => text.split('\n').length - 1
      return ok(
        differing(before, after).map(file => ({
          path: file,
          added: lines(after[file]),
          removed: lines(before[file]),
          isNew: before[file] === undefined,
        })),
      )
    },
    async diff({ from, to, take }) {
      await moment(alive)
      take(Buffer.from(`${differing(savedAs(disk, from), savedAs(disk, to)).join('\n')}\n`))
      return ok(null)
    },
    preview: notSimulated,
    materialize: notSimulated,
    timeOf: () => null,
  }
}

async function notSimulated(): Promise<never> {
  throw new Error('This is not simulated')
}

type Restoring = Parameters<Checkpoints['restore']>[0] & { alive: Alive }

async function restore(
  disk: Disk,
  path: string,
  { tree, signal, alive }: Restoring,
): ReturnType<Checkpoints['restore']> {
  if (signal?.aborted) return fail('step-failed', { kind: 'saving-stopped', tree: 'it' })
  const target = savedAs(disk, tree)
  const files = filesAt(disk, path)
  const kept = keep(disk, files)
  const [first, ...rest] = differing(files, target)
  if (first !== undefined) put(files, first, target[first])
  await moment(alive)
  for (const file of rest) put(files, file, target[file])
  return ok({ kept, written: rest.length + (first === undefined ? 0 : 1), deleted: 0, left: [] })
}

function put(files: Files, path: string, text: string | undefined): void {
  if (text === undefined) delete files[path]
  else files[path] = text
}

function differing(a: Files, b: Files): string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter(path => a[path] !== b[path]).sort()
}

/** The id of a saved tree is derived from its content. */
export function keep({ saved }: Disk, files: Files): string {
  const text = JSON.stringify(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1)))
  const id = createHash('sha1').update(text).digest('hex')
  saved.set(id, { ...files })
  return id
}

export function savedAs({ saved }: Disk, id: string): Files {
  const files = saved.get(id)
  if (!files) throw new Error(`Nothing is saved as ${id}`)
  return files
}

function mergedOf(disk: Disk, [base, ours, theirs]: [Files, Files, Files]) {
  const merged = { ...ours }
  const conflicts = differing(base, theirs).filter(path => {
    if (ours[path] === base[path]) put(merged, path, theirs[path])
    return ours[path] !== base[path] && ours[path] !== theirs[path]
  })
  return { id: conflicts.length > 0 ? null : keep(disk, merged), conflicts }
}

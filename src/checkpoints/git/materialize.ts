/**
 * Writes a saved tree into a directory that is to be a working copy. What a restore does for the user's own tree
 * (keep what is there, spare what is not known, read back what was written) is not needed: nobody uses the directory
 * yet, and one that was left half-way is thrown away.
 */
import { ok, type Result } from '../../model/failure.ts'
import type { Objects } from '../objects/objects.ts'
import { openReader } from '../objects/reader.ts'
import { apply } from './apply.ts'
import { compare, readTarget } from './difference.ts'
import type { Repository } from './repository.ts'
import type { Saver } from './save.ts'

/** `skipped`: what the saved tree could not hold, by path. */
export type Materialized = { written: number; skipped: string[] }

type MaterializeRequest = {
  repository: Repository
  objects: Objects
  saver: Saver
  tree: string
  signal: AbortSignal
  timeOf?: (path: string, id: string) => number | null
}

export async function materialize(request: MaterializeRequest): Promise<Result<Materialized>> {
  const { repository, objects, saver, signal, timeOf } = request
  const reader = openReader(repository, objects)
  try {
    const target = await readTarget(reader, request.tree)
    const { snapshot } = await saver.look({ signal })
    // What was looked at may be referred to by the next checkpoint.
    await saver.settle(signal)
    const difference = await compare(reader, snapshot, target)
    const spared = target.notes.skipped
    const here = { repository, objects, reader, snapshot, target, difference, signal }
    await apply({ ...here, pipes: [], spared, timeOf, isPrivate: true })
    saver.adopt(snapshot, { written: difference.write, forgotten: new Set(), isPrivate: true })
    return ok({ written: difference.write.length, skipped: [...spared] })
  } finally {
    await reader.close()
  }
}

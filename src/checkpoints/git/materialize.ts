/**
 * Writes a saved tree into the directory of a new working copy. None of the precautions of a restore are needed (save
 * what is there, spare what is unknown, read back what was written): nobody uses the directory yet, and one that was
 * left half done is thrown away.
 */
import { ok, type Result } from '../../model/failure.ts'
import type { Objects } from '../objects/objects.ts'
import { openReader } from '../objects/reader.ts'
import type { Repository } from '../objects/repository.ts'
import { apply } from './apply.ts'
import { compare, readTarget } from './difference.ts'
import type { Saver } from './save.ts'

/** `skipped`: paths that the saved tree could not save. */
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
    // The next checkpoint may refer to these objects.
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

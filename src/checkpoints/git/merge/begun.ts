/**
 * Which files did a restore that was killed begin to write? Those that are gone, or hold only the beginning of their
 * content. Any other content was written by somebody else since.
 */
import { readFileSync } from 'node:fs'
import { ok, type Result } from '../../../model/failure.ts'
import { isRegular } from '../../format/stat.ts'
import type { Objects } from '../../objects/objects.ts'
import { openReader } from '../../objects/reader.ts'
import type { Repository } from '../../objects/repository.ts'
import { lstatOrNull } from '../../scan/listing.ts'
import { readTarget, type Target } from '../difference.ts'

export type BegunRequest = { tree: string; paths: readonly string[] }

export async function begunFiles(
  repository: Repository,
  objects: Objects,
  { tree, paths }: BegunRequest,
): Promise<Result<string[]>> {
  const reader = openReader(repository, objects)
  let target: Target
  try {
    target = await readTarget(reader, tree)
  } finally {
    await reader.close()
  }
  const begun: string[] = []
  for (const path of paths) {
    const stat = lstatOrNull(repository.tree, path)
    if (!stat) begun.push(path)
    if (!stat || !isRegular(stat.mode)) continue
    const blob = await repository.git({
      args: ['cat-file', 'blob', `${target.tree}:${path}`],
      codes: [0, 128],
    })
    if (!blob.ok) return blob
    const whole = blob.value.stdout
    const found = readFileSync(`${repository.tree}/${path}`)
    if (found.length < whole.length && whole.subarray(0, found.length).equals(found)) begun.push(path)
  }
  return ok(begun)
}

/** A saved tree with some files replaced by those of another one. Files that the other one does not have are removed. */

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { ok, type Result } from '../../../model/failure.ts'
import { commitText } from '../../format/commit.ts'
import type { Objects } from '../../objects/objects.ts'
import { openReader } from '../../objects/reader.ts'
import type { Repository } from '../../objects/repository.ts'
import { readTarget, type Target } from '../difference.ts'

export type FilesRequest = { into: string; from: string; files: readonly string[] }

let count = 0

export async function withFiles(
  repository: Repository,
  objects: Objects,
  { into, from, files }: FilesRequest,
): Promise<Result<string>> {
  const reader = openReader(repository, objects)
  let target: Target
  let source: Target
  try {
    target = await readTarget(reader, into)
    source = await readTarget(reader, from)
  } finally {
    await reader.close()
  }
  count += 1
  const env = { GIT_INDEX_FILE: join(repository.dir, `index-${process.pid}-${count}`) }
  try {
    const read = await repository.git({ args: ['read-tree', target.tree], env })
    if (!read.ok) return read
    const listed = await repository.git({ args: ['ls-tree', '-z', '-r', source.tree, '--', ...files] })
    if (!listed.ok) return listed
    const removed = files.map(file => `0 ${'0'.repeat(40)}\t${file}\0`).join('')
    const lines = listed.value.stdout.toString('latin1')
    const input = Buffer.concat([Buffer.from(removed), Buffer.from(indexLines(lines), 'latin1')])
    const updated = await repository.git({ args: ['update-index', '-z', '--index-info'], env, input })
    if (!updated.ok) return updated
    const written = await repository.git({ args: ['write-tree'], env })
    if (!written.ok) return written
    const tree = written.value.stdout.toString().trim()
    const id = objects.put('commit', commitText({ tree, message: target.message }))
    await objects.flush()
    return ok(id)
  } finally {
    rmSync(env.GIT_INDEX_FILE, { force: true })
  }
}

/** `mode type id<TAB>path` as `mode id<TAB>path`. */
function indexLines(listing: string): string {
  return listing
    .split('\0')
    .filter(line => line !== '')
    .map(line => `${line.replace(/^(\d+) \w+ /, '$1 ')}\0`)
    .join('')
}

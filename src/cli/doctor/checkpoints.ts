/** Checks that the packs with the checkpoints of every work tree are intact. */
import { hash } from 'node:crypto'
import { closeSync, constants, existsSync, fstatSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isWholePack } from '../../checkpoints/objects/lookup.ts'
import { strayCopies } from '../../engine/garbage/files.ts'
import { loopsById } from '../../engine/garbage/work.ts'
import { count } from '../../model/units.ts'
import type { Paths } from '../../store/files/paths.ts'
import { openStoreToRead } from '../../store/sqlite/open.ts'
import { type Check, good, warn } from './check.ts'

const mostNamed = 5

/** Checks that each working copy of a group belongs to a known journal. */
export function copiesCheck(paths: Paths): Check[] {
  const name = 'working copies'
  // Problems of the store are reported by its own check; without a store the owner of a copy is unknown.
  const store = existsSync(paths.database) ? openStoreToRead(paths) : null
  if (!store?.ok || !store.value) return []
  const { value } = store
  const stray = strayCopies({ paths, loops: () => loopsById(value) })
  value.close()
  if (stray.length === 0) return [good(name, 'none without a loop')]
  const more = stray.length > mostNamed ? ` and ${stray.length - mostNamed} more` : ''
  const found = `belong to no known loop: ${stray.slice(0, mostNamed).join(', ')}${more}`
  return [warn(name, found, 'Look at them, then delete them with: loop gc --yes')]
}

/** Larger packs are checked only at both ends: nobody waits minutes for a doctor. */
const mostBytes = 64_000_000
const sumBytes = 20

export function checkpointsCheck({ trees }: Paths): Check[] {
  const name = 'checkpoints'
  const packs = (existsSync(trees) ? readdirSync(trees) : []).flatMap(tree => packsIn(join(trees, tree)))
  const damaged = packs.filter(pack => !isSound(pack))
  if (damaged.length === 0) return [good(name, `${count(packs.length, 'pack')}, none damaged`)]
  const next =
    'A rollback to a checkpoint in it is refused; other checkpoints are not affected. Check the disk.'
  return damaged.map(pack => warn(name, `${pack} is damaged`, next))
}

function packsIn(tree: string): string[] {
  const directory = join(tree, 'git/objects/pack')
  if (!existsSync(directory)) return []
  return readdirSync(directory)
    .filter(file => /^pack-\w+\.pack$/.test(file))
    .map(file => join(directory, file))
}

function isSound(pack: string): boolean {
  try {
    const index = pack.replace(/pack$/, 'idx')
    return existsSync(index) && isWholePack(pack, index) && hasItsSum(pack)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== undefined) return false
    throw error
  }
}

/** A pack ends with the checksum of everything before it. */
function hasItsSum(pack: string): boolean {
  const file = openSync(pack, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    if (fstatSync(file).size > mostBytes) return true
    const bytes = readFileSync(file)
    const end = bytes.length - sumBytes
    return hash('sha1', bytes.subarray(0, end)) === bytes.subarray(end).toString('hex')
  } finally {
    closeSync(file)
  }
}

/** Checks that each working copy of a group belongs to a known journal. */
import { existsSync } from 'node:fs'
import { strayCopies } from '../../engine/garbage/files.ts'
import { loopsById } from '../../engine/garbage/work.ts'
import type { Paths } from '../../store/files/paths.ts'
import { openStoreToRead } from '../../store/sqlite/open.ts'
import { type Check, good, warn } from './check.ts'

const mostNamed = 5

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

/** The working copies of groups: whether each belongs to a journal that is known. */
import { strayCopies } from '../../engine/garbage/files.ts'
import { loopsById } from '../../engine/garbage/work.ts'
import type { Paths } from '../../store/files/paths.ts'
import { openStoreToRead } from '../../store/sqlite/open.ts'
import { type Check, good, warn } from './check.ts'

const mostNamed = 5

export function copiesCheck(paths: Paths): Check[] {
  const name = 'working copies'
  const store = openStoreToRead(paths)
  // What is wrong with the store is said by its own check.
  if (!store.ok) return []
  const stray = strayCopies({ paths, loops: () => loopsById(store.value) })
  store.value?.close()
  if (stray.length === 0) return [good(name, 'none without a loop')]
  const more = stray.length > mostNamed ? ` and ${stray.length - mostNamed} more` : ''
  const found = `belong to no loop that is known: ${stray.slice(0, mostNamed).join(', ')}${more}`
  return [warn(name, found, 'Free them with: loop gc')]
}

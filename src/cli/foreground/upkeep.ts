/**
 * The last work of a foreground program, when nobody waits any more: a backup and garbage collection, each if due.
 * `loop doctor` reports their problems.
 */
import { isCollectionDue } from '../../engine/garbage/due.ts'
import type { World } from '../../engine/world.ts'
import { backUpWhenDue } from '../../store/sqlite/backup.ts'

export async function upkeep({ store, now }: Pick<World, 'store' | 'now'>): Promise<void> {
  await backUpWhenDue(store.paths, now())
  if (!isCollectionDue(store.paths, now())) return
  const { collectByItself } = await import('../../engine/garbage/collect.ts')
  await collectByItself(store, now())
}

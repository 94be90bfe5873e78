/**
 * What a program in the foreground does last, when nobody waits for anything any more: a backup, and throwing away
 * what is kept no longer, each when it is due. What goes wrong with it is for `loop doctor` to say.
 */
import { isCollectionDue } from '../../engine/garbage/due.ts'
import type { World } from '../../engine/world.ts'
import { backUpWhenDue } from '../../store/sqlite/backup/backup.ts'

export async function upkeep({ store, now }: Pick<World, 'store' | 'now'>): Promise<void> {
  await backUpWhenDue(store.paths, now())
  if (!isCollectionDue(store.paths, now())) return
  const { collectByItself } = await import('../../engine/garbage/collect.ts')
  await collectByItself(store, now())
}

/** `loop watch` on a terminal: the screen of a loop, or of a group and the loops in it. Loaded by that command alone. */
import type { Store } from '../store/contract.ts'
import { runScreen, type ScreenProgram } from './program.ts'
import { groupView } from './watch/group-view.ts'
import { type LoopSources, loopView } from './watch/loop-view.ts'

export type Watching = Omit<ScreenProgram, 'first' | 'enter'> & {
  id: string
  isGroup(store: Store | null, id: string): boolean
  sources: LoopSources
}

/** What stays on the terminal after it. */
export function watchScreen(watching: Watching): Promise<string[]> {
  const enter = wayInto(watching)
  return runScreen({ ...watching, enter, first: shell => enter(watching.id, shell) })
}

/** The view of a loop or of a group. */
export function wayInto({ open, isGroup, sources }: Omit<Watching, 'id'>): ScreenProgram['enter'] {
  return (id, shell) => {
    const opened = open()
    const store = opened.ok ? opened.value : null
    const ofGroup = isGroup(store, id)
    store?.close()
    return ofGroup ? groupView(id, shell) : loopView(id, sources, shell)
  }
}

/** `loop watch` on a terminal: the screen of a loop, or of a group and its loops. Only that command loads this file. */
import type { Store } from '../store/contract.ts'
import { runScreen, type ScreenProgram } from './program.ts'
import { groupView } from './watch/group-view.ts'
import { type LoopSources, loopView } from './watch/loop-view.ts'

export type Watching = Omit<ScreenProgram, 'first' | 'enter'> & {
  id: string
  isGroup(store: Store | null, id: string): boolean
  sources: LoopSources
}

/** Runs the screen. Returns the lines that stay on the terminal. */
export function watchScreen(watching: Watching): Promise<string[]> {
  const enter = wayInto(watching)
  return runScreen({ ...watching, enter, first: shell => enter(watching.id, shell) })
}

/** Makes the view of a loop or of a group, by the kind of its journal. */
export function wayInto({ open, isGroup, sources }: Omit<Watching, 'id'>): ScreenProgram['enter'] {
  return (id, shell) => {
    const opened = open()
    const store = opened.ok ? opened.value : null
    const ofGroup = isGroup(store, id)
    store?.close()
    return ofGroup ? groupView(id, sources, shell) : loopView(id, sources, shell)
  }
}

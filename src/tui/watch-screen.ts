/** `loop watch` on a terminal: the screen of a loop, or of a group and its loops. Only that command loads this file. */
import { type JournalKind, meantKind } from '../core/folds.ts'
import { groupView } from './group-view.ts'
import { type LoopSources, loopView } from './loop-view.ts'
import { runScreen, type ScreenProgram } from './program.ts'

export type Watching = Omit<ScreenProgram, 'first' | 'enter'> & {
  id: string
  sources: LoopSources
}

/** Runs the screen. Returns the lines that stay on the terminal. */
export function watchScreen(watching: Watching): Promise<string[]> {
  const enter = wayInto(watching)
  return runScreen({ ...watching, enter, first: shell => enter(watching.id, shell) })
}

const views: Record<JournalKind, typeof loopView> = { loop: loopView, group: groupView }

/** Makes the view of a journal, by its kind. */
export function wayInto({ open, sources }: Omit<Watching, 'id'>): ScreenProgram['enter'] {
  return (id, shell) => {
    const opened = open()
    const store = opened.ok ? opened.value : null
    const head = store?.heads.get(id)
    store?.close()
    return views[head?.ok ? meantKind(head.value) : 'loop'](id, sources, shell)
  }
}

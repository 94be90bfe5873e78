/**
 * `loop status`: the list reads summary rows only and loads little, so that it is instant however many loops there are.
 * Everything else is loaded when it is asked for (cli/show).
 */
import { pathsFrom } from '../../store/files/paths.ts'
import { openStoreForList } from '../../store/sqlite/open.ts'
import type { CommandRun } from '../command-table.ts'
import { currentLoops, viewOfLoops } from '../show/loops.ts'
import { out } from '../terminal.ts'

const status: CommandRun = async input => {
  if (input.positionals.length === 0 && !input.given('watch')) {
    const store = openStoreForList(pathsFrom(input.env))
    if (!store.ok) return store
    const { text, ends } = await viewOfLoops(store.value, input, currentLoops)
    if (ends.ok) {
      out(text)
      return ends
    }
    store.value?.close()
  }
  const { wholeStatus } = await import('../show/whole-status.ts')
  return wholeStatus(input)
}

export default status

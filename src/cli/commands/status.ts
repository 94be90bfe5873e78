/**
 * `loop status`: reads summary rows only, so that it is instant however many loops there are. `--watch` on a
 * terminal is the screen of src/tui; for one loop, and elsewhere, it polls and prints changes.
 */
import { ok, type Result } from '../../model/failure.ts'
import type { Store } from '../../store/contract.ts'
import { pathsFrom } from '../../store/files/paths.ts'
import { openStoreToRead } from '../../store/sqlite/open.ts'
import type { CommandRun, Input } from '../command-table.ts'
import { viewOfLoops } from '../print-loops.ts'
import type { StatusView } from '../status/one.ts'
import { isScreen, out } from '../terminal.ts'

/** The number of ended loops shown; `loop list` shows all. */
const endedShown = 10

const status: CommandRun = async input => {
  const store = openStoreToRead(pathsFrom(input.env))
  if (!store.ok) return store
  if (input.given('watch') && input.positionals.length === 0 && !input.given('json') && isScreen(input.env)) {
    store.value?.close()
    return onScreen(input)
  }
  if (input.given('watch')) {
    const { printChanges } = await import('../status/changes.ts')
    return printChanges(look, store.value, input)
  }
  const view = await look(store.value, input)
  if (!view.ok) return view
  if (view.value.text !== '') out(view.value.text)
  return view.value.ends
}

async function onScreen({ env }: Input): Promise<Result<number>> {
  const [{ statusScreen }, { watchingAll }] = await Promise.all([
    import('../../tui/status-screen.ts'),
    import('../watch/sources.ts'),
  ])
  for (const line of await statusScreen(watchingAll(env))) out(line)
  return ok(0)
}

async function look(store: Store | null, input: Input): Promise<Result<StatusView>> {
  if (input.positionals.length === 0) {
    const loops = await viewOfLoops(store, input, { which: { current: endedShown } })
    return ok({ ...loops, rests: false })
  }
  const { viewOfOne } = await import('../status/one.ts')
  return viewOfOne(store, input)
}

export default status

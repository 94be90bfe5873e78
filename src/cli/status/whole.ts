/**
 * `loop status` beyond the plain list: one loop in detail, the list where a row has to be rebuilt, and `--watch`, which
 * on a terminal is the screen of src/tui and elsewhere prints changes.
 */
import { ok, type Result } from '../../model/failure.ts'
import type { Store } from '../../store/contract.ts'
import { pathsFrom } from '../../store/files/paths.ts'
import { openStoreToRead } from '../../store/sqlite/open.ts'
import type { Input } from '../command-table.ts'
import { currentLoops, viewOfLoops } from '../print-loops.ts'
import { isScreen, out } from '../terminal.ts'
import { printChanges } from './changes.ts'
import { type StatusView, viewOfOne } from './one.ts'

export async function wholeStatus(input: Input): Promise<Result<number>> {
  const store = openStoreToRead(pathsFrom(input.env))
  if (!store.ok) return store
  if (input.given('watch') && input.positionals.length === 0 && !input.given('json') && isScreen(input.env)) {
    store.value?.close()
    return onScreen(input)
  }
  if (input.given('watch')) return printChanges(look, store.value, input)
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
  if (input.positionals.length > 0) return viewOfOne(store, input)
  const loops = await viewOfLoops(store, input, currentLoops)
  return ok({ ...loops, rests: false })
}

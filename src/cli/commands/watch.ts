/**
 * `loop watch`: a loop or a group live. On a terminal it is the screen of src/tui, which only this command loads;
 * elsewhere, and with `--plain`, it prints lines until the loop rests; with `--json` every event as one line.
 */
import { fail, ok, type Result } from '../../model/failure.ts'
import { pathsFrom } from '../../store/files/paths.ts'
import { openStoreToRead } from '../../store/sqlite/open.ts'
import type { CommandRun, Input } from '../command-table.ts'
import { findLoop, noLoops } from '../find-loop.ts'
import { isScreen, outLines } from '../terminal.ts'

const watch: CommandRun = async input => {
  const store = openStoreToRead(pathsFrom(input.env))
  if (!store.ok) return store
  if (!store.value) return noLoops(input)
  const found = findLoop(store.value, input)
  if (!found.ok) return found
  const { id } = found.value
  const isPlain = input.given('plain') || input.given('json') || !isScreen(input.env)
  if (isPlain) {
    const { watchPlainly } = await import('../watch/plain.ts')
    return watchPlainly(store.value, found.value, input)
  }
  store.value.close()
  return onScreen(id, input)
}

async function onScreen(id: string, input: Input): Promise<Result<number>> {
  const [{ watchScreen }, { watching }] = await Promise.all([
    import('../../tui/watch-screen.ts'),
    import('../watch/sources.ts'),
  ])
  const words = await watchScreen(watching(id, input.env))
  outLines(words)
  return words.length > 0 ? ok(0) : fail('store-unavailable', { kind: 'loop-unreadable', id })
}

export default watch

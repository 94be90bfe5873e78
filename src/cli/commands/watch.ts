/**
 * `loop watch`: a loop or a group live. On a terminal it is the screen of src/tui, which only this command loads;
 * elsewhere, and with `--plain`, it prints lines until the loop rests; with `--json` every event as one line.
 */
import { fail, ok, type Result } from '../../model/failure.ts'
import type { CommandRun, Input } from '../command-table.ts'
import { openFound } from '../find-loop.ts'
import { isScreen, outLines } from '../terminal.ts'

const watch: CommandRun = async input => {
  const opened = openFound(input)
  if (!opened.ok) return opened
  const { store, found } = opened.value
  const isPlain = input.given('plain') || input.given('json') || !isScreen(input.env)
  if (isPlain) {
    const { watchPlainly } = await import('../show/watch-plain.ts')
    return watchPlainly(store, found, input)
  }
  store.close()
  return onScreen(found.id, input)
}

async function onScreen(id: string, input: Input): Promise<Result<number>> {
  const [{ watchScreen }, { watching }] = await Promise.all([
    import('../../tui/watch-screen.ts'),
    import('../show/screen-sources.ts'),
  ])
  const words = await watchScreen(watching(id, input.env))
  outLines(words)
  return words.length > 0 ? ok(0) : fail('store-unavailable', { kind: 'loop-unreadable', id })
}

export default watch

/**
 * `loop status` beyond the plain list: one loop in detail, the list where a row has to be rebuilt, and `--watch`, which
 * on a terminal is the screen of src/tui and elsewhere prints changes.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { feedOf } from '../../engine/feed.ts'
import { ok, type Result } from '../../model/failure.ts'
import type { Store } from '../../store/contract.ts'
import { pathsFrom } from '../../store/files/paths.ts'
import { openStoreToRead } from '../../store/sqlite/open.ts'
import type { Input } from '../command-table.ts'
import { isScreen, out, write } from '../terminal.ts'
import { currentLoops, viewOfLoops } from './loops.ts'
import { type StatusView, viewOfOne } from './one-status.ts'

const pollMs = 500

/** Until the loop rests; for all loops, until interrupted or nobody reads. */
async function printChanges(first: Store | null, input: Input): Promise<Result<number>> {
  const isLive = process.stdout.isTTY === true && !input.given('json')
  let store = first
  let feed = store && feedOf(store)
  let known = ''
  for (;;) {
    const version = feed?.version() ?? ''
    const view = await look(store, input)
    if (!view.ok) return view
    const { text, facts, ends, rests } = view.value
    const told = facts()
    const isNews = isLive || told !== known
    known = told
    if (isNews && !write(1, `${text}\n`, isLive ? 'clear' : undefined)) return ok(0)
    if (rests || !ends.ok) return ends
    // A bounded wait: displayed times change, and a host that dies writes nothing.
    if (feed) await feed.changed(version, { everyMs: pollMs, withinMs: pollMs })
    else await delay(pollMs)
    if (store) continue
    const opened = openStoreToRead(pathsFrom(input.env))
    if (!opened.ok) return opened
    store = opened.value
    feed = store && feedOf(store)
  }
}

export async function wholeStatus(input: Input): Promise<Result<number>> {
  const store = openStoreToRead(pathsFrom(input.env))
  if (!store.ok) return store
  if (input.given('watch') && input.positionals.length === 0 && !input.given('json') && isScreen(input.env)) {
    store.value?.close()
    return onScreen(input)
  }
  if (input.given('watch')) return printChanges(store.value, input)
  const view = await look(store.value, input)
  if (!view.ok) return view
  if (view.value.text !== '') out(view.value.text)
  return view.value.ends
}

async function onScreen({ env }: Input): Promise<Result<number>> {
  const [{ statusScreen }, { watchingAll }] = await Promise.all([
    import('../../tui/status-screen.ts'),
    import('./screen-sources.ts'),
  ])
  for (const line of await statusScreen(watchingAll(env))) out(line)
  return ok(0)
}

async function look(store: Store | null, input: Input): Promise<Result<StatusView>> {
  if (input.positionals.length > 0) return viewOfOne(store, input)
  const loops = await viewOfLoops(store, input, currentLoops)
  return ok({ ...loops, rests: false })
}

/** `loop status --watch` without a screen: prints the status again whenever it changes. */
import { setTimeout as delay } from 'node:timers/promises'
import { feedOf } from '../../engine/feed.ts'
import { ok, type Result } from '../../model/failure.ts'
import type { Store } from '../../store/contract.ts'
import { pathsFrom } from '../../store/files/paths.ts'
import { openStoreToRead } from '../../store/sqlite/open.ts'
import type { Input } from '../command-table.ts'
import { write } from '../terminal.ts'
import type { StatusView } from './one.ts'

const pollMs = 500

type Look = (store: Store | null, input: Input) => Promise<Result<StatusView>>

/** Until the loop rests; for all loops, until interrupted or nobody reads. */
export async function printChanges(look: Look, first: Store | null, input: Input): Promise<Result<number>> {
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
    if (isNews && !write(1, `${text}\n`, isLive ? 'clear screen' : undefined)) return ok(0)
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

/**
 * `loop status` beyond the plain list: one loop in detail, the list where a row has to be rebuilt, and `--watch`, which
 * on a terminal is the screen of src/tui and elsewhere prints changes.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { isActive } from '../../core/loop/summary.ts'
import type { AnySummary } from '../../core/summary.ts'
import { jsonText } from '../../core/text/plain-text.ts'
import { loopJson } from '../../documents/loop.ts'
import { feedOf } from '../../engine/feed.ts'
import { shownWhole } from '../../engine/shown/detail.ts'
import { ok, type Result } from '../../model/failure.ts'
import type { CriterionResult } from '../../model/loop/event.ts'
import { redactAll, secretsIn } from '../../secrets/redact.ts'
import type { Store } from '../../store/contract.ts'
import { pathsFrom } from '../../store/files/paths.ts'
import { openStoreToRead } from '../../store/sqlite/open.ts'
import { detailLines } from '../../views/faces/detail.ts'
import { hung } from '../../views/layout/columns.ts'
import type { Input } from '../command-table.ts'
import { findLoop, noLoops } from '../find-loop.ts'
import { isScreen, out, outputWidth, write } from '../terminal.ts'
import { currentLoops, timeless, type View, viewOfLoops } from './loops.ts'

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

/** `rests`: there is nothing to wait for. */
type StatusView = View & { rests: boolean }

function viewOfOne(store: Store | null, input: Input): Result<StatusView> {
  if (!store) return noLoops(input)
  const found = findLoop(store, input)
  if (!found.ok) return found
  const one = shownWhole(store, found.value)
  const now = Date.now()
  const secrets = secretsIn(input.env)
  const lines = () => detailLines({ shown: one, now, results: () => resultsOf(store, found.value) })
  return ok({
    text: input.given('json')
      ? jsonText(redactAll(loopJson(one, now), secrets))
      : redactAll(lines(), secrets)
          .flatMap(line => hung(line, outputWidth()))
          .join('\n'),
    facts: () => JSON.stringify(loopJson(timeless(one), 0)),
    ends: ok(0),
    rests: !isActive(found.value.status) || one.orphaned,
  })
}

/** What each criterion came to when the promise was last run. */
function resultsOf({ journals }: Store, { id }: AnySummary): Map<string, CriterionResult> {
  const last = journals.ofKinds(id, ['promise.verified'], 0).at(-1)?.data
  const results = last && 'results' in last ? last.results : []
  return new Map(results.map(result => [result.name, result]))
}

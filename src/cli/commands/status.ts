/**
 * `loop status`: reads summary rows only, so that it stays instant however many loops there are. `--watch` looks
 * again and again: on a terminal the newest view stands alone, elsewhere each one that tells something new.
 */
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { isActive, type Summary } from '../../core/loop/summary.ts'
import { feedOf } from '../../engine/feed.ts'
import { shownWhole } from '../../engine/shown/detail.ts'
import { ok, type Result } from '../../model/failure.ts'
import type { Store } from '../../store/contract.ts'
import { unknownLoop } from '../../store/failures.ts'
import { excerpt } from '../../store/files/artifact.ts'
import { loopDir, pathsFrom } from '../../store/files/paths.ts'
import { openStoreToRead } from '../../store/sqlite/open.ts'
import { jsonText } from '../../views/text/plain-text.ts'
import { detail, detailJson } from '../../views/text/status.ts'
import type { CommandRun, Input } from '../command-table.ts'
import { findLoop } from '../find-loop.ts'
import { timeless, type View, viewOfLoops } from '../print-loops.ts'
import { out, write } from '../terminal.ts'

/** Of the loops that have ended, this many are shown; `loop list` shows all. */
const endedShown = 10
const pollMs = 500
/** Of an output, as much of its end as is read. */
const mostBytes = 16_384

const status: CommandRun = async input => {
  const store = openStoreToRead(pathsFrom(input.env))
  if (!store.ok) return store
  if (input.given('watch')) return watch(store.value, input)
  const view = await look(store.value, input)
  if (!view.ok) return view
  if (view.value.text !== '') out(view.value.text)
  return view.value.ends
}

/** `rests`: there is nothing to wait for. */
async function look(store: Store | null, input: Input): Promise<Result<View & { rests: boolean }>> {
  if (input.positionals.length === 0) {
    const loops = await viewOfLoops(store, input, { which: { current: endedShown } })
    return ok({ ...loops, rests: false })
  }
  if (!store) return unknownLoop(input.positionals.join(' '))
  const found = findLoop(store, input)
  if (!found.ok) return found
  const one = shownWhole(store, found.value)
  const now = Date.now()
  // Loaded only here: the table, which must be instant, does not pay for it.
  const { redactAll, secretsIn } = await import('../../views/secrets/redact.ts')
  const secrets = secretsIn(input.env)
  const json = input.given('json')
  const lines = async () => {
    if (one.summary.kind !== 'group') return detail(one, now, outputsOf(store, found.value))
    const { groupDetail } = await import('../../views/text/group/detail.ts')
    return groupDetail(one, now)
  }
  return ok({
    text: json
      ? jsonText(redactAll(detailJson(one, now), secrets))
      : redactAll(await lines(), secrets).join('\n'),
    facts: () => JSON.stringify(detailJson(timeless(one), 0)),
    ends: ok(0),
    rests: !isActive(found.value.status) || one.orphaned,
  })
}

/** What the criteria that are not met printed last. The first line is cut: half of a secret is not known for one. */
function outputsOf({ paths }: Store, { id, criteria }: Summary): Map<string, string> {
  const ends = Object.entries(criteria).flatMap(([name, { verdict, evidence }]): [string, string][] => {
    if (!evidence || verdict === 'PASS') return []
    const { tail, head, omittedBytes } = excerpt(join(loopDir(paths, id), evidence.output), mostBytes)
    return [[name, omittedBytes > 0 ? tail.slice(tail.indexOf('\n') + 1) : head + tail]]
  })
  return new Map(ends)
}

/** Until the loop rests; of all loops, until it is interrupted or nobody reads. */
async function watch(first: Store | null, input: Input): Promise<Result<number>> {
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
    // No longer than that: times go on, and a host that dies writes nothing.
    if (feed) await feed.changed(version, { everyMs: pollMs, withinMs: pollMs })
    else await delay(pollMs)
    if (store) continue
    const opened = openStoreToRead(pathsFrom(input.env))
    if (!opened.ok) return opened
    store = opened.value
    feed = store && feedOf(store)
  }
}

export default status

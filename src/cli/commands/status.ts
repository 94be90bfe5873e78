/**
 * `loop status`: reads summary rows only, so that it is instant however many loops there are. `--watch` on a
 * terminal is the screen of src/tui; for one loop, and elsewhere, it polls and prints changes.
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
import { isScreen, out, write } from '../terminal.ts'

/** The number of ended loops shown; `loop list` shows all. */
const endedShown = 10
const pollMs = 500
/** How much of the end of an output is read. */
const mostBytes = 16_384

const status: CommandRun = async input => {
  const store = openStoreToRead(pathsFrom(input.env))
  if (!store.ok) return store
  if (input.given('watch') && input.positionals.length === 0 && !input.given('json') && isScreen(input.env)) {
    store.value?.close()
    return onScreen(input)
  }
  if (input.given('watch')) return watch(store.value, input)
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

/** `rests`: there is nothing to wait for. */
async function look(store: Store | null, input: Input): Promise<Result<View & { rests: boolean }>> {
  if (input.positionals.length === 0) {
    const loops = await viewOfLoops(store, input, { which: { current: endedShown }, needs: true })
    return ok({ ...loops, rests: false })
  }
  if (!store) return unknownLoop(input.positionals.join(' '))
  const found = findLoop(store, input)
  if (!found.ok) return found
  const one = shownWhole(store, found.value)
  const now = Date.now()
  // Loaded only here, so that the table stays instant.
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

/** The last output of unmet criteria. The first line is dropped: half of a secret would not be recognised. */
function outputsOf({ paths }: Store, { id, criteria }: Summary): Map<string, string> {
  const ends = Object.entries(criteria).flatMap(([name, { verdict, evidence }]): [string, string][] => {
    if (!evidence || verdict === 'PASS') return []
    const { tail, head, omittedBytes } = excerpt(join(loopDir(paths, id), evidence.output), mostBytes)
    return [[name, omittedBytes > 0 ? tail.slice(tail.indexOf('\n') + 1) : head + tail]]
  })
  return new Map(ends)
}

/** Until the loop rests; for all loops, until interrupted or nobody reads. */
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

export default status

/** The conversation of a run: its items, fetched and then followed, joined into parts. */
import { useEffect, useMemo } from 'preact/hooks'
import type { Item } from '../../../src/model/agent.ts'
import { askLoopd } from '../../base/api.ts'
import { type Cell, cell, useCell } from '../../base/cell.ts'
import { followFeed } from '../../base/feed.ts'

type Talk = { items: readonly Item[]; isLoaded: boolean; isEnded: boolean; failure: string | null }

/** Consecutive pieces of one text are one part. */
export type TalkPiece = { at: number; item: Item; text: string }

export function useTalk(id: string, run: number): Talk {
  const talk = useMemo(
    () => cell<Talk>({ items: [], isLoaded: false, isEnded: false, failure: null }),
    [id, run],
  )
  useEffect(() => {
    const stopped = new AbortController()
    load(talk, { id, run }, stopped.signal).catch((error: unknown) =>
      talk.update(now => ({ ...now, failure: String(error) })),
    )
    return () => stopped.abort()
  }, [talk])
  return useCell(talk)
}

async function load(
  talk: Cell<Talk>,
  { id, run }: { id: string; run: number },
  signal: AbortSignal,
): Promise<void> {
  let from = 0
  for (;;) {
    const got = await askLoopd(
      'items',
      { params: { id, run: String(run) }, query: { from: String(from), limit: '1000' } },
      signal,
    )
    if (signal.aborted) return
    if (!got.ok) return talk.update(now => ({ ...now, failure: got.message, isLoaded: true }))
    const { items, next, hasEnded } = got.value
    add(talk, from, items as Item[])
    if (next !== null && items.length > 0) {
      from = next
      continue
    }
    talk.update(now => ({ ...now, isLoaded: true, isEnded: hasEnded }))
    if (hasEnded) return
    break
  }
  const unfollow = followFeed({
    part: 'words',
    position: () => `${id}/${run}:${talk.get().items.length}`,
    hear(event, frame: { loop: string; run: number; from: number; items: Item[]; file?: string }) {
      if (frame.loop !== id || frame.run !== run) return
      if (event === 'items') add(talk, frame.from, frame.items)
      if (event === 'ended' && frame.file === undefined) talk.update(now => ({ ...now, isEnded: true }))
    },
  })
  signal.addEventListener('abort', unfollow)
}

/** Items that are known already are ignored. */
function add(talk: Cell<Talk>, from: number, more: readonly Item[]): void {
  talk.update(now => {
    const fresh = more.slice(Math.max(0, now.items.length - from))
    return fresh.length === 0 ? now : { ...now, items: [...now.items, ...fresh] }
  })
}

/** Items about usage, which nobody said. */
const unsaid: Item['kind'][] = ['session', 'usage', 'context']

export function partsOf(items: readonly Item[]): TalkPiece[] {
  const parts: TalkPiece[] = []
  for (const [at, item] of items.entries()) {
    const before = parts.at(-1)
    if (item.kind === 'text' && item.delta && before?.item.kind === 'text') before.text += item.text
    else if (item.kind === 'text') parts.push({ at, item, text: item.text })
    else if (!unsaid.includes(item.kind)) parts.push({ at, item, text: '' })
  }
  return parts
}

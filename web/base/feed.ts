/**
 * The one connection by which a tab receives news: a stream of frames about the list, and about the journals, outputs
 * and conversations that components follow. The server keeps no state for it. If the followed things change, or after
 * an error, a new stream begins at the positions reached so far; so a restart of loopd loses nothing. It is read by
 * fetch, since an EventSource cannot send the key.
 *
 *   opening ──hello──▶ live ──end or error──▶ lost ──back-off──▶ opening
 *   no key, or 401 ──▶ signed-out ──a key──▶ opening
 */
import { cell } from './cell.ts'
import { type FeedFrame, readFrames } from './frames.ts'
import { bearer, doubtLoopd, forgetKey, isLoopd, ownKey } from './key.ts'

type FeedLink = 'opening' | 'live' | 'lost' | 'signed-out'

export const link = cell<FeedLink>('opening')

/** The loopd that answers. Another start time means that loopd was restarted. */
export const hostedBy = cell<{ version: string; startedAt: number } | null>(null)

type Part = 'journals' | 'outputs' | 'words'

/** `position` is called whenever a stream is opened: how much is known already, in the form that the route expects. */
type Follower = { part: Part; position(): string; hear(event: string, data: never): void }

/** The follower of the list: its revision, and the function for its frames. */
type ListFollower = {
  revision(): number | null
  /** The revision that the feed has reached: the next stream continues after it. */
  reached(revision: number): void
  hear(event: string, data: never): void
}

const followers = new Set<Follower>()
let list: ListFollower | null = null
let stream: AbortController | null = null
let timer: number | null = null
let failures = 0
const longestWaitMs = 8_000
/** For each part; loopd refuses a stream that follows more. */
const mostFollowed = 12

/** Follows something from its position on. Returns a function that stops following. */
export function followFeed(follower: Follower): () => void {
  followers.add(follower)
  reopenSoon()
  return () => {
    followers.delete(follower)
    reopenSoon()
  }
}

export function followList(follower: ListFollower): void {
  list = follower
  reopenSoon()
}

/** Several components appear and vanish together: open one new stream for all of them. */
function reopenSoon(): void {
  if (timer === null) timer = window.setTimeout(open, 30)
}

function open(): void {
  timer = null
  stream?.abort()
  stream = null
  if (ownKey.get() === null) return link.set('signed-out')
  const own = new AbortController()
  stream = own
  // Aborted by a newer stream, or by the end of the tab: nobody waits for it.
  const ended = () => stream === own && lost()
  follow(own.signal).then(ended, ended)
}

/** Resolves when the stream has ended, and rejects when it breaks. */
async function follow(signal: AbortSignal): Promise<void> {
  const sent = ownKey.get()
  if (sent === null || !(await isLoopd(sent)) || signal.aborted) return
  const headers = { ...bearer(), accept: 'text/event-stream' }
  const response = await fetch(`/v1/feed?${queryNow()}`, { headers, signal, credentials: 'omit' })
  if (response.status === 401) return forgetKey(sent)
  if (!response.ok || !response.body) return
  for await (const frame of readFrames(response.body)) {
    if (signal.aborted) return
    if (frame.event === 'hello') welcome(frame.data as { version: string; startedAt: number })
    else hear(frame)
  }
}

function welcome({ version, startedAt }: { version: string; startedAt: number }): void {
  failures = 0
  const before = hostedBy.get()
  if (before?.startedAt !== startedAt) hostedBy.set({ version, startedAt })
  // This code may not understand another version of loopd. A reload loses nothing.
  if (before && before.version !== version) window.location.reload()
  link.set('live')
}

function hear({ event, id, data }: FeedFrame): void {
  const [revision] = /^\d+/.exec(id) ?? []
  if (revision !== undefined) list?.reached(Number(revision))
  list?.hear(event, data as never)
  for (const follower of followers) follower.hear(event, data as never)
}

function lost(): void {
  stream = null
  doubtLoopd()
  if (ownKey.get() === null) return link.set('signed-out')
  failures += 1
  link.set('lost')
  if (timer === null)
    timer = window.setTimeout(open, Math.min(longestWaitMs, 250 * 2 ** Math.min(failures, 6)))
}

function queryNow(): string {
  const query = new URLSearchParams()
  const revision = list?.revision()
  if (revision != null) query.set('list', String(revision))
  const byPart = Map.groupBy(followers, ({ part }) => part)
  for (const [part, some] of byPart) {
    // The page itself comes first. Followers beyond the limit of one stream have to wait.
    const positions = [...new Set(some.map(({ position }) => position()))]
    query.set(part, positions.slice(0, mostFollowed).join(','))
  }
  return query.toString()
}

/** A visible tab, or a network that is back, does not wait for the rest of the back-off. */
function retryNow(): void {
  if (link.get() !== 'lost' || document.hidden) return
  if (timer !== null) window.clearTimeout(timer)
  open()
}

document.addEventListener('visibilitychange', retryNow)
window.addEventListener('online', retryNow)
// Signed in or out, here or in another tab.
ownKey.watch(reopenSoon)

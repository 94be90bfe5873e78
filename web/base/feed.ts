/**
 * The one connection by which a tab hears what happens: a stream of frames about the list, the journals, outputs and
 * words that somebody on the page follows. The server keeps no state of it: when what is followed changes, or after
 * an error, a new stream is opened from the positions reached, so a restart of loopd loses nothing.
 *
 *   opening ──hello──▶ live ──error──▶ lost ──back-off──▶ opening          401 ──▶ signed-out
 */
import { cell } from './cell.ts'

type FeedLink = 'opening' | 'live' | 'lost' | 'signed-out'

export const link = cell<FeedLink>('opening')

/** Which loopd answers; another start time means that it was restarted. */
export const hostedBy = cell<{ version: string; startedAt: number } | null>(null)

type Part = 'journals' | 'outputs' | 'words'

/** `position` is asked whenever a stream is opened: what is already known, in the words of the route. */
type Follower = { part: Part; position(): string; hear(event: string, data: never): void }

/** What the list needs: its revision, and what to do with its frames. */
type ListFollower = {
  revision(): number | null
  /** The revision that the feed has come to: the next stream goes on after it. */
  reached(revision: number): void
  hear(event: string, data: never): void
}

const followers = new Set<Follower>()
let list: ListFollower | null = null
let source: EventSource | null = null
let timer: number | null = null
let failures = 0
const longestWaitMs = 8_000
/** Of one kind; loopd refuses a stream that follows more. */
const mostFollowed = 12
const frames = ['row', 'event', 'lines', 'partial', 'items', 'gap', 'ended', 'failure', 'counts']

/** Follows something from its position on; returns how to stop. */
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

/** Several components come and go at once: one new stream for all of them. */
function reopenSoon(): void {
  if (timer === null) timer = window.setTimeout(open, 30)
}

function open(): void {
  timer = null
  source?.close()
  const stream = new EventSource(`/v1/feed?${queryNow()}`)
  source = stream
  stream.addEventListener('hello', message => {
    const { version, startedAt } = JSON.parse(message.data)
    failures = 0
    const before = hostedBy.get()
    if (before?.startedAt !== startedAt) hostedBy.set({ version, startedAt })
    // The code of another version may not understand what it is told: nothing is lost by a reload.
    if (before && before.version !== version) window.location.reload()
    link.set('live')
  })
  for (const name of frames) {
    stream.addEventListener(name, message => {
      const data = JSON.parse(message.data) as never
      const [revision] = /^\d+/.exec(message.lastEventId) ?? []
      if (revision !== undefined) list?.reached(Number(revision))
      list?.hear(name, data)
      for (const follower of followers) follower.hear(name, data)
    })
  }
  stream.addEventListener('error', () => {
    stream.close()
    if (source === stream) lost()
  })
}

function lost(): void {
  failures += 1
  if (link.get() !== 'signed-out') link.set('lost')
  // A stream does not say why it failed; an ordinary question does.
  fetch('/v1/daemon', { credentials: 'same-origin' }).then(
    ({ status }) => status === 401 && link.set('signed-out'),
    () => undefined,
  )
  if (timer === null)
    timer = window.setTimeout(open, Math.min(longestWaitMs, 250 * 2 ** Math.min(failures, 6)))
}

function queryNow(): string {
  const query = new URLSearchParams()
  const revision = list?.revision()
  if (revision != null) query.set('list', String(revision))
  const byPart = Map.groupBy(followers, ({ part }) => part)
  for (const [part, some] of byPart) {
    // Who came first is the page itself: beyond what loopd lets one stream follow, the last wait.
    const positions = [...new Set(some.map(({ position }) => position()))]
    query.set(part, positions.slice(0, mostFollowed).join(','))
  }
  return query.toString()
}

/** Whoever comes back to the tab, or whose network is back, does not wait for the rest of the back-off. */
function retryNow(): void {
  if (link.get() !== 'lost' || document.hidden) return
  if (timer !== null) window.clearTimeout(timer)
  open()
}

document.addEventListener('visibilitychange', retryNow)
window.addEventListener('online', retryNow)

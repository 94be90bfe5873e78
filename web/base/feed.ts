/**
 * The one connection by which a tab receives news: a stream of frames about the list, and about the journals, outputs
 * and conversations that components follow. The server keeps no state for it. If the followed things change, or after
 * an error, a new stream begins at the positions reached so far; so a restart of loopd loses nothing.
 *
 *   opening ──hello──▶ live ──error──▶ lost ──back-off──▶ opening          401 ──▶ signed-out
 */
import { cell } from './cell.ts'

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
let source: EventSource | null = null
let timer: number | null = null
let failures = 0
const longestWaitMs = 8_000
/** For each part; loopd refuses a stream that follows more. */
const mostFollowed = 12
const frames = ['row', 'event', 'lines', 'partial', 'items', 'gap', 'ended', 'failure', 'counts']

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
  source?.close()
  const stream = new EventSource(`/v1/feed?${queryNow()}`)
  source = stream
  stream.addEventListener('hello', message => {
    const { version, startedAt } = JSON.parse(message.data)
    failures = 0
    const before = hostedBy.get()
    if (before?.startedAt !== startedAt) hostedBy.set({ version, startedAt })
    // This code may not understand another version of loopd. A reload loses nothing.
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
  // A failed stream has no status code; an ordinary request has one.
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

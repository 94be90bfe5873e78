/** The list of loops and groups, and the feed of a tab. */
import * as z from 'zod'
import { type Status, statuses } from '../../../core/loop/summary.ts'
import { mostFollowed, positionsFrom, resumedAt } from '../../../engine/feed/positions.ts'
import { type ListPlace, listPage, sectionsIn } from '../../../engine/shown/listing.ts'
import { fail, ok, type Result } from '../../../model/failure.ts'
import { version } from '../../../model/version.ts'
import type { Store } from '../../../store/contract.ts'
import type { RouteAnswer, RouteRequest } from '../contract.ts'
import { tabFrames } from '../feed.ts'
import type { ApiContext, OpenStream, Some } from './context.ts'

const mostRows = 500
const placeSchema = z.tuple([z.int(), z.number(), z.string()])

export function listAnswers(context: ApiContext): Some<'loops'> {
  const { world } = context
  const judge = sectionsIn(world.store)
  return {
    loops: ({ query }) => loops(world.store, { now: world.now(), failing: context.failing, judge }, query),
  }
}

function loops(
  store: Store,
  at: Parameters<typeof listPage>[2],
  query: RouteRequest<'loops'>['query'],
): Result<RouteAnswer<'loops'>> {
  const asked = query.status?.split(',') as Status[] | undefined
  const unknown = asked?.find(one => !statuses.includes(one))
  if (unknown !== undefined) {
    return fail('invalid-arguments', { kind: 'unknown-status', status: unknown, known: [...statuses] })
  }
  const after = query.cursor === undefined ? null : placeIn(query.cursor)
  if (after === undefined) return fail('invalid-arguments', { kind: 'bad-cursor' })
  const { section, agent, cwd, search, sort = 'attention' } = query
  // Read before the rows: changes made meanwhile are then reported by the feed.
  const revision = store.changes.revision()
  const page = listPage(
    store,
    {
      ...(asked && { status: asked }),
      ...(section && { section }),
      ...(agent !== undefined && { agent }),
      ...(cwd !== undefined && { cwd }),
      ...(search !== undefined && { search }),
      sort,
      isAscending: query.order === 'asc',
      limit: Math.min(mostRows, Math.max(1, Number(query.limit ?? 100))),
      after,
    },
    at,
  )
  const next = page.next && Buffer.from(JSON.stringify(page.next)).toString('base64url')
  return ok({ revision, ...page, next })
}

/** Undefined if it is not a valid position. */
function placeIn(cursor: string): ListPlace | undefined {
  try {
    const place: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    return placeSchema.safeParse(place).data
  } catch {
    return undefined // not JSON: the caller says so
  }
}

export function feedAnswers(context: ApiContext, open: OpenStream): Some<'feed'> {
  const { display, failing } = context
  return {
    feed: ({ query }, { lastEventId }) => {
      const asked = positionsFrom(query)
      if (!asked) {
        const form = 'journals=a1b2c3:40&outputs=a1b2c3/2/out:1200&words=a1b2c3/2:0'
        return fail('invalid-arguments', { kind: 'bad-feed', form, most: mostFollowed })
      }
      const { pid, startedAt } = context.status()
      const positions = resumedAt(asked, lastEventId)
      const tab = { positions, display, failing, hello: { version, pid, startedAt } }
      return open(tabFrames(context.world, tab))
    },
  }
}

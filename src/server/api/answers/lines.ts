/** Lines of outputs by number, their ends, and lines that contain a text. */
import { join } from 'node:path'
import { runEnd } from '../../../engine/feed/output.ts'
import { matchesIn, runPlace, someLinesOf } from '../../../engine/shown/runs.ts'
import { ok, type Result } from '../../../model/failure.ts'
import type { RouteAnswer, RouteRequest } from '../contract.ts'
import type { ApiContext, Some } from './context.ts'
import { promiseFileOf } from './output.ts'

const mostLines = 2_000
const mostMatches = 500

type Asked = { id: string; file: Result<string>; hasEnded: boolean }

export function lineAnswers(
  context: ApiContext,
): Some<'lines' | 'search' | 'promiseLines' | 'promiseSearch'> {
  const { store, feed } = context.world
  const ofRun = ({ id, run, output }: RouteRequest<'lines'>['params']): Asked => {
    // Ask for the end before reading, so that output written before the end is never missed.
    const hasEnded = runEnd({ store, feed }, id, Number(run))()
    const place = runPlace(store, id, Number(run))
    return { id, file: place.ok ? ok(join(place.value.dir, output)) : place, hasEnded }
  }
  const ofPromise = (params: RouteRequest<'promiseLines'>['params']): Asked => ({
    id: params.id,
    file: promiseFileOf(context, params),
    hasEnded: true,
  })
  return {
    lines: ({ params, query }) => lines(context, ofRun(params), query),
    search: ({ params, query }) => search(context, ofRun(params), query),
    promiseLines: ({ params, query }) => lines(context, ofPromise(params), query),
    promiseSearch: ({ params, query }) => search(context, ofPromise(params), query),
  }
}

async function lines(
  { display }: ApiContext,
  { id, file, hasEnded }: Asked,
  query: RouteRequest<'lines'>['query'],
): Promise<Result<RouteAnswer<'lines'>>> {
  if (!file.ok) return file
  const number = (text: string | undefined) => (text === undefined ? null : Number(text))
  const count = Math.min(mostLines, Number(query.count ?? mostLines))
  const wanted = { from: number(query.from), tail: number(query.tail), count }
  return ok({ ...(await someLinesOf(file.value, display.secrets(id), wanted)), hasEnded })
}

async function search(
  { display }: ApiContext,
  { id, file }: Asked,
  query: RouteRequest<'search'>['query'],
): Promise<Result<RouteAnswer<'search'>>> {
  if (!file.ok) return file
  const wanted = {
    text: query.q,
    from: query.from === undefined ? null : Number(query.from),
    back: query.back !== undefined,
    limit: Math.min(mostMatches, Math.max(1, Number(query.limit ?? 100))),
  }
  return ok(await matchesIn(file.value, display.secrets(id), wanted))
}

/** The prompts and outputs of runs, and the output of the promise: in pieces, safe to show. */
import { join } from 'node:path'
import { setImmediate as breathe } from 'node:timers/promises'
import { safeText } from '../../../core/text/plain-text.ts'
import { runEnd } from '../../../engine/feed/output.ts'
import { itemsOfRun, matchesIn, runPlace, runRows, someLinesOf } from '../../../engine/shown/runs.ts'
import type { Item } from '../../../model/agent.ts'
import { fail, ok, type Result } from '../../../model/failure.ts'
import { redactText } from '../../../secrets/redact.ts'
import { readBytes, sizeOf } from '../../../store/files/artifact.ts'
import { loopDir, verifyDir } from '../../../store/files/paths.ts'
import type { Failed } from '../app.ts'
import type { RouteAnswer, RouteRequest } from '../contract.ts'
import { outputFrames } from '../stream.ts'
import { type ApiContext, contentType, loopEvents, numberIn, type OpenStream, type Some } from './context.ts'

const mostBytes = 1_048_576

export function outputAnswers(
  context: ApiContext,
  open: OpenStream,
): Some<'runs' | 'items' | 'file' | 'promiseOutput' | 'outputStream'> {
  const { store, feed } = context.world
  return {
    runs: ({ params }) => {
      const events = loopEvents(context, params.id)
      return events.ok ? ok(runRows(events.value)) : events
    },
    items: ({ params, query }) => itemsOf(context, params, query),
    file: ({ params, query }) => contents(context, fileOf(context, params), { ...query, loop: params.id }),
    promiseOutput: ({ params, query }) =>
      contents(context, promiseFileOf(context, params), { ...query, loop: params.id }),
    outputStream: ({ params, query }, { lastEventId }) => {
      const file = fileOf(context, params)
      if (!file.ok) return file
      const secrets = context.display.secrets(params.id)
      const output = { store, feed, loop: params.id, run: Number(params.run), file: file.value, secrets }
      return open(outputFrames(output, numberIn(lastEventId) ?? Number(query.from ?? 0)))
    },
  }
}

const mostItems = 1_000

/** Read from the beginning in steps, with turns for other work in between. */
async function itemsOf(
  { world: { store, feed }, display }: ApiContext,
  { id, run }: { id: string; run: string },
  query: RouteRequest<'items'>['query'],
): Promise<Result<RouteAnswer<'items'>>> {
  const place = runPlace(store, id, Number(run))
  if (!place.ok) return place
  const reading = itemsOfRun(place.value, display.secrets(id))
  if (!reading) {
    return fail('not-allowed', { kind: 'no-items', agent: place.value.agent })
  }
  const from = Number(query.from ?? 0)
  const limit = Math.min(mostItems, Math.max(1, Number(query.limit ?? 500)))
  // Ask for the end before reading, so that output written before the end is never missed.
  const hasEnded = runEnd({ store, feed }, id, Number(run))()
  const items: Item[] = []
  let index = 0
  const take = (some: Item[]) => {
    for (const item of some) {
      if (index >= from && items.length <= limit) items.push(item)
      index += 1
    }
  }
  for (let isOver = false; !isOver && items.length <= limit; await breathe()) {
    const { items: some, atEnd } = reading.more()
    take(some)
    isOver = atEnd
  }
  // An unfinished text of a running run is returned once it is complete.
  const rest = reading.end()
  if (hasEnded) take(rest)
  const given = items.slice(0, limit)
  return ok({ from, items: given, next: items.length > limit ? from + limit : null, hasEnded })
}

/** The path of a run's file; only words of the contract enter it from outside. */
function fileOf({ world }: ApiContext, params: { id: string; run: string; file: string }): Result<string> {
  const place = runPlace(world.store, params.id, Number(params.run))
  return place.ok ? ok(join(place.value.dir, params.file)) : place
}

/** The same for the output of a criterion. Only outputs that the journal names: a running promise is not judged yet. */
function promiseFileOf(context: ApiContext, params: { id: string; verification: string }): Result<string> {
  const { store } = context.world
  const summary = store.heads.get(params.id)
  if (!summary.ok) return summary
  const [iteration = 0, criterion = 0] = params.verification.split('-').map(Number)
  const path = join(verifyDir(iteration, criterion), 'out')
  const all = store.journals.ofKinds(params.id, ['promise.verified'], 0)
  const results = all.flatMap(({ data }) =>
    'results' in data ? [...data.results, ...(data.mustNot ?? [])] : [],
  )
  if (!results.some(({ output }) => output.path === path))
    return fail('unknown-loop', {
      kind: 'unknown-verification',
      id: params.id,
      verification: params.verification,
    })
  return ok(join(loopDir(store.paths, params.id), path))
}

function contents(
  context: ApiContext,
  found: Result<string>,
  query: { loop: string; from?: string | undefined },
): Response | Failed {
  if (!found.ok) return found
  const file = found.value
  const from = query.from === undefined ? null : Number(query.from)
  const size = sizeOf(file)
  const begin = Math.min(size, from ?? Math.max(0, size - mostBytes))
  const end = Math.min(size, begin + mostBytes)
  const text = size === 0 ? '' : readBytes(file, begin, end).toString('utf8')
  return new Response(redactText(safeText(text), context.display.secrets(query.loop)), {
    headers: { ...contentType('text/plain'), 'x-loop-from': String(begin), 'x-loop-bytes': String(size) },
  })
}

/** Lines of outputs by number, their ends, and lines that contain a text. */
const mostLines = 2_000
const mostMatches = 500

type LinesRequest = { id: string; file: Result<string>; hasEnded: boolean }

export function lineAnswers(
  context: ApiContext,
): Some<'lines' | 'search' | 'promiseLines' | 'promiseSearch'> {
  const { store, feed } = context.world
  const ofRun = ({ id, run, output }: RouteRequest<'lines'>['params']): LinesRequest => {
    // Ask for the end before reading, so that output written before the end is never missed.
    const hasEnded = runEnd({ store, feed }, id, Number(run))()
    const place = runPlace(store, id, Number(run))
    return { id, file: place.ok ? ok(join(place.value.dir, output)) : place, hasEnded }
  }
  const ofPromise = (params: RouteRequest<'promiseLines'>['params']): LinesRequest => ({
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
  { id, file, hasEnded }: LinesRequest,
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
  { id, file }: LinesRequest,
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

/**
 * What loopd answers to each route. It reads and writes through a connection of its own and is, to the loops,
 * one more process: what it asks of them goes through their inbox as what anybody asks.
 */
import { join } from 'node:path'
import type * as z from 'zod'
import { patchJson, wholeDiff } from '../../checkpoints/contract.ts'
import { fold } from '../../core/loop/evolve.ts'
import { history } from '../../core/loop/history.ts'
import { type Status, statuses } from '../../core/loop/summary.ts'
import { discardedOf, savedTree } from '../../engine/garbage/discarded.ts'
import { queueGroup, queueLoop } from '../../engine/host.ts'
import { cleanOf, secretBytes } from '../../engine/perform/loop/redaction.ts'
import { detailed } from '../../engine/shown/detail.ts'
import { withMembers } from '../../engine/shown/members.ts'
import { oneLoop } from '../../engine/shown/one-loop.ts'
import { shown } from '../../engine/shown/orphans.ts'
import type { World } from '../../engine/world.ts'
import { allOf, fail, ok, type Result } from '../../model/failure.ts'
import { resolveRequest } from '../../options/request.ts'
import { inBackground } from '../../options/resolve.ts'
import type { System } from '../../options/system.ts'
import { readBytes, sizeOf } from '../../store/files/artifact.ts'
import { loopDir, runDir, verifyDir } from '../../store/files/paths.ts'
import { redactText, secretsIn } from '../../views/secrets/redact.ts'
import { historyJson } from '../../views/text/history.ts'
import { safeText } from '../../views/text/plain-text.ts'
import { rowJson } from '../../views/text/status.ts'
import { type Answers, problem } from './app.ts'
import type { daemonStatus, RouteName, RouteRequest } from './contract.ts'
import { type Credentials, cookieName } from './credentials.ts'
import { openApi } from './openapi.ts'
import { page } from './page.ts'
import { eventFrames, eventStream, type FrameSource, loopFrames, outputFrames } from './stream.ts'
import { askGroup } from './to-group.ts'
import { askLoop } from './to-loop.ts'

type Office = {
  /** Of its own: another store connection and another host than those that drive the loops. */
  world: World
  /** With the environment of loopd, and without a terminal. */
  system: System
  entry: Credentials
  status(): z.infer<typeof daemonStatus>
  stop(now: boolean): void
  metrics(): string
}

const mostStreams = 128
const mostBytes = 1_048_576
const mostEvents = 1_000

export function answersOf(office: Office): Answers {
  const stream = streams()
  return { ...ofDaemon(office), ...ofLoops(office), ...ofOneLoop(office), ...watched(office, stream) }
}

type Some<N extends RouteName> = Pick<Answers, N>

function ofDaemon(
  office: Office,
): Some<'daemon' | 'stop' | 'invite' | 'metrics' | 'openapi' | 'enter' | 'page'> {
  const { world, entry } = office
  return {
    daemon: () => ok(office.status()),
    stop: ({ body }) => {
      office.stop(body.now)
      return ok({ stopping: true })
    },
    invite: () => {
      const { url, problem: why } = office.status().web
      if (url === null) return fail('no-daemon', `There is no page: ${why ?? 'not yet'}.`)
      return ok({ url: `${url}enter?code=${entry.invite(world.now())}` })
    },
    metrics: () => new Response(office.metrics(), { headers: type('text/plain; version=0.0.4') }),
    openapi: () => ok(openApi()),
    enter: ({ query }) => enter(entry.redeem(query.code, world.now())),
    page: () => new Response(page(), { headers: type('text/html') }),
  }
}

function enter(cookie: string | null): Response {
  if (!cookie) {
    const message = 'This address has been used, or is too old. Get a new one with: loop ui'
    return problem(403, { reason: 'not-allowed', message })
  }
  const flags = 'HttpOnly; SameSite=Strict; Path=/; Max-Age=2592000'
  const headers = { location: '/', 'set-cookie': `${cookieName}=${cookie}; ${flags}` }
  return new Response(null, { status: 303, headers })
}

function ofLoops(office: Office): Some<'loops' | 'start' | 'loop' | 'command'> {
  const { world } = office
  return {
    loops: ({ query }) => loops(office, query),
    start: async ({ body }) => {
      const resolved = await resolveRequest(body, office.system, office.status().limit)
      if (!resolved.ok) return resolved
      const { wish, group, notice } = resolved.value
      const { priority, ...queued } = inBackground(wish)
      const id = group
        ? queueGroup(
            world,
            { spec: { ...group, attended: false, deleteState: wish.state === 'delete' } },
            priority,
          )
        : queueLoop(world, queued, priority)
      return ok({ id, notices: notice === null ? [] : [notice] })
    },
    loop: ({ params }) => detailOf(office, params.id),
    command: async ({ params: { id }, body }, { run }) => {
      const known = world.store.heads.get(id)
      if (!known.ok) return known
      const asked = { body, run }
      const told = await (known.value.kind === 'group'
        ? askGroup(world, id, asked)
        : askLoop(office, id, asked))
      return told.ok ? detailOf(office, id) : told
    },
  }
}

function ofOneLoop(office: Office): Some<'events' | 'history' | 'diff' | 'file' | 'promiseOutput'> {
  const { store } = office.world
  return {
    events: ({ params: { id }, query }) => {
      const known = store.heads.get(id)
      if (!known.ok) return known
      const events = store.journals.readAfter(id, Number(query.after ?? 0), mostEvents)
      return events.ok ? ok({ events: events.value, last: known.value.seq }) : events
    },
    history: ({ params: { id } }) => {
      const events = journalOf(office, id)
      if (!events.ok) return events
      const discarded = discardedOf(store.paths, fold(events.value))
      return ok({ ...historyJson(fold(events.value).id, history(events.value)), discarded })
    },
    diff: ({ params, query }) => diff(office, params.id, query),
    file: ({ params, query }) => contents(office, fileOf(office, params), query),
    promiseOutput: ({ params, query }) => contents(office, promiseFileOf(office, params), query),
  }
}

function watched(
  office: Office,
  stream: ReturnType<typeof streams>,
): Some<'eventStream' | 'outputStream' | 'loopStream'> {
  const { store, feed, now } = office.world
  const show = (id: string) => {
    const one = store.heads.get(id)
    return one.ok ? detailed(store, one.value, now()) : { id, error: one.failure }
  }
  const groupOf = (id: string) => {
    const one = store.heads.get(id)
    return one.ok ? one.value.group : null
  }
  return {
    eventStream: ({ params: { id } }, { lastEventId }) =>
      stream(store.heads.get(id), () => eventFrames({ store, feed }, id, numberIn(lastEventId) ?? 0)),
    outputStream: ({ params, query }, { lastEventId }) =>
      stream(fileOf(office, params), file => {
        const secrets = secretsIn(office.world.env)
        const output = { store, feed, loop: params.id, run: Number(params.run), file, secrets }
        return outputFrames(output, numberIn(lastEventId) ?? Number(query.from ?? 0))
      }),
    loopStream: () => stream(ok(null), () => loopFrames({ store, feed }, show, groupOf)),
  }
}

/** So many at once and no more: each costs a little memory for as long as it lasts. */
function streams() {
  let open = 0
  return <T>(of: Result<T>, source: (value: T) => FrameSource): Response | Result<T> => {
    if (!of.ok) return of
    if (open >= mostStreams) {
      return problem(503, { reason: 'not-allowed', message: `${mostStreams} others are watching already.` })
    }
    open += 1
    return eventStream(source(of.value), () => {
      open -= 1
    })
  }
}

function loops({ world: { store, now } }: Office, query: RouteRequest<'loops'>['query']): Result<unknown> {
  const { status } = query
  if (status !== undefined && !statuses.includes(status as Status)) {
    return fail('invalid-arguments', `There is no status ${status}. There are: ${statuses.join(', ')}`)
  }
  const limit = Math.min(1_000, Number(query.limit ?? 100))
  const found = store.heads.list(status ? { all: { status: [status as Status], limit } } : { current: limit })
  const find = store.leases.finder()
  const rows = found.summaries.map(summary => shown(store, summary, find))
  return ok(withMembers(store, rows, find).rows.map(row => rowJson(row, now())))
}

function detailOf(office: Office, id: string): Result<unknown> {
  const summary = office.world.store.heads.get(id)
  return summary.ok ? ok(detailed(office.world.store, summary.value, office.world.now())) : summary
}

/** Of one loop. */
function journalOf({ world: { store } }: Office, id: string) {
  const summary = oneLoop(store, store.heads.get(id))
  return summary.ok ? store.journals.read(summary.value.id) : summary
}

async function diff(office: Office, id: string, { from, to }: { from: string; to: string }) {
  const events = journalOf(office, id)
  if (!events.ok) return events
  const { world } = office
  const state = fold(events.value)
  const saved = allOf({
    from: savedTree(world.store.paths, state, { name: from }),
    to: savedTree(world.store.paths, state, { name: to }),
  })
  if (!saved.ok) return saved
  const patch = await wholeDiff(world.checkpoints(state.spec), saved.value)
  if (!patch.ok) return patch
  const clean = redactText(patch.value.toString('latin1'), secretBytes(world.env))
  return ok(patchJson(Buffer.from(clean, 'latin1')))
}

/** Where the file of a run lies; nothing of the path comes from outside but words that the contract knows. */
function fileOf(office: Office, params: { id: string; run: string; file: string }): Result<string> {
  const { store } = office.world
  const summary = store.heads.get(params.id)
  if (!summary.ok) return summary
  const isOne = (run: number) => run === Number(params.run)
  const runs = store.journals.ofKinds(params.id, ['run.started'], 0)
  if (!runs.some(({ data }) => 'run' in data && isOne(data.run)))
    return fail('unknown-loop', `Loop ${params.id} has no run ${params.run}.`)
  return ok(join(loopDir(store.paths, params.id), runDir(Number(params.run)), params.file))
}

/** The same for the output of a criterion. Only what the journal names: what runs now is not judged yet. */
function promiseFileOf(office: Office, params: { id: string; verification: string }): Result<string> {
  const { store } = office.world
  const summary = store.heads.get(params.id)
  if (!summary.ok) return summary
  const [iteration = 0, criterion = 0] = params.verification.split('-').map(Number)
  const path = join(verifyDir(iteration, criterion), 'out')
  const all = store.journals.ofKinds(params.id, ['promise.verified'], 0)
  const results = all.flatMap(({ data }) =>
    'results' in data ? [...data.results, ...(data.mustNot ?? [])] : [],
  )
  if (!results.some(({ output }) => output.path === path))
    return fail('unknown-loop', `Loop ${params.id} has no verification ${params.verification}.`)
  return ok(join(loopDir(store.paths, params.id), path))
}

function contents(
  office: Office,
  found: Result<string>,
  query: { from?: string | undefined },
): Response | Result<string> {
  if (!found.ok) return found
  const file = found.value
  const clean = cleanOf(office.world.env)
  const from = query.from === undefined ? null : Number(query.from)
  const size = sizeOf(file)
  const begin = Math.min(size, from ?? Math.max(0, size - mostBytes))
  const end = Math.min(size, begin + mostBytes)
  const body = size === 0 ? '' : clean(safeText(readBytes(file, begin, end).toString('utf8')))
  return new Response(body, {
    headers: { ...type('text/plain'), 'x-loop-from': String(begin), 'x-loop-bytes': String(size) },
  })
}

function type(name: string): Record<string, string> {
  return { 'content-type': `${name}; charset=utf-8` }
}

function numberIn(text: string | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null
}

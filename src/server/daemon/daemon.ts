/**
 * loopd: one per user, guaranteed by a lock that the kernel releases. It hosts background loops, serves the API,
 * sends notices and counts. Its death at any moment loses nothing: agents run by themselves, and all its decisions
 * use the store.
 */
import { onStray } from '../../adapters/process/stray.ts'
import type { JournalKind, KindsOf } from '../../core/folds.ts'
import { faultFrom } from '../../engine/fault.ts'
import { type Feed, feedOf, type Told } from '../../engine/feed.ts'
import { type Hosting, hostLoops } from '../../engine/hosting.ts'
import { failingIn } from '../../engine/shown/failing.ts'
import { hostName, type World } from '../../engine/world.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import { version } from '../../model/version.ts'
import type { System } from '../../options/system.ts'
import type { Host, Store } from '../../store/contract.ts'
import type { Paths } from '../../store/files/paths.ts'
import { becomeHost, holdLock, type Lock } from '../../store/sqlite/lock.ts'
import { openStore } from '../../store/sqlite/open.ts'
import { daemonWords } from '../../views/words/daemon.ts'
import type { ApiContext } from '../api/answers/context.ts'
import { answersOf } from '../api/answers.ts'
import { type Credentials, entryFor, tokenIn } from '../api/credentials.ts'
import { displayOf } from '../api/display.ts'
import { ownProgram, type RunOwn } from '../api/own-program.ts'
import { type Serving, serveApi } from '../api/serve.ts'
import { environmentOf, forgetEnvironment } from './environment.ts'
import type { Log } from './log.ts'
import { countMetrics, type Metrics, sampleEvery } from './metrics.ts'
import { tellFrom } from './notices.ts'
import { ownRecord, readRecord, removeRecord, writeRecord } from './record.ts'
import { liveSettings } from './settings.ts'
import { goOnAfter, mended, notStalled, type Stalled, tellStalled, troubleOf } from './trouble.ts'
import { backUp, freeBytes, note, throwAway, type Upkeep, watchDisk, watchProgram } from './upkeep.ts'

type Parts = {
  env: NodeJS.ProcessEnv
  paths: Paths
  log: Log
  worldOf(parts: Pick<World, 'store' | 'feed' | 'host' | 'env'> & { complain(why: string): void }): World
  system: System
  /** The same with another environment. */
  systemIn(env: NodeJS.ProcessEnv): System
  /** Runs loop in a separate process. Never rejects. */
  runOwn: RunOwn
  /** Removes expired checkpoints; null, or the reason for a failure. Never rejects. */
  collectGarbage(): Promise<string | null>
  /** Called once it serves. */
  ready(socket: string, web: Serving['web']): void
}

type Daemon = Parts &
  Upkeep & {
    lock: Lock
    store: Store
    host: Host
    metrics: Metrics
    feed: Feed
    hosting: Hosting
    entry: Credentials
    stalled: Stalled
    startedAt: number
    /** Resolves with the way to end. */
    ending: PromiseWithResolvers<'finish' | 'leave'>
    stopping: boolean
  }

const tickMs = 5_000
const restartMs = 60_000
/** How long it waits at its end for the delivery of its last answers. */
const lastWordsMs = 3_000
/** Polls of a thousand loops' runs are spread over five seconds. */
const lookPerLoopMs = 5

export async function runDaemon(parts: Parts): Promise<Result<number>> {
  const { paths, log } = parts
  const store = openStore(paths)
  if (!store.ok) return store
  const lock = holdLock(paths.daemon.lock)
  if (!lock) return alreadyRuns(paths)
  // A record left by a killed loopd would be taken for ours until we serve.
  removeRecord(paths)
  const daemon = prepare(parts, lock, store.value)
  log.info({ version, data: paths.data }, 'loopd starts')
  // Before anybody can know of this loopd: a signal then must not leave its socket behind.
  const signals = listen(daemon)
  onStray(error => goOnAfter(daemon, error))
  daemon.notices.catchUp()
  // Before anything is served: there can be agents at work that nobody watches.
  daemon.hosting.look()
  const about: { serving: Serving | null } = { serving: null }
  const serving = await serve(daemon, () => statusOf(daemon, about.serving))
  if (!serving.ok) {
    await daemon.hosting.leave()
    daemon.host.release()
    return serving
  }
  about.serving = serving.value
  keepRecord(daemon, serving.value)
  parts.ready(serving.value.socket, serving.value.web)
  const tick = setInterval(() => keepHouse(daemon, serving.value), tickMs)
  const how = await end(daemon)
  clearInterval(tick)
  signals.forget()
  await daemon.notices.end(how === 'finish' ? lastWordsMs : 0)
  log.info({ how }, 'loopd ends')
  removeRecord(paths)
  serving.value.close()
  daemon.host.release()
  lock.release()
  return ok(0)
}

function prepare(parts: Parts, lock: Lock, store: Store): Daemon {
  const { paths, log, env } = parts
  const host = becomeHost(store, hostName())
  const settings = liveSettings(paths)
  const metrics = countMetrics()
  const problems = new Map<string, string>()
  const fault = faultFrom(env)
  const problem = (channel: string, why: string | null) => note(daemon, `notify ${channel}`, why)
  const notices = tellFrom(store, { env, log, settings, problem })
  const feed = feedOf(store, {
    now: Date.now,
    broken: error => log.error({ err: error }, 'the store cannot be read'),
  })
  feed.whenOthersWrite(() => daemon.hosting.look())
  feed.subscribe({ of: 'loop' }, told => hear(daemon, told))
  feed.subscribe({ of: 'group' }, told => hear(daemon, told))
  const hosting = hostLoops({
    store,
    host,
    feed,
    now: Date.now,
    limit: () => settings.now().limit,
    mayBegin: () => watchDisk(daemon),
    restartMs: Number(env['LOOPD_RESTART_MS'] ?? restartMs),
    worldOf: loop => ({ ...worldFor(daemon, loop), fault, queued: () => daemon.hosting.look() }),
    failed: (loop, cause, givenUp) => troubleOf(daemon, { loop, cause, givenUp }),
    mended: loop => mended(daemon, loop),
    lost: error => lost(daemon, error),
  })
  const daemon: Daemon = {
    ...parts,
    lock,
    store,
    host,
    settings,
    metrics,
    feed,
    hosting,
    problems,
    notices,
    stalled: notStalled(),
    entry: entryFor(tokenIn(paths.daemon.token), paths.daemon.signedOut),
    startedAt: Date.now(),
    ending: Promise.withResolvers(),
    stopping: false,
  }
  return daemon
}

function worldFor(daemon: Daemon, loop: string): World {
  const { store, feed, host, log } = daemon
  const env = environmentOf(daemon, loop)
  return {
    ...daemon.worldOf({ store, feed, host, env, complain: why => log.warn({ loop }, why) }),
    pollMs: () => Math.max(200, daemon.hosting.running().length * lookPerLoopMs),
  }
}

function statusOf(daemon: Daemon, serving: Serving | null) {
  const { problem } = daemon.settings
  const working = daemon.hosting.working()
  return {
    version,
    pid: process.pid,
    startedAt: daemon.startedAt,
    socket: serving?.socket ?? '',
    web: serving?.web ?? { url: null, problem: null },
    running: working,
    waiting: daemon.hosting.running('loop').filter(id => !working.includes(id)),
    groups: daemon.hosting.running('group'),
    queued: daemon.store.heads.count().get('queued') ?? 0,
    limit: daemon.settings.now().limit,
    stopping: daemon.stopping,
    freeBytes: freeBytes(daemon.paths),
    problems: [...daemon.problems.values(), ...[problem()].filter(words => words !== null)],
  }
}

function stop(daemon: Daemon, now: boolean): void {
  daemon.stopping = true
  // Errors are reported by whoever awaits the end.
  if (now) daemon.hosting.leave().catch(() => null)
  daemon.ending.resolve(now ? 'leave' : 'finish')
}

async function end(daemon: Daemon): Promise<string> {
  const how = await daemon.ending.promise
  daemon.stopping = true
  await (how === 'leave' ? daemon.hosting.leave() : daemon.hosting.finish())
  return how
}

/**
 * TERM releases all loops at once, since KILL usually follows soon; Ctrl-C waits for the iterations, a second Ctrl-C
 * does not.
 */
function listen(daemon: Daemon): { forget(): void } {
  let interrupts = 0
  const leave = () => stop(daemon, true)
  const finish = () => {
    interrupts += 1
    stop(daemon, interrupts > 1)
  }
  const ignore = () => {}
  process.on('SIGTERM', leave).on('SIGINT', finish).on('SIGHUP', ignore)
  return {
    forget: () => void process.off('SIGTERM', leave).off('SIGINT', finish).off('SIGHUP', ignore),
  }
}

function keepHouse(daemon: Daemon, serving: Serving): void {
  const { log, lock, hosting } = daemon
  try {
    if (!lock.isInPlace()) {
      log.fatal('the lock file was removed or replaced: another loopd may start; this one ends')
      return stop(daemon, true)
    }
    // First, so that no other error can delay a loop.
    hosting.look()
    watchDisk(daemon)
    watchProgram(daemon)
    tellStalled(daemon)
    backUp(daemon)
    throwAway(daemon, daemon.collectGarbage)
    keepRecord(daemon, serving)
    serving
      .keep()
      .then(problem => note(daemon, 'socket', problem))
      .catch((error: Error) => note(daemon, 'socket', daemonWords.noSocket(error.message)))
  } catch (error) {
    log.error({ err: error }, 'housekeeping failed')
  }
}

/** Restores a removed or damaged record: without it nobody finds this loopd. */
function keepRecord({ paths, startedAt }: Daemon, { socket }: Serving): void {
  const own = ownRecord(socket, startedAt)
  if (readRecord(paths)?.pid !== own.pid) writeRecord(paths, own)
}

function lost({ log, ending }: Daemon, error: unknown): void {
  log.fatal({ err: error }, 'the store was removed or replaced; loopd ends')
  ending.resolve('leave')
}

function alreadyRuns(paths: Paths): Result<never> {
  const pid = readRecord(paths)?.pid ?? null
  return fail('already-driven', { kind: 'daemon-runs', pid })
}

/**
 * The reactions of loopd to each event that it records: metrics, log, notices, and removing environments that are not
 * needed any more.
 */
function hear(daemon: Daemon, told: Told<KindsOf[JournalKind]>): void {
  const { event } = told
  daemon.metrics.told(told)
  mended(daemon, event.loop)
  daemon.log.info({ loop: event.loop, seq: event.seq }, event.kind)
  forgetEnvironment(daemon, told)
  daemon.notices.told(told)
}

const answerMs = 50

/** The API with a store connection and a host of its own: to the loops it is another process, whose writes are seen. */
async function serve(daemon: Daemon, status: ApiContext['status']): Promise<Result<Serving>> {
  const { paths, env, log, metrics, entry, settings, hosting } = daemon
  const opened = openStore(paths)
  if (!opened.ok) return opened
  const store = opened.value
  const host = becomeHost(store, hostName())
  const running = () => hosting.working().length
  const samples = sampleEvery({
    metrics,
    running,
    queued: () => store.heads.count().get('queued') ?? 0,
    now: Date.now,
  })
  const display = displayOf(paths, env, Date.now)
  const answers = answersOf({
    world: daemon.worldOf({ store, feed: feedOf(store), host, env, complain: why => log.warn(why) }),
    display,
    failing: failingIn(store),
    system: daemon.system,
    systemIn: daemon.systemIn,
    askOwn: ownProgram(daemon.runOwn),
    entry,
    status,
    stop(now) {
      log.info({ now }, 'asked to stop')
      // Only after the caller has got its answer.
      setTimeout(() => stop(daemon, now), answerMs)
    },
    samples,
    metrics: () => metrics.text(store, running()),
  })
  const serving = await serveApi({
    env,
    paths,
    service: {
      answers,
      display,
      failed: error => log.error({ err: error }, 'a request could not be answered'),
    },
    entry,
    port: () => settings.now().port,
    hosts: () => settings.now().hosts,
  })
  if (!serving.ok) {
    host.release()
    return serving
  }
  const close = () => {
    samples.stop()
    serving.value.close()
    host.release()
  }
  return ok({ ...serving.value, close })
}

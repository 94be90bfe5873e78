/** The wiring of loopd's API: the answers, with their own store connection and host. */
import type * as z from 'zod'
import type { daemonSchema } from '../../documents/machine.ts'
import { feedOf } from '../../engine/feed.ts'
import { failingIn } from '../../engine/shown/failing.ts'
import { hostName, type World } from '../../engine/world.ts'
import { ok, type Result } from '../../model/failure.ts'
import type { System } from '../../options/system.ts'
import type { Paths } from '../../store/files/paths.ts'
import { becomeHost } from '../../store/sqlite/lock.ts'
import { openStore } from '../../store/sqlite/open.ts'
import { answersOf } from '../api/answers.ts'
import type { Credentials } from '../api/credentials.ts'
import { displayOf } from '../api/display.ts'
import { ownProgram, type RunOwn } from '../api/own-program.ts'
import { type Serving, serveApi } from '../api/serve.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import { sampleEvery } from './samples.ts'
import type { LiveSettings } from './settings.ts'

type Served = {
  paths: Paths
  env: NodeJS.ProcessEnv
  log: Log
  worldOf(parts: Pick<World, 'store' | 'feed' | 'host' | 'env'> & { complain(why: string): void }): World
  system: System
  systemIn(env: NodeJS.ProcessEnv): System
  runOwn: RunOwn
  entry: Credentials
  settings: LiveSettings
  metrics: Metrics
  status(): z.infer<ReturnType<typeof daemonSchema>>
  stop(now: boolean): void
  /** The number of loops that it drives. */
  running(): number
}

const answerMs = 50

export async function serveFor(served: Served): Promise<Result<Serving>> {
  const { paths, env, log, worldOf } = served
  // To the loops it is another process: its writes are seen like anybody's.
  const store = openStore(paths)
  if (!store.ok) return store
  const host = becomeHost(store.value, hostName())
  const feed = feedOf(store.value)
  const world = worldOf({ store: store.value, feed, host, env, complain: why => log.warn(why) })
  const display = displayOf(paths, env, Date.now)
  const samples = sampleEvery({
    metrics: served.metrics,
    running: served.running,
    queued: () => store.value.heads.count().get('queued') ?? 0,
    now: Date.now,
  })
  const answers = answersOf({
    world,
    display,
    failing: failingIn(store.value),
    system: served.system,
    systemIn: served.systemIn,
    askOwn: ownProgram(served.runOwn),
    entry: served.entry,
    status: served.status,
    stop(now) {
      log.info({ now }, 'asked to stop')
      // Only after the caller has got its answer.
      setTimeout(() => served.stop(now), answerMs)
    },
    samples,
    metrics: () => served.metrics.text(store.value, served.running()),
  })
  const failed = (error: unknown) => log.error({ err: error }, 'a request could not be answered')
  const opened = await serveApi({
    env,
    paths,
    service: { answers, display, failed },
    entry: served.entry,
    port: () => served.settings.now().port,
    hosts: () => served.settings.now().hosts,
  })
  if (!opened.ok) {
    host.release()
    return opened
  }
  const close = () => {
    samples.stop()
    opened.value.close()
    host.release()
  }
  return ok({ ...opened.value, close })
}

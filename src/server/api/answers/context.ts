/** The dependencies of the answers, and functions that many of them share. */
import type * as z from 'zod'
import type { daemonSchema } from '../../../documents/machine.ts'
import type { FailingSeries } from '../../../engine/shown/failing.ts'
import { oneLoop } from '../../../engine/shown/members.ts'
import type { World } from '../../../engine/world.ts'
import type { System } from '../../../options/system.ts'
import type { Samples } from '../../daemon/metrics.ts'
import type { Answers, Failed } from '../app.ts'
import type { RouteName } from '../contract.ts'
import type { Credentials } from '../credentials.ts'
import type { Display } from '../display.ts'
import type { AskOwn } from '../own-program.ts'
import type { FrameSource } from '../stream.ts'

export type ApiContext = {
  /** A separate world: another store connection and another host than those that drive the loops. */
  world: World
  /** With the environment of loopd, and without a terminal. */
  system: System
  /** The same with another environment. */
  systemIn(env: NodeJS.ProcessEnv): System
  /** Runs loop in a separate process. */
  askOwn: AskOwn
  entry: Credentials
  display: Display
  failing: FailingSeries
  status(): z.infer<ReturnType<typeof daemonSchema>>
  stop(now: boolean): void
  metrics(): string
  samples: Pick<Samples, 'everyMs' | 'all'>
}

export type Some<N extends RouteName> = Pick<Answers, N>

/** Opens a stream of frames, unless too many are open. */
export type OpenStream = (source: FrameSource) => Response | Failed

/** The events of one loop; a group with one member stands for that member. */
export function loopEvents({ world: { store } }: Pick<ApiContext, 'world'>, id: string) {
  const summary = oneLoop(store, store.heads.get(id))
  return summary.ok ? store.journals.read(summary.value.id) : summary
}

export function contentType(name: string): Record<string, string> {
  return { 'content-type': `${name}; charset=utf-8` }
}

export function numberIn(text: string | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null
}

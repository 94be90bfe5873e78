/**
 * The reactions of loopd to each event that it records: metrics, log, notices, and removing environments of ended
 * loops.
 */
import type { GroupKinds } from '../../core/group/machine.ts'
import type { Told } from '../../engine/feed.ts'
import { forgetEnvironment, forgetGroup } from './environment.ts'
import type { Metrics } from './metrics.ts'
import type { Notices } from './notices.ts'
import { mended } from './trouble.ts'

type Ear = Parameters<typeof mended>[0] &
  Parameters<typeof forgetEnvironment>[0] & { metrics: Metrics; notices: Notices }

export function hearLoop(daemon: Ear, { event, state, before }: Told): void {
  const { log, metrics, notices } = daemon
  metrics.told(event, before)
  mended(daemon, event.loop)
  log.info({ loop: event.loop, seq: event.seq }, event.kind)
  forgetEnvironment(daemon, event, state)
  notices.told(event, state, before)
}

export function hearGroup(daemon: Ear, { event, state, before }: Told<GroupKinds>): void {
  const { log, metrics, notices } = daemon
  metrics.toldOfGroup()
  mended(daemon, event.loop)
  log.info({ loop: event.loop, seq: event.seq }, event.kind)
  forgetGroup(daemon, event)
  notices.toldOfGroup(event, state, before)
}

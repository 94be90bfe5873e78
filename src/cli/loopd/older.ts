/**
 * A running loopd of an older version would not know groups and would call one broken. It is asked to leave before a
 * group is written; its loops and agents continue, and the next loopd, of this version, takes them up.
 */

import { setTimeout as delay } from 'node:timers/promises'
import type { JournalKind } from '../../core/folds.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import { call } from '../../server/api/client.ts'
import { isRunning } from '../../server/daemon/record.ts'
import { pathsFrom } from '../../store/files/paths.ts'
import { err } from '../terminal.ts'
import { findDaemon } from './connect.ts'

const leaveMs = 30_000
const pollMs = 20

export async function letOlderLeave(kind: JournalKind, env: NodeJS.ProcessEnv): Promise<Result<null>> {
  const paths = pathsFrom(env)
  const daemon = await findDaemon(paths, env)
  if (!daemon.ok) return daemon
  if (!daemon.value || daemon.value.kinds?.includes(kind)) return ok(null)
  const { pid, socket, version } = daemon.value
  const asked = await call(socket, 'stop', { body: { now: true } })
  const deadline = performance.now() + leaveMs
  while (asked.ok && isRunning(paths) && performance.now() < deadline) await delay(pollMs)
  if (isRunning(paths)) {
    return fail('no-daemon', {
      kind: 'daemon-older',
      pid,
      version,
      because: asked.ok ? null : asked.failure.facts,
    })
  }
  err(
    `loop: loopd (process ${pid}) was of an older version, which does not know groups; it has ended, and its loops go on.`,
  )
  return ok(null)
}

/** `loopd status`: loopd's report about itself. */

import { fail, ok } from '../../model/failure.ts'
import { formatBytes, formatDuration } from '../../model/units.ts'
import { call } from '../../server/api/client.ts'
import { pathsFrom } from '../../store/files/paths.ts'
import type { CommandRun } from '../command-table.ts'
import { findDaemon, silent } from '../loopd/connect.ts'
import { out, outDocument } from '../terminal.ts'

const status: CommandRun = async input => {
  const paths = pathsFrom(input.env)
  const daemon = await findDaemon(paths, input.env)
  if (!daemon.ok) return daemon
  if (!daemon.value) return fail('no-daemon', { kind: 'daemon-not-running' })
  const asked = await call(daemon.value.socket, 'daemon')
  if (!asked.ok) return silent(daemon.value)
  const now = asked.value
  if (input.given('json')) {
    outDocument<'daemon'>(now)
    return ok(0)
  }
  const lines = [
    `loopd ${now.version}: ${now.stopping ? 'ending' : 'running'} (process ${now.pid}) for ${formatDuration(Date.now() - now.startedAt)}`,
    `  loops    ${now.running.length} of ${now.limit}${now.running.length > 0 ? `: ${now.running.slice(0, 20).join(', ')}` : ''}`,
    ...(now.waiting?.length
      ? [`  waiting  ${now.waiting.length}: ${now.waiting.slice(0, 20).join(', ')}`]
      : []),
    ...(now.groups?.length ? [`  groups   ${now.groups.length}: ${now.groups.slice(0, 20).join(', ')}`] : []),
    `  queued   ${now.queued}`,
    `  page     ${now.web.url ? `${now.web.url} (open it with: loop ui)` : (now.web.problem ?? 'not served')}`,
    `  socket   ${now.socket}`,
    `  disk     ${now.freeBytes === null ? 'unknown' : `${formatBytes(now.freeBytes)} free`}`,
    `  log      ${paths.daemon.log}`,
    ...now.problems.map(problem => `  problem  ${problem}`),
  ]
  out(lines.join('\n'))
  return ok(0)
}

export default status

/** Checks loopd: whether it runs and answers, its problems, and whether notices can be sent. */

import { failureWords } from '../../failures/words.ts'
import { version } from '../../model/version.ts'
import { call } from '../../server/api/client.ts'
import { liveSettings } from '../../server/daemon/settings.ts'
import type { Paths } from '../../store/files/paths.ts'
import { findDaemon } from '../loopd/connect.ts'
import { bad, type Check, good, warn } from './check.ts'
import { programOnPath } from './machine.ts'

export async function daemonCheck(paths: Paths, env: NodeJS.ProcessEnv): Promise<Check[]> {
  return [...(await loopdCheck(paths, env)), notificationCheck(paths, env)]
}

async function loopdCheck(paths: Paths, env: NodeJS.ProcessEnv): Promise<Check[]> {
  const daemon = await findDaemon(paths, env)
  if (!daemon.ok) return [bad('loopd', failureWords(daemon.failure), 'See: loopd status')]
  if (!daemon.value) return [good('loopd', 'does not run; loop start -b starts it')]
  const asked = await call(daemon.value.socket, 'daemon')
  if (!asked.ok) return [bad('loopd', failureWords(asked.failure), 'See: loopd status')]
  const { pid, running, limit, problems } = asked.value
  const found = `process ${pid}, ${running.length} of ${limit} loops run`
  if (problems.length > 0) return problems.map(problem => warn('loopd', problem, 'See: loopd status'))
  if (asked.value.version === version) return [good('loopd', found)]
  const next = 'Go on with this one: loopd stop, then loopd start; loops and agents go on.'
  return [warn('loopd', `${found}; it is ${asked.value.version}, and this is loop ${version}`, next)]
}

/** Delivery errors are among loopd's problems; this checks only that the program exists. */
function notificationCheck(paths: Paths, env: NodeJS.ProcessEnv): Check {
  const what = 'notifications'
  const { notificationCmd, webhook } = liveSettings(paths).now()
  const [program] = notificationCmd
  const ways = [...(program ? [notificationCmd.join(' ')] : []), ...(webhook ? ['a webhook'] : [])]
  if (ways.length === 0) return good(what, 'none: neither notification_cmd nor webhook is set')
  if (program && !programOnPath(program, env)) {
    const next = `Name one that is there: loop config set notification_cmd '<command>' (none for none)`
    return warn(what, `there is no program ${program} (notification_cmd)`, next)
  }
  return good(what, ways.join(', '))
}

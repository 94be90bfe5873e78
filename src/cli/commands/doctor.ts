/** `loop doctor`: checks everything that loop needs and keeps, and names the remedy for each problem. */
import { safeLine } from '../../core/text/plain-text.ts'
import { fail, invalid, ok, type Result } from '../../model/failure.ts'
import { type Paths, pathsFrom } from '../../store/files/paths.ts'
import { isUnderWay } from '../../store/files/session-marker.ts'
import type { CommandRun, Input } from '../command-table.ts'
import { bad, type Check, examined } from '../doctor/check.ts'
import { daemonCheck } from '../doctor/daemon.ts'
import {
  backupsCheck,
  checkpointsCheck,
  configCheck,
  copiesCheck,
  directoryCheck,
  hostsCheck,
  permissionsCheck,
  spaceCheck,
} from '../doctor/data.ts'
import {
  agentsCheck,
  containmentCheck,
  gitCheck,
  nodeCheck,
  projectCheck,
  sandboxCheck,
  toolsCheck,
} from '../doctor/machine.ts'
import { markerAt, pluginsCheck, sessionChecks } from '../doctor/session.ts'
import { restoredLines, restoreStore, storeHealth } from '../doctor/store.ts'
import { directoryHere } from '../find-loop.ts'
import { out, outDocument, outFor, paint, type Terminal, terminalFrom } from '../terminal.ts'

const doctor: CommandRun = async input => {
  if (input.positionals.length > 0) return invalid({ kind: 'no-arguments', command: 'loop doctor' })
  if (input.given('restore')) return restoring(input)
  const checks = [...(await machine(input.env)), ...(await disk(input.env)), ...(await place(input.env))]
  if (input.given('json')) outDocument<'doctor'>({ ok: !checks.some(failed), checks })
  else out(lines(checks, terminalFrom(input.env, 1)).join('\n'))
  const wrong = checks.filter(failed).map(({ name }) => name)
  if (wrong.length === 0) return ok(0)
  return fail('unhealthy', { kind: 'unhealthy', checks: wrong })
}

function restoring(input: Input): Result<number> {
  const paths = pathsFrom(input.env)
  const now = Date.now()
  const restored = restoreStore(paths, now)
  if (!restored.ok) return restored
  outFor<'restored'>(input, restored.value, restoredLines(restored.value, paths, now).join('\n'))
  return ok(0)
}

async function machine(env: NodeJS.ProcessEnv): Promise<Check[]> {
  const looks = [
    examined('node', nodeCheck),
    examined('git', () => gitCheck(env)),
    examined('programs', () => toolsCheck(env)),
    examined('containment', () => containmentCheck(env)),
    examined('sandbox', () => sandboxCheck(env)),
    examined('agents', () => agentsCheck(env)),
  ]
  return (await Promise.all(looks)).flat()
}

async function disk(env: NodeJS.ProcessEnv): Promise<Check[]> {
  const paths = pathsOrNull(env)
  if (!paths) {
    return [
      bad('data directory', 'this user has no home directory', 'Set HOME or XDG_DATA_HOME to a directory.'),
    ]
  }
  let lastEnd: number | null = null
  const store = async () => {
    const health = storeHealth(paths, Date.now())
    lastEnd = health.lastEnd
    return health.checks
  }
  return [
    ...(await examined('configuration', () => configCheck(paths))),
    ...(await examined('data directory', () => directoryCheck(paths))),
    ...(await examined('permissions', () => permissionsCheck(paths))),
    ...(await examined('disk space', () => spaceCheck(paths))),
    ...(await examined('hosts', () => hostsCheck(paths))),
    ...(await examined('store', store)),
    ...(await examined('backups', () => backupsCheck(paths, lastEnd, Date.now()))),
    ...(await examined('checkpoints', () => checkpointsCheck(paths))),
    ...(await examined('working copies', () => copiesCheck(paths))),
  ]
}

/** Checks about the current directory, and about loopd. */
async function place(env: NodeJS.ProcessEnv): Promise<Check[]> {
  const tree = directoryHere()
  const paths = pathsOrNull(env)
  const gone = bad('directory', 'the current directory is gone', 'Change to one that exists: cd')
  const here = tree !== null && paths ? { tree, paths, env } : null
  const holds = async () => {
    const marker = here && markerAt(here)
    return pluginsCheck(env, marker && isUnderWay(marker) ? (marker.loop.id ?? 'the loop here') : null)
  }
  return [
    ...(tree === null ? [gone] : []),
    ...(tree === null ? [] : await examined('project', () => projectCheck(tree, env))),
    ...(await examined('plugins', holds)),
    ...(here ? await examined('session loop', () => sessionChecks(here)) : []),
    ...(paths ? await examined('loopd', () => daemonCheck(paths, env)) : []),
  ]
}

function pathsOrNull(env: NodeJS.ProcessEnv): Paths | null {
  try {
    return pathsFrom(env)
  } catch {
    return null // no HOME, and no entry for this user on the system
  }
}

function failed({ status }: Check): boolean {
  return status === 'fail'
}

const styles = { ok: 'green', warn: 'yellow', fail: 'red' } as const

function lines(checks: Check[], terminal: Terminal): string[] {
  const width = Math.max(...checks.map(({ name }) => name.length))
  return checks.flatMap(({ name, status, found, next }) => [
    `${paint(terminal, styles[status], status.padEnd(4))}  ${name.padEnd(width)}  ${safeLine(found)}`,
    ...(next === null ? [] : [`${' '.repeat(width + 8)}→ ${safeLine(next)}`]),
  ])
}

export default doctor

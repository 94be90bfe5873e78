/**
 * Checks the session loop of the current directory: its state file, task list and limit, in the order of the
 * troubleshooting lists. It reads what the hook would read, by the same rules, and changes nothing.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readPlain } from '../../adapters/tree-file.ts'
import { hasSame, openClaims, parseStateFile, type StateFile } from '../../core/session/state-file.ts'
import { isOver, stuckLimit } from '../../core/session/stop.ts'
import { blockedCycle, openTasks } from '../../core/session/tasks.ts'
import { markerFor } from '../../hooks/situation.ts'
import { listDir, tasksIn } from '../../hooks/task-list.ts'
import { count } from '../../model/units.ts'
import { version } from '../../model/version.ts'
import type { Paths } from '../../store/files/paths.ts'
import { isUnderWay, type Marker, readMarkers } from '../../store/files/session-marker.ts'
import { claudePlugins, isOurs, openCodeLink } from '../plugin-files.ts'
import { sessionHere } from '../session/begin.ts'
import { type Check, good, warn } from './check.ts'
import { programOnPath } from './machine.ts'

/** The current directory: `tree` with its links resolved. */
type Place = { tree: string; paths: Paths; env: NodeJS.ProcessEnv }

/** The loop to which a session is or was held here. */
export function markerAt({ tree, paths, env }: Place): Marker | null {
  return markerFor(readMarkers(paths), sessionHere(env), [tree])
}

export function sessionChecks(place: Place): Check[] {
  const marker = markerAt(place)
  const underWay = marker && isUnderWay(marker) ? marker : null
  return [
    ...(marker ? [loopCheck(marker)] : []),
    ...stateCheck(place, underWay),
    ...taskChecks(place, underWay),
  ]
}

function nameOf({ loop }: Marker): string {
  return loop.id === null ? (loop.run ?? 'the loop of .loop/state.json') : `loop ${loop.id}`
}

function loopCheck(marker: Marker): Check {
  const { status, maxIterations, criteria } = marker.loop
  const what = 'session loop'
  if (!isUnderWay(marker)) {
    return warn(
      what,
      `${nameOf(marker)} is ${status}: no session is held to it`,
      'Go on with: loop resume --session',
    )
  }
  const criteriaWords = criteria.length === 1 ? 'one criterion' : `${criteria.length} criteria`
  const found = `${nameOf(marker)} is under way, with ${criteriaWords}`
  if (maxIterations !== null) return good(what, `${found}, for at most ${count(maxIterations, 'iteration')}`)
  return warn(what, `${found}, without a limit of iterations`, 'Give it one: loop resume --session -n 20')
}

const restored = 'The next stop of the session writes it again; to end the loop: loop cancel --session'

function stateCheck({ tree }: Place, marker: Marker | null): Check[] {
  const what = 'state file'
  const path = join(marker?.loop.tree ?? tree, '.loop')
  const found = readPlain(path, 'state.json')
  if (found === 'absent') {
    if (!marker) return []
    return [warn(what, `${path}/state.json is gone, though ${nameOf(marker)} is under way`, restored)]
  }
  const file = found === 'broken' ? null : parseStateFile(found.text)
  if (!file) {
    const words = `${path}/state.json is not what it should be (no valid JSON, or no file)`
    if (marker) return [warn(what, `${words}: nothing that the session says in it counts`, restored)]
    return [warn(what, `${words}: a session here is not held by it`, 'Mend or remove it.')]
  }
  if (file.driven) return [good(what, `${path}/state.json, of a loop that loop drives itself`)]
  const problem = problemOf(file, marker)
  return [problem ? warn(what, problem.found, problem.next) : good(what, `${path}/state.json is sound`)]
}

/** What keeps the session from ending, or releases it too early. */
function problemOf(file: StateFile, marker: Marker | null): { found: string; next: string } | null {
  const ownNames = new Set([...(file.criteria ?? []), ...file.claims.keys()])
  const expected = marker ? marker.loop.criteria.map(({ name }) => name) : [...ownNames]
  const open = openClaims(file, expected)
  if (isOver(file.status)) {
    if (!marker) return unmetEnd(file, open) ?? stuckEnd(file, open)
    const found = `it says "${file.status}", though ${nameOf(marker)} is under way: the next stop lets the session go, and completes nothing`
    return { found, next: 'Set status to "in_progress".' }
  }
  if (file.stuckCount >= stuckLimit) {
    const found = `stuckCount is ${file.stuckCount}: the next stop pauses the loop; open: ${open.join(', ') || 'nothing'}`
    return { found, next: lookAtIt }
  }
  if (marker && !hasSame(file, expected)) {
    return { found: 'its criteria are not those that were set up', next: `They are: ${expected.join(', ')}` }
  }
  const unmet = unmetEnd(file, open)
  if (unmet) return unmet
  if (!file.exitSignal && open.length === 0 && expected.length > 0) {
    const found =
      'every criterion is claimed, but exit_signal is not true: the session is sent back again and again'
    return { found, next: 'Set exit_signal to true; loop then runs the promise itself.' }
  }
  return null
}

/** A session that ended by such a file ended too early. */
function unmetEnd(
  { exitSignal }: StateFile,
  open: readonly string[],
): { found: string; next: string } | null {
  if (!exitSignal || open.length === 0) return null
  const found = `exit_signal is true, but not claimed as met: ${open.join(', ')}`
  return { found, next: 'Set exit_signal to true only when every criterion is verified.' }
}

const lookAtIt = 'Look at that criterion and its command, then: loop resume --session'

function stuckEnd(
  { stuckCount }: StateFile,
  open: readonly string[],
): { found: string; next: string } | null {
  if (stuckCount < stuckLimit || open.length === 0) return null
  return { found: `it ended with stuckCount ${stuckCount}; open: ${open.join(', ')}`, next: lookAtIt }
}

function taskChecks({ env, paths }: Place, marker: Marker | null): Check[] {
  const what = 'task list'
  const named = env['CLAUDE_CODE_TASK_LIST_ID']
  const session = named ?? sessionHere(env) ?? marker?.loop.session
  const bound = named ? null : (marker?.loop.taskList ?? null)
  const dir = bound ?? (session ? listDir(session, env) : null)
  if (dir === null) return []
  if (!existsSync(dir)) {
    if (!named) return []
    const next = 'Make a task in the session, or set the variable to a list that is there.'
    return [warn(what, `CLAUDE_CODE_TASK_LIST_ID names "${named}", and there is no ${dir}`, next)]
  }
  const tasks = tasksIn(dir, paths)
  const cycle = blockedCycle(tasks)
  if (cycle) {
    const words = cycle.map((id, i) => `#${id} waits for #${cycle[(i + 1) % cycle.length]}`).join(', ')
    return [warn(what, `${words}: none of them can begin`, 'Take one of them out of blockedBy.')]
  }
  return [good(what, `${dir}: ${count(tasks.length, 'task')}, ${openTasks(tasks).length} open`)]
}

/** `holds`: a session is held to a loop here, which needs a plugin. */
export async function pluginsCheck(env: NodeJS.ProcessEnv, holds: string | null): Promise<Check[]> {
  const checks = [...(await claudeCheck(env)), ...openCodeCheck(env)]
  if (holds === null || checks.some(({ found }) => !found.startsWith(notInstalled))) return checks
  const found = `${notInstalled}: nothing holds a session to ${holds}`
  return [warn('plugin', found, 'loop plugin install claude; or: loop plugin install opencode')]
}

const notInstalled = 'not installed'

async function claudeCheck(env: NodeJS.ProcessEnv): Promise<Check[]> {
  const what = 'plugin claude'
  if (!programOnPath('claude', env)) return []
  const found = await claudePlugins(env)
  const again = 'Put it in again with: loop plugin install claude'
  if (!found) return [warn(what, 'Claude Code does not say which plugins it has', again)]
  if (found.length === 0)
    return [good(what, `${notInstalled}; for loops inside a session: loop plugin install claude`)]
  const old = found.find(plugin => plugin.version !== version)
  if (old) return [warn(what, `${old.version} (${old.scope}), and this is loop ${version}`, again)]
  const off = found.find(({ enabled }) => !enabled)
  if (off)
    return [warn(what, `switched off (${off.scope})`, 'Switch it on with: claude plugin enable loop@loop')]
  const broken = found.find(({ wrong }) => wrong !== '')
  if (broken) return [warn(what, `not loaded (${broken.scope}): ${broken.wrong}`, again)]
  if (!programOnPath('loop', env)) {
    return [
      warn(what, 'its commands call loop, which is not on the PATH', 'Install it: npm install -g loopd'),
    ]
  }
  return [good(what, found.map(({ scope, version: is }) => `${is} (${scope})`).join(', '))]
}

function openCodeCheck(env: NodeJS.ProcessEnv): Check[] {
  const what = 'plugin opencode'
  return (['user', 'project'] as const).flatMap(scope => {
    const link = openCodeLink({ scope, input: { env } })
    if (!isOurs(link)) return []
    if (existsSync(link)) return [good(what, link)]
    return [warn(what, `${link} leads nowhere`, 'Put it in again with: loop plugin install opencode')]
  })
}

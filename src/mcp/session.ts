/**
 * The session that `loop mcp` serves, if there is one: its loop, its task list, and its state file, into which a
 * report is written as a claim. The hook checks the claim when the session stops.
 */
import { join } from 'node:path'
import { putInLoopDirectory } from '../adapters/tree-file.ts'
import { type StateFile, stateFileText } from '../core/session/state-file.ts'
import { currentTask, openTasks } from '../core/session/tasks.ts'
import { someFields } from '../documents/fields.ts'
import { lookAround, type Seen } from '../hooks/situation.ts'
import { fail, ok, type Result } from '../model/failure.ts'
import { pathsFrom } from '../store/files/paths.ts'
import type { ToolAnswer, ToolCall } from './contract.ts'

/** The place of a server; `session`: its session, if the host program names it. */
export type McpPlace = { env: NodeJS.ProcessEnv; cwd: string; session: string | null }

export function lookHere({ env, cwd, session }: McpPlace): Seen {
  const nothing = { again: false, subagents: false, costUsd: null, tasks: null }
  const place = { paths: pathsFrom(env), env }
  const seen = lookAround({ ...place, asked: { session: session ?? '', cwd, ...nothing } })
  const bound = seen.marker?.loop.session
  // The host program does not name the session: the session of this directory's loop is used.
  if (session !== null || !bound) return seen
  return lookAround({ ...place, asked: { session: bound, cwd, ...nothing } })
}

export function tasksHere(place: McpPlace): Result<ToolAnswer<'tasks'>> {
  const { situation } = lookHere(place)
  const { tasks, loop, session } = situation
  if (session === '' && !place.env['CLAUDE_CODE_TASK_LIST_ID']) {
    return fail('not-allowed', { kind: 'no-session' })
  }
  return ok({
    session: session === '' ? null : session,
    run: loop?.run ?? null,
    tasks: tasks.map(task => someFields(task, 'id', 'subject', 'description', 'status', 'blockedBy')),
    current: currentTask(tasks)?.id ?? null,
    open: openTasks(tasks).length,
  })
}

type Claim = Omit<ToolCall<'report'>, 'loop'>

/** Writes the claim into the session's state file, beside the existing ones. */
export function writeClaim(place: McpPlace, id: string, claim: Claim): Result<null> {
  const { marker, situation } = lookHere(place)
  if (marker?.loop.id !== id) return ok(null)
  const file = situation.file === 'broken' ? null : situation.file
  const { tree, spec, criteria } = marker.loop
  const rows = criteria.map(({ name }) => ({
    name,
    met: name === claim.criterion ? claim.met : file?.claims.get(name)?.met === true,
  }))
  const text = stateFileText({ spec, loop: id, status: file?.status || 'in_progress', criteria: rows }, file)
  const dir = join(tree, '.loop')
  if (putInLoopDirectory(dir, 'state.json', withExit(text, file, claim))) return ok(null)
  return fail('system', { kind: 'not-claimable', dir })
}

function withExit(text: string, file: StateFile | null, { met, exit_signal }: Claim): string {
  const wants = met && (exit_signal ?? file?.exitSignal ?? false)
  return `${JSON.stringify({ ...(JSON.parse(text) as object), exit_signal: wants }, null, 2)}\n`
}

/**
 * The session that `loop mcp` serves, where it serves one: its loop, its task list, and its state file, in which a
 * report stands as the claim it is. What is so is for the hook to find out when the session stops.
 */
import { join } from 'node:path'
import { putInLoopDirectory } from '../adapters/tree-file.ts'
import { type StateFile, stateFileText } from '../core/session/state-file.ts'
import { currentTask, openTasks } from '../core/session/tasks.ts'
import { lookAround, type Seen } from '../hooks/situation.ts'
import { fail, ok, type Result } from '../model/failure.ts'
import { pathsFrom } from '../store/files/paths.ts'
import type { ToolAnswer, ToolCall } from './contract.ts'

/** Where a server stands; `session`: whose it is, where its host says so. */
export type McpPlace = { env: NodeJS.ProcessEnv; cwd: string; session: string | null }

export function lookHere({ env, cwd, session }: McpPlace): Seen {
  const nothing = { again: false, subagents: false, costUsd: null, tasks: null }
  const place = { paths: pathsFrom(env), env }
  const seen = lookAround({ ...place, asked: { session: session ?? '', cwd, ...nothing } })
  const bound = seen.marker?.loop.session
  // A host that does not say whose server this is: the session of the loop that lies here.
  if (session !== null || !bound) return seen
  return lookAround({ ...place, asked: { session: bound, cwd, ...nothing } })
}

export function tasksHere(place: McpPlace): Result<ToolAnswer<'tasks'>> {
  const { situation } = lookHere(place)
  const { tasks, loop, session } = situation
  if (session === '' && !place.env['CLAUDE_CODE_TASK_LIST_ID']) {
    return fail(
      'not-allowed',
      'This server knows no session, so no task list. It is known in a session of Claude Code, and where a loop was set up with: loop init, loop start --session',
    )
  }
  return ok({
    session: session === '' ? null : session,
    run: loop?.run ?? null,
    tasks: tasks.map(({ id, subject, description, status, blockedBy }) => ({
      id,
      subject,
      description,
      status,
      blockedBy,
    })),
    current: currentTask(tasks)?.id ?? null,
    open: openTasks(tasks).length,
  })
}

type Claim = Omit<ToolCall<'report'>, 'loop'>

/** The claim, in the state file of a session, beside those that are there. */
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
  return fail(
    'system',
    `The report is kept, but ${dir} is not a directory, so it cannot be claimed there. Move it away.`,
  )
}

function withExit(text: string, file: StateFile | null, { met, exit_signal }: Claim): string {
  const wants = met && (exit_signal ?? file?.exitSignal ?? false)
  return `${JSON.stringify({ ...(JSON.parse(text) as object), exit_signal: wants }, null, 2)}\n`
}

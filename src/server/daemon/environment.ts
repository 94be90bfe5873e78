/** The environment each loop of the background was started with: kept in its directory until it has completed. */
import { readFileSync, rmSync } from 'node:fs'
import { hasHookLeft } from '../../core/loop/parts/hook.ts'
import type { State } from '../../core/loop/state.ts'
import type { GroupRecorded } from '../../model/group/event.ts'
import type { Recorded } from '../../model/loop/event.ts'
import { envFile, type Paths } from '../../store/files/paths.ts'
import type { Log } from './log.ts'

type Keeper = { paths: Paths; env: NodeJS.ProcessEnv; log: Log }

/** What the loop was started with: the agent of a user lives in their shell, not in that of loopd. */
export function environmentOf({ paths, env, log }: Keeper, loop: string): NodeJS.ProcessEnv {
  const file = envFile(paths, loop)
  try {
    const stored: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (typeof stored === 'object' && stored !== null) return stored as NodeJS.ProcessEnv
    log.warn({ loop, file }, 'not an environment; that of loopd is used')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // What may pass (no files left to open) must not let an agent run in another environment.
    if (code !== undefined && code !== 'ENOENT') throw error
    if (code === undefined)
      log.warn({ loop, err: error }, 'its environment is damaged; that of loopd is used')
  }
  return env
}

/** A loop that has completed cannot be resumed, so nobody needs it once its hook is over; it may hold secrets. */
export function forgetEnvironment({ paths, log }: Keeper, { kind, loop }: Recorded, state: State): void {
  const mayBeOver = kind === 'loop.completed' || kind === 'hook.ended' || kind === 'hook.cancelled'
  if (!mayBeOver || state.turn.outcome?.kind !== 'completed' || hasHookLeft(state)) return
  remove({ paths, log }, loop)
}

/** The same of a group; its hooks are nodes of it, which are over. */
export function forgetGroup(keeper: Pick<Keeper, 'paths' | 'log'>, { kind, loop }: GroupRecorded): void {
  if (kind === 'group.completed') remove(keeper, loop)
}

function remove({ paths, log }: Pick<Keeper, 'paths' | 'log'>, loop: string): void {
  try {
    rmSync(envFile(paths, loop), { force: true })
  } catch (error) {
    log.warn({ loop, err: error }, 'its environment cannot be removed')
  }
}

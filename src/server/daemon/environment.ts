/** The environment with which each background loop was started: kept in its directory until it has completed. */
import { readFileSync, rmSync } from 'node:fs'
import { type Folds, folds, type JournalKind, type KindsOf, known } from '../../core/folds.ts'
import type { Told } from '../../engine/feed.ts'
import type { Store } from '../../store/contract.ts'
import { envFile, type Paths } from '../../store/files/paths.ts'
import type { Log } from './log.ts'

type Keeper = { paths: Paths; env: NodeJS.ProcessEnv; log: Log }

/** The environment of the loop's start: a user's agent is configured in their shell, not in that of loopd. */
export function environmentOf({ paths, env, log }: Keeper, loop: string): NodeJS.ProcessEnv {
  const file = envFile(paths, loop)
  try {
    const stored: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (typeof stored === 'object' && stored !== null) return stored as NodeJS.ProcessEnv
    log.warn({ loop, file }, 'not an environment; that of loopd is used')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // After a temporary error (no file descriptors left) an agent must not run in another environment.
    if (code !== undefined && code !== 'ENOENT') throw error
    if (code === undefined)
      log.warn({ loop, err: error }, 'its environment is damaged; that of loopd is used')
  }
  return env
}

/** Events after which a journal can be over; the hooks of a group are nodes, which have ended. */
const lastKinds = ['loop.completed', 'hook.ended', 'hook.cancelled', 'group.completed']

/** What has completed cannot be resumed, so its environment is not needed after its hook; it can hold secrets. */
export function forgetEnvironment(
  { paths, log }: Keeper,
  { kind, event, state }: Told<KindsOf[JournalKind]>,
): void {
  if (!lastKinds.includes(event.kind)) return
  const { loop } = event
  const head = known<Folds[string]>(folds, kind)?.summarize(state)
  if (head?.status !== 'completed' || head.unfinished) return
  try {
    rmSync(envFile(paths, loop), { force: true })
  } catch (error) {
    log.warn({ loop, err: error }, 'its environment cannot be removed')
  }
}

type KeptEnvironment = { loop: string; at: number; env: NodeJS.ProcessEnv }

/** The number of the tree's newest loops that are looked at. */
const mostAsked = 50

/**
 * The environment last kept for a work tree: that of its newest background loop or group. A caller of the API has no
 * shell, and an environment is kept until its loop has completed.
 */
export function keptEnvironment(store: Store, tree: string): KeptEnvironment | null {
  const { summaries } = store.heads.briefs({ all: {} })
  for (const { id, createdAt } of summaries.filter(({ cwd }) => cwd === tree).slice(0, mostAsked)) {
    const env = environmentIn(envFile(store.paths, id))
    if (env) return { loop: id, at: createdAt, env }
  }
  return null
}

/** Null if there is none, or it is invalid. */
function environmentIn(file: string): NodeJS.ProcessEnv | null {
  try {
    const stored: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return typeof stored === 'object' && stored !== null ? (stored as NodeJS.ProcessEnv) : null
  } catch {
    return null
  }
}

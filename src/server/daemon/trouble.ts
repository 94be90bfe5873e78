/**
 * The loops that loopd cannot drive, with the reasons in words. Damage and bugs concern one loop, which is left to
 * its user. A full or read-only disk stalls many at once: that is one problem, reported once if it lasts, and each
 * loop is tried again until it can be written; agents continue meanwhile.
 */

import { failureWords } from '../../failures/words.ts'
import type { Failure } from '../../model/failure.ts'
import { isStoreError, unusable } from '../../store/failures.ts'
import type { Paths } from '../../store/files/paths.ts'
import { daemonWords } from '../../views/words/daemon.ts'
import { note, type Upkeep } from './upkeep.ts'

type Trouble = { loop: string | null; cause: unknown; givenUp: boolean }

/** The loops (or the store itself) that wait for a temporary problem. */
export type Stalled = { names: Set<string>; since: number; why: string; told: boolean }

export const notStalled = (): Stalled => ({ names: new Set(), since: 0, why: '', told: false })

type Troubled = Upkeep & { stalled: Stalled }

const itself = 'the store'
/** A shorter problem is not reported. */
const lastsMs = 10_000

export function troubleOf(daemon: Troubled, { loop, cause, givenUp }: Trouble): void {
  const { log, paths, stalled } = daemon
  const failure = cause instanceof Error ? describe(paths, cause) : (cause as Failure)
  const why = failureWords(failure)
  const words = daemonWords.notDriven(loop === null ? itself : `loop ${loop}`, why)
  log.error({ loop, reason: failure.reason, givenUp, err: cause instanceof Error ? cause : undefined }, words)
  if (!givenUp || loop === null) {
    if (stalled.names.size === 0) Object.assign(stalled, { since: performance.now(), told: false })
    stalled.names.add(loop ?? itself)
    stalled.why = why
    return say(daemon)
  }
  stalled.names.delete(loop)
  note(daemon, `loop ${loop}`, words)
  const at = Date.now()
  const title = `loop ${loop} cannot be driven`
  const { reason } = failure
  daemon.notices.tell({ reason, message: why, id: `${loop}:driven:${at}`, at, title, level: 'error', loop })
}

/** The loop, or with null the store itself, can be driven again. */
export function mended(daemon: Troubled, loop: string | null): void {
  if (!daemon.stalled.names.delete(loop ?? itself)) return
  daemon.log.info({ loop }, 'it can be driven again')
  say(daemon)
}

/** Reports a lasting problem, once. */
export function tellStalled(daemon: Troubled): void {
  const { stalled } = daemon
  if (stalled.names.size === 0 || stalled.told || performance.now() - stalled.since < lastsMs) return
  stalled.told = true
  const at = Date.now()
  const title = 'loopd: loops cannot go on'
  daemon.notices.tell({
    id: `loopd:stalled:${at}`,
    at,
    title,
    message: stalled.why,
    level: 'error',
    loop: null,
    reason: 'store-unavailable',
  })
}

/**
 * An uncaught exception or rejection. Its stack is in the log and `loopd status` shows it; the same one is reported
 * once. It belongs to one callback or promise, so ending loopd would make every loop pay for it.
 */
export function goOnAfter(daemon: Troubled, error: unknown): void {
  const what = error instanceof Error ? error.message : String(error)
  const words = daemonWords.bug(what)
  if (daemon.problems.get('bug') === words) return
  daemon.log.error({ err: error }, words)
  daemon.problems.set('bug', words)
}

function say(daemon: Troubled): void {
  const { names, why } = daemon.stalled
  const loops = [...names].filter(name => name !== itself)
  note(daemon, 'stalled', names.size === 0 ? null : daemonWords.stalled(why, loops))
}

function describe(paths: Paths, error: NodeJS.ErrnoException): Failure {
  if (isStoreError(error)) return unusable(paths, error).failure
  const { message: why } = error
  return { reason: error.syscall ? 'system' : 'internal', facts: { kind: 'broken', why } }
}

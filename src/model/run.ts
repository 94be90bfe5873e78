/**
 * A run of a command as seen from outside: the files that it left, and whether it is alive. The adapter that
 * looks (adapters/process) and the rules that conclude (core/loop/recover, core/loop/verdict) share these
 * types.
 */
import type { Spec } from './loop/spec.ts'

export type RunFiles = {
  claimed: boolean
  exited: boolean
  alive: boolean
}

export const containments = ['namespace', 'user-namespace', 'group'] as const

export type Containment = (typeof containments)[number]

/** A process, identified by pid and start time: a pid alone proves nothing, since pids are reused. */
export type ProcessIdentity = { pid: number; start: number }

/**
 * The identity of a run. It is read once from the run's files and then kept in the journal, so later changes of
 * the files by an agent have no effect.
 */
export type RunIdentity = {
  shim: ProcessIdentity
  /** The process to signal; null if the run ended before its pid was known. */
  inner: ProcessIdentity | null
  /** The pid of the command's own process as seen inside the run; it names the process's session. */
  child: number
  boot: string
  ns: string
  mode: Containment
  /** Whether the run holds a lock on its claim file while it lives. */
  locked: boolean
  /** Whether the process was seen and matches the files; if not, all processes are searched for the run's mark. */
  verified: boolean
}

/** The shim's record of the command's end. */
export type Exit = { code: number; timedOut: boolean; durationMs: number }

/** The working directory of a loop's commands: the path of the tree, at which its working copy may be mounted. */
export function runsIn({ cwd, copy }: Pick<Spec, 'cwd' | 'copy'>): string {
  return copy?.mounts ? copy.tree : cwd
}

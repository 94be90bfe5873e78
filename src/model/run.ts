/**
 * What a run of a command looks like from outside: the files it left and whether it is alive.
 * Shared by the adapter that looks (adapters/process) and the rules that conclude (core/loop/recover, core/loop/verdict).
 */
import type { Spec } from './loop/spec.ts'

export type RunFiles = {
  claimed: boolean
  exited: boolean
  alive: boolean
}

export const containments = ['namespace', 'user-namespace', 'group'] as const

export type Containment = (typeof containments)[number]

/** A pid alone is never believed, since pids are used again. */
export type ProcessIdentity = { pid: number; start: number }

/**
 * Who a run is, read once from its files and then kept in the journal: what an agent does to the files
 * afterwards changes nothing.
 */
export type RunIdentity = {
  shim: ProcessIdentity
  /** The process to signal; null when the run ended before it could be learned. */
  inner: ProcessIdentity | null
  /** The command's own process as numbered inside the run, for its session. */
  child: number
  boot: string
  ns: string
  mode: Containment
  /** Whether the claim is locked while the run lives. */
  locked: boolean
  /** Whether the process was seen to be what the files say; else its marker is looked for everywhere. */
  verified: boolean
}

/** What the shim wrote when the command ended. */
export type Exit = { code: number; timedOut: boolean; durationMs: number }

/** Where the commands of a loop stand: at the path of the tree, where its working copy is mounted there. */
export function runsIn({ cwd, copy }: Pick<Spec, 'cwd' | 'copy'>): string {
  return copy?.mounts ? copy.tree : cwd
}

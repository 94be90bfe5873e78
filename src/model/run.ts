/**
 * What a run of a command looks like from outside: the files it left and whether it is alive.
 * Shared by the adapter that looks (adapters/process) and the rules that conclude (core/recover, core/verdict).
 */

export type RunFiles = {
  claimed: boolean
  exited: boolean
  alive: boolean
}

/** What the shim wrote when the command ended. */
export type Exit = { code: number; timedOut: boolean; durationMs: number }

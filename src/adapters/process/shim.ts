/**
 * Starts the shim of a run: what the command is, where it runs, what is around it, and how long it may take. It waits
 * for nothing (adapters/process/run does).
 */
import type { ChildProcess } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import type { Mount } from '../../model/loop/spec.ts'
import type { Here, SandboxLayer } from '../../platform/contract.ts'
import { platform } from '../../platform/platform.ts'
import { held } from '../network/guard.ts'
import { wayOut } from '../network/way-out.ts'
import { containment } from './contain.ts'

/** `reach`: the hosts that it may reach; null: the network is open. */
export type Sandboxed = { layers: readonly SandboxLayer[]; reach: readonly string[] | null }

export type Launch = {
  dir: string
  cwd: string
  argv: string[]
  /** What the command can read from its file 4. */
  passed?: string
  /** Made in the mount namespace of the run; `cwd` is then a path in that namespace. */
  mounts?: readonly Mount[] | undefined
  /** The command runs in a sandbox, or not at all. */
  sandbox?: Sandboxed | undefined
  env: NodeJS.ProcessEnv
  timeoutMs: number
  /** Between the first signal and KILL. */
  graceMs: number
  /** A signal to send first; TERM follows within the same grace. */
  stopSignal?: 'INT' | undefined
  /** Put into the environment of the command, in front of older marks: a loop may run inside a loop. */
  marker: string
  /** The variable of the mark. `LOOP_HOOK`: the command acts for the user, and is no run of an agent. */
  mark?: 'LOOP_HOOK'
}

/** The share of the grace that a command has for its own stop signal, before it gets TERM. */
const firstShare = 0.6

export function spawnShim(run: Launch, here: Here): ChildProcess {
  const { dir, cwd, argv, timeoutMs, mounts = null } = run
  const { layers = null, reach = null } = run.sandbox ?? {}
  const sandbox = layers && { layers, network: reach && wayOut(reach, dir) }
  // The grace is for both signals together.
  const firstMs = run.stopSignal ? run.graceMs * firstShare : 0
  const mark = run.mark ?? 'LOOP_RUN'
  // Created here with these permissions: the command has the umask of the user.
  for (const name of ['out', 'err']) closeSync(openSync(join(run.dir, name), 'a', 0o600))
  const log = openSync(join(run.dir, 'shim'), 'a', 0o600)
  const env = {
    ...(reach ? held(run.env) : run.env),
    [mark]: [run.marker, run.env[mark]].filter(Boolean).join(' '),
    LOOP_STOP: run.stopSignal && `${run.stopSignal} ${(firstMs / 1_000).toFixed(3)}`,
  }
  const mode = containment(run.env)
  const graceMs = run.graceMs - firstMs
  try {
    return platform.runs.spawnShim({
      mode,
      here,
      dir,
      cwd,
      argv,
      passed: run.passed ?? null,
      mounts,
      sandbox,
      env,
      timeoutMs,
      graceMs,
      log,
    })
  } finally {
    closeSync(log)
  }
}

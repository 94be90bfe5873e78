/**
 * Starts the shim of a run, in a PID namespace wherever the system permits one: nothing a process does takes it out
 * of its namespace, so that with the first process of the namespace all others are gone. What is permitted cannot be
 * known without trying.
 */
import type { ChildProcess } from 'node:child_process'
import { closeSync, existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import { childProcesses } from '../child-processes.ts'
import type { RunContainment, RunSandbox, Runs, ShimStart } from '../contract.ts'
import { withoutInherited } from './inherited-files.ts'
import { entering } from './namespaces.ts'
import { mounting, mountRights, prepareOverlay } from './run-mounts.ts'
import { ownPlaces, sandboxing, sandboxRights } from './sandbox.ts'

const shim = join(import.meta.dirname, 'shim.sh')

export const runs: Runs = {
  strongest,
  spawnShim,
  mountRights,
  prepareOverlay,
  sandboxRights,
  ownPlaces,
}

function strongest(): RunContainment {
  const works = (mode: RunContainment) => {
    const [program = '', ...args] = [...entering(mode), 'true']
    return childProcesses().spawnSync(program, args, { stdio: 'ignore' }).status === 0
  }
  if (process.getuid?.() === 0 && works('namespace')) return 'namespace'
  return works('user-namespace') ? 'user-namespace' : 'group'
}

function spawnShim(start: ShimStart): ChildProcess {
  const { mode, here, mounts, sandbox, log } = start
  const seconds = (ms: number) => (ms / 1_000).toFixed(3)
  const limits = [seconds(start.timeoutMs), seconds(start.graceMs)]
  const argv = sandbox ? inSandbox({ ...start, sandbox }) : start.argv
  const command = mounts ? mounting(mode, { ...start, argv, mounts }) : argv
  const args = [shim, mode, start.dir, ...limits, here.boot, here.ns, '--', ...command]
  const [program = '', ...rest] = [...entering(mode, mounts !== null), '/bin/sh', ...args]
  // The shim gets this as its file 3: inside a namespace it cannot see its own pid outside.
  const proc = openSync('/proc', 'r')
  const nothing = openSync('/dev/null', 'r')
  try {
    const child = childProcesses().spawn(program, rest, {
      cwd: mounts ? '/' : start.cwd,
      env: start.env,
      detached: true,
      stdio: withoutInherited(
        ['ignore', 'ignore', log, proc, ...(start.passed === null ? [] : ['pipe' as const])],
        nothing,
      ),
    })
    if (start.passed !== null) pass(child, start.passed)
    return child
  } finally {
    for (const file of [proc, nothing]) closeSync(file)
  }
}

function pass(child: ChildProcess, text: string): void {
  const file = child.stdio[4] as Writable
  file.on('error', () => undefined) // the shim has ended: its exit says so
  // Closed as soon as the system has it: the shim keeps its end open, and this program would wait for it.
  file.end(text, () => file.destroy())
}

function inSandbox({ sandbox, dir, cwd, argv }: ShimStart & { sandbox: RunSandbox }): string[] {
  const prompt = join(dir, 'prompt')
  const input = existsSync(prompt) ? prompt : '/dev/null'
  return sandboxing({ ...sandbox, cwd, argv, path: process.env['PATH'] ?? '', input, dir })
}

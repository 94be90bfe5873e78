/**
 * Is this process part of a run of a loop: its agent, its promise, or anything these have started? Every process of a
 * run has the variable `LOOP_RUN` in its environment. A child may remove it from its own, so the environments of its
 * ancestors are checked too, and that of process 1, which in a PID namespace is the shim of the run.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { platform } from '../../platform/platform.ts'

/** A longer chain of parents must be circular: pids were used again while it was followed. */
const mostAncestors = 100

/**
 * The id of the loop whose run this is; null outside of every run. Only loops of this store count, whose directories
 * are in `loops`: a project that uses loop may have tests with a store of their own, and be worked on by a loop.
 */
export function loopAround(env: NodeJS.ProcessEnv, loops: string): string | null {
  for (const marks of valuesAround(env, 'LOOP_RUN')) {
    const found = idsIn(marks).find(id => existsSync(join(loops, id)))
    if (found !== undefined) return found
  }
  return null
}

/** The values of a variable in this environment, in that of each ancestor and in that of process 1; innermost first. */
export function* valuesAround(env: NodeJS.ProcessEnv, name: string): Generator<string> {
  if (env[name]) yield env[name]
  for (const pid of [...ancestors(), 1]) {
    const value = platform.processes.variable(pid, name)
    if (value) yield value
  }
}

/** Was this program started, by however many others, by one with such an argument? */
export function hasAncestorWith(argument: (text: string) => boolean): boolean {
  return [...ancestors()].some(pid => platform.processes.argv(pid).some(argument))
}

function* ancestors(): Generator<number> {
  let pid = process.ppid
  for (let i = 0; pid > 1 && i < mostAncestors; i += 1) {
    yield pid
    pid = platform.processes.find(pid)?.ppid ?? 0
  }
}

/** `a1b2c3/runs/1 x9y8z7/runs/4` → the two ids, innermost first. */
function idsIn(marks: string): string[] {
  return marks.split(' ').flatMap(mark => /^([a-z0-9]{1,20})\//.exec(mark)?.[1] ?? [])
}

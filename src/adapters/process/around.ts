/**
 * Whether this process stands inside a run of a loop: its agent, its promise, or anything they have started. Every
 * process of a run carries the mark `LOOP_RUN`. A child may drop it from its own environment, so that of its
 * ancestors is looked at too, and that of process 1, which in a PID namespace is the shim of the run.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { procOf, variableOf } from './proc.ts'

/** A chain of parents that is longer than this has a loop in it. */
const mostAncestors = 100

/**
 * The id of the loop whose run this is; null outside of every run. Only loops of this store count (`loops` is the
 * directory of theirs): the tests of a program that uses loop, run by a loop, have a store of their own.
 */
export function loopAround(env: NodeJS.ProcessEnv, loops: string): string | null {
  for (const marks of valuesAround(env, 'LOOP_RUN')) {
    const found = idsIn(marks).find(id => existsSync(join(loops, id)))
    if (found !== undefined) return found
  }
  return null
}

/** What a variable is in this environment, in that of each ancestor, and in that of process 1; innermost first. */
export function* valuesAround(env: NodeJS.ProcessEnv, name: string): Generator<string> {
  if (env[name]) yield env[name]
  for (const pid of [...ancestors(), 1]) {
    const value = variableOf(pid, name)
    if (value) yield value
  }
}

function* ancestors(): Generator<number> {
  let pid = process.ppid
  for (let i = 0; pid > 1 && i < mostAncestors; i += 1) {
    yield pid
    pid = procOf(pid)?.ppid ?? 0
  }
}

/** `a1b2c3/runs/1 x9y8z7/runs/4` → the two ids, innermost first. */
function idsIn(marks: string): string[] {
  return marks.split(' ').flatMap(mark => /^([a-z0-9]{1,20})\//.exec(mark)?.[1] ?? [])
}

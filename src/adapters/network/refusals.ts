/**
 * The hosts that a run was refused, in a file of its directory, which no sandbox shows: one line each, how often and
 * which. A new host is written at once, counts at the end.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RefusedHost } from '../../model/loop/network.ts'

const name = 'refused'
/** An agent can ask for any number of hosts. */
const most = 50

export function refusalsFile(dir: string): string {
  return join(dir, name)
}

type Refusals = {
  /** True the first time. */
  add(host: string): boolean
  save(): void
}

export function refusalsIn(file: string): Refusals {
  const times = new Map<string, number>()
  const save = () => {
    const lines = Array.from(times, ([host, count]) => `${count} ${host}\n`)
    if (lines.length === 0) return
    try {
      writeFileSync(file, lines.join(''), { mode: 0o600 })
    } catch {
      // A full disk is no reason to let anything through, or to end the run.
    }
  }
  return {
    add(host) {
      const before = times.get(host) ?? 0
      if (before === 0 && times.size >= most) return false
      times.set(host, before + 1)
      if (before === 0) save()
      return before === 0
    },
    save,
  }
}

/** Empty if nothing was refused. */
export function refusedIn(dir: string): { refused?: RefusedHost[] } {
  try {
    const lines = readFileSync(refusalsFile(dir), 'utf8').split('\n')
    const refused = lines.flatMap(line => {
      const [, times, host] = /^([1-9]\d*) (\S+)$/.exec(line) ?? []
      return host === undefined ? [] : [{ host, times: Number(times) }]
    })
    return refused.length > 0 ? { refused } : {}
  } catch {
    return {} // no file: nothing was refused
  }
}

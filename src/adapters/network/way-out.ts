/**
 * The network of a run that reaches the hosts of a list only: the programs outside and inside of its sandbox, and the
 * variables by which the command finds them. The sandbox itself has a network of its own, with nothing in it.
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { ownPorts, type RefusedHost } from '../../model/loop/network.ts'
import type { SandboxNetwork } from '../../platform/contract.ts'

const [guardProgram, doorProgram] = ['network-guard', 'network-door'].map(name =>
  join(import.meta.dirname, `${name}${extname(import.meta.filename)}`),
) as [string, string]

/** Known as ports of a proxy. In a network of its own each is free, unless the list has it. */
const proxyPorts = [3128, 3129]

function variables(port: number): Record<string, string> {
  const proxy = `http://127.0.0.1:${port}`
  // What the command starts itself is in there with it. Everything else goes through the guard, or nowhere.
  const named = {
    HTTP_PROXY: proxy,
    HTTPS_PROXY: proxy,
    ALL_PROXY: proxy,
    NO_PROXY: 'localhost,127.0.0.1,::1',
  }
  const lower = Object.entries(named).map(([name, value]) => [name.toLowerCase(), value])
  return { ...named, ...Object.fromEntries(lower) }
}

/** `list`: the hosts; `dir`: of the run. */
export function wayOut(list: readonly string[], dir: string): SandboxNetwork {
  const doors = ownPorts(list)
  const port = proxyPorts.find(one => doors.every(door => door.port !== one)) ?? 0
  return {
    outside: [process.execPath, guardProgram, refusalsFile(dir), list.join(',')],
    // With nothing of the command's environment: it could load something that fails.
    inside: [
      'env',
      '-i',
      'NODE_CHANNEL_FD=3',
      'NODE_CHANNEL_SERIALIZATION_MODE=json',
      process.execPath,
      doorProgram,
      ...doors.map(door => `${door.at}:${door.port}`),
      `127.0.0.1:${port}`,
    ],
    env: {
      ...variables(port),
      // Node asks a proxy only if it is told to.
      NODE_USE_ENV_PROXY: '1',
      NODE_CHANNEL_FD: undefined,
      NODE_CHANNEL_SERIALIZATION_MODE: undefined,
    },
  }
}

/**
 * The hosts that a run was refused, in a file of its directory, which no sandbox shows: one line each, how often and
 * which. A new host is written at once, counts at the end.
 */
const name = 'refused'
/** An agent can ask for any number of hosts. */
const most = 50

function refusalsFile(dir: string): string {
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

/**
 * Resolves the sandbox of a loop: decided once, at its beginning, and recorded. `auto` continues without one and says
 * why; `required` refuses to begin.
 */
import { isAbsolute, join, resolve } from 'node:path'
import { all, invalid, ok, type Result } from '../model/failure.ts'
import { parseNetwork } from '../model/loop/network.ts'
import type { Sandbox, Spec } from '../model/loop/spec.ts'
import type { System } from './system.ts'
import { readAs, readWord, type Values } from './values.ts'

type SandboxRequest = Pick<Spec, 'criteria' | 'mustNot'> & { isSession: boolean }

export function sandboxFrom(values: Values, system: System, asked: SandboxRequest): Result<Sandbox> {
  const mode = readWord(values, 'sandbox', ['auto', 'required', 'off'])
  if (!mode.ok) return mode
  const network = readAs(values, 'sandbox-network', parseNetwork)
  if (!network.ok) return network
  const isApart = network.value !== 'open'
  if (mode.value === 'off') {
    // A default of the configuration is for the loops that have one.
    const isMeant = isApart && values.given('sandbox-network')
    return isMeant ? invalid({ kind: 'network-without-sandbox' }) : ok({ level: 'none' })
  }
  const write = writable(values, system)
  if (!write.ok) return write
  const more = {
    ...(write.value.length > 0 && { write: write.value }),
    ...(network.value !== 'open' && { network: network.value }),
  }
  const check = commandsOf(asked).find(command => asksLoop.test(command))
  const trouble = asked.isSession ? notInSession : check === undefined ? system.sandbox(isApart) : hidesData
  if (!trouble) return ok({ level: 'files', ...more })
  if (mode.value === 'auto')
    return ok({ level: 'none', why: trouble.why, ...(trouble.said && { said: trouble.said }), ...more })
  if (asked.isSession) return invalid({ kind: 'sandbox-in-session' })
  if (check !== undefined) return invalid({ kind: 'sandbox-hides-data', command: check })
  return invalid({ kind: 'no-sandbox', ...trouble })
}

const notInSession = { why: 'session', said: '' } as const
const hidesData = { why: 'check', said: '' } as const

/** `loop check` reads the journal and the checkpoints, which nothing in a sandbox can see. */
const asksLoop = /\bLOOP_PROGRAM\b|\bloop\s+check\b/

function commandsOf({ criteria, mustNot = [] }: SandboxRequest): string[] {
  return [...criteria, ...mustNot].flatMap(({ command }) => command ?? [])
}

function writable(values: Values, system: System): Result<string[]> {
  const asked = (values.value('sandbox-write') ?? '').split(',').map(path => path.trim())
  return all(asked.filter(path => path !== '').map(path => placeAt(path, system)))
}

const mostBytes = 1_000_000

/** A directory, or one file, such as a hidden one that a program needs. */
function placeAt(path: string, { cwd, env, directory, readText, realpath }: System): Result<string> {
  const below = path === '~' || path.startsWith('~/') ? join(env['HOME'] ?? '/', path.slice(1)) : path
  const whole = isAbsolute(below) ? below : resolve(cwd, below)
  const found = directory(whole)
  if ('real' in found) return ok(found.real)
  if (found.problem === 'not a directory' && readText(whole, mostBytes) !== null) return ok(realpath(whole))
  return invalid({ kind: 'bad-sandbox-write', path, why: found.problem })
}

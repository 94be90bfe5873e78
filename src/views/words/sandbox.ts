/**
 * The sandbox of an agent and its promise in words: where they may write, what they may reach and were refused, or why
 * there is none.
 */
import { sandboxTroubleWords } from '../../failures/machine.ts'
import type { Sandbox } from '../../model/loop/spec.ts'

/** `files`: what that means; `none`: and why. */
export function sandboxWords(sandbox: Sandbox | undefined): string {
  if (sandbox?.level === 'files') {
    const more = sandbox.write ? `, ${sandbox.write.join(', ')}` : ''
    return `files: it writes only to the work tree${more} and its own settings; keys are hidden, ${networkWords(sandbox)}`
  }
  return sandbox?.why === undefined
    ? 'none (--sandbox off)'
    : `none: ${sandboxTroubleWords(sandbox.why, sandbox.said)}`
}

function networkWords({ network }: Sandbox): string {
  if (!network) return 'the network is open'
  const provider = 'the agent reaches the provider of its model'
  if (network.length === 0) return `${provider}, and nothing else is reached`
  return `${provider}, and only these are reached besides: ${network.join(', ')}`
}

type Refusing = { sandbox?: Sandbox; refused?: Record<string, number> }

/** A line of a status or a receipt; none if nothing was refused. */
export function refusedLines({ refused }: Refusing): string[] {
  if (!refused) return []
  const most = 5
  const hosts = Object.entries(refused).toSorted(([, a], [, b]) => b - a)
  const shown = hosts.slice(0, most).map(([host, times]) => (times > 1 ? `${host} (${times} times)` : host))
  const rest = hosts.length - shown.length
  const all = [...shown, ...(rest > 0 ? [`${rest} more`] : [])].join(', ')
  return [`  refused     the sandbox refused ${all}; --sandbox-network permits hosts`]
}

/** What is said in the output of the run, and to the program that asked. `host`: with its port. */
export function refusedHostWords(host: string, why: 'not-listed' | 'private'): string {
  const named = `the sandbox refused ${host}`
  return why === 'not-listed'
    ? `${named}, which --sandbox-network does not name`
    : `${named}: the name leads to an address of this machine or of a private network, which --sandbox-network does not name`
}

/** The flags of `resume`: the limits and the agent of a start, without defaults: what is not given stays as it is. */
import type { Flag } from './flag.ts'
import { startFlags } from './start.ts'

export const agentFlagsOfResume: Flag[] = [
  ['agent', 'continue with another agent'],
  ['agent-cmd', 'continue with another command or program of the agent'],
  ['model', 'continue with another model, by the name that the agent knows'],
  ['fallback-agent', 'agents to switch to from now on, instead of waiting'],
  ['price', 'the price of a million tokens of the new model, input/output[/cached]'],
].map(asOfStart)

const limitFlags: Flag[] = [
  ['max-iterations', 'raise the limit of iterations'],
  ['budget', 'raise the budget'],
  ['timeout', 'the time limit of one agent run from now on'],
  ['idle-timeout', 'stop an agent run that prints nothing for this long'],
  ['verify-timeout', 'the time limit of one run of the promise from now on'],
  ['max-wait', 'wait at most this long, all waits from now on together'],
].map(asOfStart)

export const sandboxFlags: Flag[] = [
  ['sandbox', 'hold the agent and the promise in a sandbox from now on, or no more'],
  ['sandbox-write', 'directories outside of the work tree that may be written in it'],
  ['sandbox-network', 'the hosts that can be reached from it'],
].map(asOfStart)

/** The flags that programs can use too; the others are about the terminal. */
export const changeFlags: Flag[] = [...limitFlags, ...agentFlagsOfResume, ...sandboxFlags]

function asOfStart([name = '', help = '']: string[]): Flag {
  const row = startFlags.find(flag => flag.name === name)
  if (!row) throw new Error(`Internal error: start has no flag ${name}`)
  const { short, takes } = row
  return { name, ...(short && { short }), ...(takes && { takes }), help }
}

/** The flags of `resume`: the limits and the agent of a start, without a default: what is not given stays as it is. */
import type { Flag } from './flag.ts'
import { startFlags } from './start.ts'

export const agentFlagsOfResume: Flag[] = [
  ['agent', 'go on with another agent; its program is looked for as at a start'],
  ['agent-cmd', 'go on with another command or program of the agent'],
  ['model', 'go on with another model, in the words of the agent'],
  ['fallback-agent', 'agents to switch to at a usage limit, an overload or without a network, from now on'],
  ['price', 'for a million tokens of the new model, input/output[/cached]'],
].map(asOfStart)

const limitFlags: Flag[] = [
  ['max-iterations', 'raise the limit of iterations'],
  ['budget', 'raise the budget'],
  ['timeout', 'for one agent run from now on'],
  ['idle-timeout', 'stop an agent run that prints nothing for this long'],
  ['verify-timeout', 'for one run of the promise from now on'],
  ['max-wait', 'for usage limits, overload and the network, all waits from now on together'],
].map(asOfStart)

/** What a program can ask for too; the rest is about the terminal. */
export const changeFlags: Flag[] = [...limitFlags, ...agentFlagsOfResume]

function asOfStart([name = '', help = '']: string[]): Flag {
  const row = startFlags.find(flag => flag.name === name)
  if (!row) throw new Error(`Internal error: start has no flag ${name}`)
  const { short, takes } = row
  return { name, ...(short && { short }), ...(takes && { takes }), help }
}

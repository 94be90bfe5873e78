/** Flags that several commands have, and those of commands that take options of `start`. Others: cli/table. */
import { type Flag, verboseFlag } from './flag.ts'
import { taskListFlag } from './group.ts'
import { startFlags } from './start.ts'

/** The flags of `resume`: the limits and the agent of a start, without defaults: what is not given stays as it is. */
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

export const commonFlags: Flag[] = [
  {
    name: 'json',
    help: 'print data as one JSON document (for logs, one document a line), and errors as {"error": …} on stderr; each field: docs/reference/json.md',
  },
  { name: 'help', short: 'h', help: 'show this text' },
]

export const configFlags: Flag[] = [
  { name: 'project', help: 'set or unset in .loop/config.yaml of the work tree, not in your own file' },
  { name: 'cwd', takes: 'dir', help: 'the work tree; without it, the current directory' },
]

export const initFlags: Flag[] = [
  { name: 'goal', takes: 'text', help: 'what is to be done; without it, the name of the run' },
  ...['promise', 'confirm', 'must-not', 'max-iterations', 'budget', 'checkpoint', 'cwd'].flatMap(
    name => startFlags.find(flag => flag.name === name) ?? [],
  ),
  taskListFlag,
  { name: 'shape', help: 'take the criteria and what must not happen from .loop/shape/SHAPE.md' },
  { name: 'trust', help: 'with --shape, use SHAPE.md of the work tree, now and until it changes' },
]

export const sessionFlag: Flag = { name: 'session', help: 'the loop of this session, or of this work tree' }

export const resumeFlags: Flag[] = [
  ...changeFlags,
  {
    name: 'pass-env',
    takes: 'names',
    help: 'variables that reach agent and promise from now on although they look like secrets',
  },
  { name: 'background', short: 'b', help: 'continue in the background, under loopd' },
  { name: 'trust', help: 'with --accept-changes, trust the file as it is now' },
  {
    name: 'accept-changes',
    help: 'continue a workflow whose file has changed: loops that have not completed follow the new file',
  },
  sessionFlag,
  verboseFlag,
  { name: 'plain', help: 'plain log lines, also on a terminal' },
  { name: 'no-input', help: 'never ask: what only a human can answer pauses the loop' },
]

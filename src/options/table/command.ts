/** Flags that several commands have, and those of commands that take options of `start`. Others: cli/table. */
import type { Flag } from './flag.ts'
import { taskListFlag } from './plan.ts'
import { changeFlags } from './resume.ts'
import { startFlags } from './start.ts'

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
  { name: 'plain', help: 'plain log lines, also on a terminal' },
  { name: 'no-input', help: 'never ask: what only a human can answer pauses the loop' },
]

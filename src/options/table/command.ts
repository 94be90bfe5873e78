/** The flags of every command except `start`, which has its own table. */
import type { Flag } from './flag.ts'
import { taskListFlag } from './plan.ts'
import { changeFlags } from './resume.ts'
import { startFlags } from './start.ts'
import { defaultRetention } from './user.ts'

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

export const pluginFlags: Flag[] = [
  { name: 'user', help: 'in all your projects (the default)' },
  { name: 'project', help: 'in this project only' },
]

const sessionFlag: Flag = { name: 'session', help: 'the loop of this session, or of this work tree' }

export const cancelFlags: Flag[] = [
  { name: 'keep', help: 'keep the files as they are (the default)' },
  { name: 'rollback', help: 'then bring back the files as they were when the loop began' },
  sessionFlag,
]

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

export const listFlags: Flag[] = [
  {
    name: 'status',
    takes: 'status',
    repeat: true,
    help: 'only loops in this status; several with commas, or given several times',
  },
  { name: 'agent', takes: 'name', help: 'only loops of this agent' },
  {
    name: 'since',
    takes: 'when',
    help: 'only loops started since then: 2h, 7d, today, yesterday, 2026-11-16, 2026-11-16T22:00',
  },
  { name: 'limit', takes: 'N', help: 'at most N loops' },
]

export const reportFlags: Flag[] = [
  {
    name: 'since',
    takes: 'when',
    default: '12h',
    help: 'what happened since then: 12h, 7d, today, yesterday, 2026-11-16, 2026-11-16T22:00',
  },
]

export const statusFlags: Flag[] = [
  { name: 'watch', short: 'w', help: 'show it again and again, until the loop rests' },
]

export const watchFlags: Flag[] = [
  { name: 'plain', help: 'plain lines as things happen, also on a terminal: for screen readers and logs' },
]

export const logsFlags: Flag[] = [
  { name: 'follow', short: 'f', help: 'follow the output until the loop rests' },
  { name: 'promise', help: 'what the promise printed, not the agent; iteration 0 is the baseline' },
  { name: 'hook', help: 'what --on-complete or --on-failure printed' },
  { name: 'iteration', takes: 'N', help: 'the output of iteration N; without it, of the newest' },
  {
    name: 'line',
    takes: 'N|A..B',
    help: 'line N with the lines around it, or the lines A to B; fast however large the output is',
  },
  {
    name: 'announcements',
    help: 'what loop itself said, in its exact form: the lines [LOOP], the status block after each iteration, the end',
  },
  { name: 'raw', help: 'the bytes exactly as printed, not the text that loop makes of them' },
]

const afterB: Flag = {
  name: 'after',
  help: 'with A..B, also what iteration B changed; without it, 1..3 goes from before iteration 1 to before iteration 3. A and B may also be names of checkpoints',
}

export const diffFlags: Flag[] = [afterB]

export const historyFlags: Flag[] = [
  {
    name: 'diff',
    takes: 'N|A..B',
    help: 'what iteration N changed, or what changed between two checkpoints, as an exact patch',
  },
  afterB,
  { name: 'verbose', short: 'v', help: 'also show the prompts, and what the agent printed' },
]

export const rollbackFlags: Flag[] = [
  { name: 'after', help: 'bring back what the iteration left, not what it started from' },
  { name: 'dry-run', help: 'list the files that would be written or deleted, and touch none' },
  { name: 'undo', help: 'bring back what was there before the last rollback' },
]

export const exportFlags: Flag[] = [
  {
    name: 'output',
    short: 'o',
    takes: 'file',
    help: 'the file to write, - for stdout; without it, loop-<id>.tar.gz',
  },
  { name: 'force', help: 'overwrite a file that is there' },
]

export const doctorFlags: Flag[] = [
  { name: 'restore', help: 'bring back the newest backup of a damaged store; the damaged file is kept' },
]

export const gcFlags: Flag[] = [
  {
    name: 'checkpoint-retention',
    takes: 'time',
    default: defaultRetention.checkpoint,
    help: 'keep the checkpoints and working copies of loops that ended less than this long ago',
  },
  {
    name: 'output-retention',
    takes: 'time',
    default: defaultRetention.output,
    help: 'keep the output of the agents of loops that ended less than this long ago',
  },
  { name: 'keep-ends', help: 'keep the first and the last checkpoint of each loop, as loopd does' },
  { name: 'dry-run', help: 'show what would be freed, and delete nothing' },
  { name: 'yes', help: 'also delete what belongs to loops that the store does not know, without asking' },
]

const theirs: Flag = {
  name: 'theirs',
  help: 'where both have changed a file, take that of the result; yours is saved first',
}

export const pickFlags: Flag[] = [
  { name: 'file', takes: 'path', repeat: true, help: 'only this file, as it is in that attempt' },
  theirs,
]

export const applyFlags: Flag[] = [
  { name: 'merge', help: 'where both have changed a file, write both with conflict markers' },
  { name: 'mine', help: 'where both have changed a file, keep yours' },
  theirs,
]

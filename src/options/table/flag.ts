/**
 * The flags and commands a person can type: plain data, so that help and completion load nothing.
 * What the specification names but this version does not do yet is listed too: it is refused by name with one
 * sentence, never ignored.
 */

export type Flag = {
  name: string
  short?: string
  /** What stands for the value in the help; a flag without it is a switch. */
  takes?: string
  /** The default as a person would type it. */
  default?: string
  /** It may be given several times. */
  repeat?: true
  /** The environment variable that gives the default. */
  env?: string
  /** A configuration file can give the default too: the key is the name with _ for - (options/setting). */
  config?: true
  help: string
}

export const commonFlags: Flag[] = [
  {
    name: 'json',
    help: 'data on stdout as one JSON document, or of a log one for each line; errors as {"error": …} on stderr',
  },
  { name: 'help', short: 'h', help: 'this text' },
]

const breakerFlags: Flag[] = [
  { name: 'stuck-limit', default: '5', help: 'give up after N iterations in which nothing got better' },
  { name: 'no-change-limit', default: '3', help: 'give up after N iterations that changed no file' },
  { name: 'same-error-limit', default: '3', help: 'demand another approach after the same error N times' },
  { name: 'same-file-limit', default: '5', help: 'pause when one run edited a file N times' },
  { name: 'agent-error-limit', default: '3', help: 'give up after N agent errors in a row' },
  { name: 'promise-error-limit', default: '3', help: 'pause when the promise could not be judged N times' },
].map(flag => ({ ...flag, takes: 'N|off', config: true }))

export const startFlags: Flag[] = [
  {
    name: 'promise',
    short: 'p',
    takes: '[name=]cmd',
    repeat: true,
    help: 'the command that decides: exit 0 means done; several make named criteria',
  },
  {
    name: 'confirm',
    takes: 'what',
    repeat: true,
    help: 'a criterion that a human confirms at the end (loop answer)',
  },
  {
    name: 'must-not',
    takes: 'name=cmd',
    repeat: true,
    help: 'pause as soon as this command exits 0',
  },
  {
    name: 'protect',
    takes: 'glob',
    repeat: true,
    help: 'pause when such a file has changed, by the agent or by the promise',
  },
  {
    name: 'max-iterations',
    short: 'n',
    takes: 'N',
    default: '10',
    env: 'LOOP_MAX_ITER',
    config: true,
    help: 'give up after N iterations; "unlimited" lifts the limit',
  },
  {
    name: 'agent',
    takes: 'name',
    default: 'opencode',
    env: 'LOOP_AGENT',
    config: true,
    help: 'opencode, claude, codex, gemini, cline, aider, cursor, custom, acp or scripted',
  },
  {
    name: 'agent-cmd',
    takes: 'cmd',
    config: true,
    help: 'custom, acp: a shell command; scripted: a YAML script; else the program, if not that on the PATH',
  },
  { name: 'model', takes: 'model', config: true, help: 'which model, in the words of the agent' },
  {
    name: 'context-mode',
    takes: 'fresh|continue',
    default: 'fresh',
    config: true,
    help: 'continue: one session for all iterations, where the agent can do that',
  },
  {
    name: 'fallback-agent',
    takes: 'a,b',
    config: true,
    help: 'agents to switch to at a usage limit, instead of waiting',
  },
  {
    name: 'max-wait',
    takes: 'time',
    default: '24h',
    config: true,
    help: 'for usage limits, all waits together; then the loop is paused',
  },
  {
    name: 'limit-backoff',
    takes: 'time',
    default: '1m',
    config: true,
    help: 'the first wait at a limit that names no time; doubles up to 30m',
  },
  {
    name: 'price',
    takes: 'USD/USD',
    config: true,
    help: 'for a million tokens, input/output[/cached], where the agent reports only tokens',
  },
  {
    name: 'checkpoint',
    takes: 'auto|btrfs|git|none',
    default: 'auto',
    env: 'LOOP_CHECKPOINT',
    config: true,
    help: 'how the tree is saved before each iteration',
  },
  {
    name: 'checkpoint-ignored',
    config: true,
    help: 'save ignored files too, such as .env, where they are small',
  },
  {
    name: 'timeout',
    takes: 'time',
    default: '5m',
    env: 'LOOP_TIMEOUT',
    config: true,
    help: 'for one agent run: 90s, 5m, 1h30m',
  },
  {
    name: 'idle-timeout',
    takes: 'time',
    config: true,
    help: 'stop an agent run that prints nothing for this long',
  },
  {
    name: 'verify-timeout',
    takes: 'time',
    default: '5m',
    config: true,
    help: 'for one run of the promise',
  },
  {
    name: 'max-output',
    takes: 'size',
    default: '2GB',
    config: true,
    help: 'stop an agent run that prints more than this',
  },
  {
    name: 'budget',
    takes: 'USD',
    default: '25',
    config: true,
    help: 'pause when the agent has cost this; "none" lifts it',
  },
  ...breakerFlags,
  { name: 'inject', takes: 'file', repeat: true, help: 'tell the agent this too, in the first iteration' },
  { name: 'fail-fast', config: true, help: 'stop verifying at the first criterion that is not met' },
  {
    name: 'state',
    takes: 'keep|delete',
    config: true,
    help: 'the state files in .loop when the loop has ended; asked on a terminal without it',
  },
  {
    name: 'background',
    short: 'b',
    help: 'run under loopd, which is started where it does not run; see loop status',
  },
  {
    name: 'priority',
    takes: 'high|normal|low',
    default: 'normal',
    config: true,
    help: 'with -b: whose turn comes first when loopd has no room for all',
  },
  {
    name: 'session',
    help: 'start no agent: the session this is typed in does the work, and its hook holds it to the promise',
  },
  {
    name: 'notify',
    config: true,
    help: 'tell you when it has ended or waits for you; with -b you always are',
  },
  { name: 'cwd', takes: 'dir', help: 'the work tree; the current directory without it' },
  { name: 'no-baseline', config: true, help: 'do not run the promise before the first iteration' },
  { name: 'trust', help: 'use .loop/config.yaml of the work tree, now and until it changes' },
  { name: 'dry-run', help: 'say what would run, and run nothing' },
  { name: 'plain', config: true, help: 'plain log lines, also on a terminal' },
  { name: 'yes', help: 'take the default answer to every question of the start' },
  { name: 'no-input', help: 'never ask: what only a human can answer pauses the loop' },
]

export const configFlags: Flag[] = [
  { name: 'project', help: 'set, unset: in .loop/config.yaml of the work tree, not in your own file' },
  { name: 'cwd', takes: 'dir', help: 'the work tree; the current directory without it' },
]

export const initFlags: Flag[] = [
  { name: 'goal', takes: 'text', help: 'what is to be done; the name of the run without it' },
  ...['promise', 'confirm', 'must-not', 'max-iterations', 'budget', 'checkpoint', 'cwd'].flatMap(
    name => startFlags.find(flag => flag.name === name) ?? [],
  ),
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
  { name: 'max-iterations', short: 'n', takes: 'N', help: 'raise the limit of iterations' },
  { name: 'budget', takes: 'USD', help: 'raise the budget' },
  { name: 'background', short: 'b', help: 'go on under loopd' },
  sessionFlag,
  { name: 'plain', help: 'plain log lines, also on a terminal' },
  { name: 'no-input', help: 'never ask: what only a human can answer pauses the loop' },
]

export const listFlags: Flag[] = [
  { name: 'status', takes: 'status', help: 'only loops in this status' },
  { name: 'agent', takes: 'name', help: 'only loops of this agent' },
  { name: 'since', takes: 'time', help: 'only loops started within this time: 2h, 7d' },
  { name: 'limit', takes: 'N', help: 'at most N loops' },
]

export const statusFlags: Flag[] = [
  { name: 'watch', short: 'w', help: 'look again and again, until the loop rests' },
]

export const logsFlags: Flag[] = [
  { name: 'follow', short: 'f', help: 'go on as more is written, until the loop rests' },
  { name: 'iteration', takes: 'N', help: 'the output of iteration N; the newest without it' },
  { name: 'raw', help: 'exactly what the program printed, also where loop could read it' },
]

export const historyFlags: Flag[] = [
  {
    name: 'diff',
    takes: 'N|A..B',
    help: 'what iteration N changed, or what changed between two checkpoints',
  },
  { name: 'verbose', short: 'v', help: 'with the prompts, and what the agent printed' },
]

export const rollbackFlags: Flag[] = [
  { name: 'after', help: 'what the iteration left, not what it started from' },
  { name: 'dry-run', help: 'list the files that would be written or deleted, and touch none' },
  { name: 'undo', help: 'bring back what was there before the last rollback' },
]

export const exportFlags: Flag[] = [
  { name: 'output', short: 'o', takes: 'file', help: 'where to; - for stdout. loop-<id>.tar.gz without it' },
  { name: 'force', help: 'write over a file that is there' },
]

export const doctorFlags: Flag[] = [
  { name: 'restore', help: 'bring back the newest backup of a damaged store; the damaged file is kept' },
]

export const gcFlags: Flag[] = [
  {
    name: 'checkpoint-retention',
    takes: 'time',
    default: '24h',
    help: 'keep the checkpoints and working copies of loops that ended less than this long ago',
  },
  {
    name: 'output-retention',
    takes: 'time',
    default: '30d',
    help: 'keep what the agents of loops that ended less than this long ago printed',
  },
  { name: 'keep-ends', help: 'keep the first and the last checkpoint of each loop, as loopd does' },
  { name: 'dry-run', help: 'say what it would free, and throw nothing away' },
]

/** Flags of the specification that come with a later version, by command. */
export const laterFlags: Record<string, readonly string[]> = {
  start: [
    'best-of',
    'best-of-metric',
    'best-of-manual',
    'first-wins',
    'template',
    'counsel',
    'task-list',
    'force',
    'fresh',
    'answers',
    'sandbox',
    'fleet',
  ],
  cancel: ['force'],
}

/** Commands of the specification that come with a later version. */
export const laterCommands: readonly string[] = [
  'watch',
  'compare',
  'pick',
  'template',
  'workflow',
  'plan',
  'task',
  'review',
  'learn',
  'recall',
  'apply',
]

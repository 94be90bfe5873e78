/**
 * The options of a start, in the order in which help shows them. A new one is a row here and a line in
 * options/resolve.
 */

import { type AgentName, agentNames } from '../../model/agent.ts'
import { breakersAsHelped, limitWaits } from '../../model/loop/breakers.ts'
import { formatDuration } from '../../model/units.ts'
import { type Flag, verboseFlag } from './flag.ts'
import { groupFlags } from './group.ts'

/** The options of `start` about its agent: the program, the model, and the behaviour if the model cannot be reached. */
export const agentFlags: Flag[] = [
  {
    name: 'agent',
    takes: 'name',
    default: 'opencode' satisfies AgentName,
    env: 'LOOP_AGENT',
    config: true,
    help: `${agentNames.slice(0, -1).join(', ')} or ${agentNames.at(-1)}; without it, the one agent that is installed and signed in, if there is exactly one`,
  },
  {
    name: 'agent-cmd',
    takes: 'cmd',
    config: true,
    help: 'for custom and acp the shell command, also as a fallback; for scripted the YAML script; for the others the program, if it is not the one on the PATH. What a command may report in $LOOP_USAGE_FILE: docs/guide/agents.md',
  },
  { name: 'model', takes: 'model', config: true, help: 'the model, by the name that the agent knows' },
  {
    name: 'context-mode',
    takes: 'fresh|continue',
    default: 'fresh',
    config: true,
    help: 'continue keeps one session for all iterations, where the agent can do that',
  },
  {
    name: 'fallback-agent',
    takes: 'a,b',
    config: true,
    help: 'agents to switch to at a usage limit, an overload or without a network, instead of waiting',
  },
  {
    name: 'max-wait',
    takes: 'time',
    default: formatDuration(limitWaits.allMs),
    config: true,
    help: 'the most time to wait for usage limits, overload and the network, all waits together; then pause',
  },
  {
    name: 'limit-backoff',
    takes: 'time',
    default: formatDuration(limitWaits.firstMs),
    config: true,
    help: `the first wait where a limit names no time; it doubles, up to ${formatDuration(limitWaits.longestMs)}`,
  },
  {
    name: 'price',
    takes: 'USD/USD',
    config: true,
    help: 'the price of a million tokens, input/output[/cached], where the agent reports only tokens',
  },
]

const breakerFlags: Flag[] = breakersAsHelped.map(({ flag, default: limit, help }) => ({
  name: flag,
  takes: 'N|off',
  default: String(limit),
  config: true,
  help,
}))

export const startFlags: Flag[] = [
  {
    name: 'promise',
    short: 'p',
    takes: '[name=]cmd',
    repeat: true,
    help: 'the command that decides: exit 0 means done. Give it several times for several criteria, with names: -p "tests pass=npm test". name:type=cmd says how the criterion is known: execution output (the default), observation, measurement, reasoned inference, code review',
  },
  {
    name: 'confirm',
    takes: 'what',
    repeat: true,
    help: 'a criterion that a human confirms at the end (loop answer); what:type says how it is known: observation (the default), reasoned inference, code review; an assumption is never met',
  },
  {
    name: 'counsel',
    config: true,
    help: 'after a failed verification ask a panel of viewpoints what to do next, and tell the agent: once, and again after progress. Always so in plans',
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
    help: 'pause when a file that matches has changed, by the agent or by the promise',
  },
  {
    name: 'allow',
    takes: 'glob',
    repeat: true,
    help: 'files that judge the work (tests, settings of the runner, tools) and that the agent may change',
  },
  {
    name: 'holdout',
    takes: 'cmd',
    help: 'run this command once after the promise has passed; it has to exit 0. No agent is told of it: keep what it needs outside of the work tree. loop keeps it sealed; an agent without a sandbox could still open it on purpose',
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
  ...agentFlags,
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
    help: 'save small ignored files too, such as .env',
  },
  {
    name: 'sandbox',
    takes: 'auto|required|off',
    default: 'off',
    env: 'LOOP_SANDBOX',
    config: true,
    help: 'hold the agent and the promise in a sandbox (bubblewrap): they write to the work tree only, and see no keys; auto goes on without one and says why',
  },
  {
    name: 'sandbox-write',
    takes: 'dirs',
    config: true,
    help: 'directories and files outside of the work tree that may be seen and written in the sandbox, with commas between them: ~/go,~/.npmrc',
  },
  {
    name: 'sandbox-network',
    takes: 'network',
    default: 'open',
    config: true,
    help: 'the hosts that can be reached from the sandbox: open (all), none (only the provider of the agent, by the agent), or more of them with commas between: packages.example.org, *.example.com, localhost:5432',
  },
  {
    name: 'timeout',
    takes: 'time',
    default: '5m',
    env: 'LOOP_TIMEOUT',
    config: true,
    help: 'the time limit of one agent run: 90s, 5m, 1h30m',
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
    help: 'the time limit of one run of the promise',
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
    help: 'pause when the agents have cost this much; "none" lifts the limit',
  },
  ...breakerFlags,
  ...groupFlags,
  {
    name: 'inject',
    takes: 'file',
    repeat: true,
    help: 'also tell the agent what this file says, in the first iteration',
  },
  { name: 'fail-fast', config: true, help: 'stop verifying at the first criterion that is not met' },
  {
    name: 'state',
    takes: 'keep|delete',
    config: true,
    help: 'keep or delete the state files in .loop at the end; without it, a terminal asks once',
  },
  {
    name: 'background',
    short: 'b',
    help: 'run in the background under loopd, which is started if it does not run',
  },
  {
    name: 'priority',
    takes: 'high|normal|low',
    default: 'normal',
    config: true,
    help: 'with -b, which loop comes first when loopd has no room for all',
  },
  {
    name: 'session',
    help: 'start no agent: the session you type this in does the work, and its hook holds it to the promise',
  },
  {
    name: 'notify',
    config: true,
    help: 'notify you when the loop has ended or waits for you; always so with -b',
  },
  {
    name: 'on-complete',
    takes: 'cmd',
    help: 'run this command once after the loop has completed, as you: LOOP_ID, LOOP_STATUS, LOOP_REASON, LOOP_ITERATIONS, LOOP_COST_USD and LOOP_CWD are in its environment. It changes neither the outcome nor the exit code',
  },
  {
    name: 'on-failure',
    takes: 'cmd',
    help: 'the same after the loop has failed or crashed, such as: loop rollback "$LOOP_ID" initial',
  },
  {
    name: 'hook-timeout',
    takes: 'time',
    default: '5m',
    config: true,
    help: 'the time limit of --on-complete and --on-failure',
  },
  { name: 'cwd', takes: 'dir', help: 'the work tree; without it, the current directory' },
  { name: 'no-baseline', config: true, help: 'do not run the promise before the first iteration' },
  {
    name: 'pass-env',
    takes: 'names',
    config: true,
    help: 'variables that reach agent and promise although they look like secrets: STRIPE_KEY,ACME_*; !NAME leaves one out that would pass, "*" lets all through',
  },
  { name: 'trust', help: 'use .loop/config.yaml of the work tree, now and until it changes' },
  { name: 'dry-run', help: 'show what would run, and run nothing' },
  verboseFlag,
  { name: 'plain', config: true, help: 'plain log lines, also on a terminal' },
  { name: 'yes', help: 'take the default answer to every question of the start' },
  { name: 'no-input', help: 'never ask: what only a human can answer pauses the loop' },
]

/** The options of `start` about its agent: which program and model, and what to do where it can not reach it. */
import { type AgentName, agentNames } from '../../model/agent.ts'
import { limitWaits } from '../../model/loop/defaults.ts'
import { formatDuration } from '../../model/units.ts'
import type { Flag } from './flag.ts'

export const agentFlags: Flag[] = [
  {
    name: 'agent',
    takes: 'name',
    default: 'opencode' satisfies AgentName,
    env: 'LOOP_AGENT',
    config: true,
    help: `${agentNames.slice(0, -1).join(', ')} or ${agentNames.at(-1)}; not named: the only one that is installed and signed in, if there is just one`,
  },
  {
    name: 'agent-cmd',
    takes: 'cmd',
    config: true,
    help: 'custom, acp: a shell command, also as a fallback; scripted: a YAML script; else the program, if not that on the PATH; what it may report in $LOOP_USAGE_FILE is in docs/reference',
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
    help: 'agents to switch to at a usage limit, an overload or without a network, instead of waiting',
  },
  {
    name: 'max-wait',
    takes: 'time',
    default: formatDuration(limitWaits.allMs),
    config: true,
    help: 'for usage limits, overload and the network, all waits together; then the loop is paused',
  },
  {
    name: 'limit-backoff',
    takes: 'time',
    default: formatDuration(limitWaits.firstMs),
    config: true,
    help: `the first wait at a limit that names no time; doubles up to ${formatDuration(limitWaits.longestMs)}`,
  },
  {
    name: 'price',
    takes: 'USD/USD',
    config: true,
    help: 'for a million tokens, input/output[/cached], where the agent reports only tokens',
  },
]

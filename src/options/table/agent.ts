/** The options of `start` about its agent: the program, the model, and the behaviour if the model cannot be reached. */
import { type AgentName, agentNames } from '../../model/agent.ts'
import { limitWaits } from '../../model/loop/breakers.ts'
import { formatDuration } from '../../model/units.ts'
import type { Flag } from './flag.ts'

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

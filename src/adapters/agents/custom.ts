/**
 * Any command as an agent: `--agent custom --agent-cmd 'my-agent --yes'`. The prompt comes on stdin and in
 * `$LOOP_PROMPT_FILE`; a JSON object written to `$LOOP_USAGE_FILE` is its usage report (see usage-file).
 */
import { fail, ok } from '../../model/failure.ts'
import type { Agent } from './agent.ts'

export const custom: Agent = {
  capabilities: {
    cost: 'unknown',
    tokens: false,
    edits: false,
    continues: false,
    model: false,
    approves: 'what the command you gave does',
  },
  program: null,
  read: null,
  endsItself: false,
  check(agentCmd) {
    if (agentCmd?.trim()) return ok(agentCmd)
    return fail(
      'agent-missing',
      "The agent custom needs a command. Give it with --agent-cmd, for example: --agent-cmd 'my-agent --yes'",
    )
  },
  signedIn: () => 'unknown',
  call: spec => ({ argv: ['/bin/sh', '-c', spec.agentCmd], env: {} }),
}

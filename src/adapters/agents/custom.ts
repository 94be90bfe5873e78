/**
 * Any command as an agent: `--agent custom --agent-cmd 'my-agent --yes'`. The prompt comes on stdin and in
 * `$LOOP_PROMPT_FILE`; a JSON object written to `$LOOP_USAGE_FILE` is its usage report (see usage-file).
 */
import { fail } from '../../model/failure.ts'
import type { Agent } from './agent.ts'
import { orMissing } from './program.ts'
import { hostsByKeys, providerKeys } from './provider.ts'

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
  check(agentCmd, place) {
    if (agentCmd?.trim()) return orMissing(agentCmd, place)
    return fail('agent-missing', { kind: 'custom-command-missing' })
  },
  keys: () => providerKeys,
  provider: hostsByKeys,
  signedIn: () => 'unknown',
  call: spec => ({ argv: ['/bin/sh', '-c', spec.agentCmd], env: {} }),
}

/**
 * The agent that ships with loop: plays a YAML script, one turn per iteration (see scripted-player). It needs no
 * model, key or network, and drives the demo and the tests. `--agent-cmd` names the script.
 */
import { statSync } from 'node:fs'
import { extname, join, resolve } from 'node:path'
import { fail, ok } from '../../model/failure.ts'
import type { Agent } from './agent.ts'

const player = join(import.meta.dirname, `scripted-player${extname(import.meta.filename)}`)

export const scripted: Agent = {
  capabilities: {
    cost: 'reported',
    tokens: false,
    edits: false,
    continues: false,
    model: false,
    approves: 'what its script says',
  },
  program: null,
  read: null,
  endsItself: false,
  check(agentCmd, { cwd }) {
    if (!agentCmd) {
      return fail('agent-missing', { kind: 'script-missing' })
    }
    const script = resolve(cwd, agentCmd)
    if (statSync(script, { throwIfNoEntry: false })?.isFile()) return ok(script)
    return fail('agent-missing', { kind: 'script-not-there', script })
  },
  keys: () => [],
  signedIn: () => 'yes',
  call: spec => ({ argv: [process.execPath, player, spec.agentCmd], env: {} }),
}

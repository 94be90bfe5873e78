/**
 * The agent that ships with loop: plays a YAML script, one turn per iteration (see scripted-player). Needs no
 * model, no key and no network; it drives the demo and the tests. `--agent-cmd` names the script.
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
      return fail(
        'agent-missing',
        'The agent scripted needs a script. Give it with --agent-cmd, for example: --agent-cmd turns.yaml',
      )
    }
    const script = resolve(cwd, agentCmd)
    if (statSync(script, { throwIfNoEntry: false })?.isFile()) return ok(script)
    return fail('agent-missing', `The script ${script} does not exist. Check --agent-cmd.`)
  },
  signedIn: () => 'yes',
  call: spec => ({ argv: [process.execPath, player, spec.agentCmd], env: {} }),
}

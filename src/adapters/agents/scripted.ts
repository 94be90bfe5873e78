/**
 * The agent that ships with loop: plays a YAML script, one turn per iteration (see scripted-player). Needs no
 * model, no key and no network; it drives the demo and the tests. `--agent-cmd` names the script.
 */
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fail, ok } from '../../model/failure.ts'
import type { Agent } from '../agent.ts'

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
const player = fileURLToPath(new URL(`./scripted-player.${extension}`, import.meta.url))

export const scripted: Agent = {
  check(agentCmd, cwd) {
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
  call: spec => ({ argv: [process.execPath, player, spec.agentCmd], env: {} }),
}

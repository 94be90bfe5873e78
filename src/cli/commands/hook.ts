/** `loop hook`: called by a session's host program; bin/loop takes a shorter way to the same answer. */

import { runHook } from '../../hooks/hook.ts'
import { ok } from '../../model/failure.ts'
import type { CommandRun } from '../command-table.ts'
import { out } from '../terminal.ts'

const hook: CommandRun = async input => {
  const said = await runHook(input.positionals.join(' '), input.value('deadline'), input.env)
  if (said !== '') out(said)
  return ok(0)
}

export default hook

/**
 * `loop completion`: the script that lets a shell complete commands, flags, values and ids of loop and loopd. The
 * scripts beside this file only ask `loop __complete` (cli/completion/complete), so an upgrade needs no new script.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { invalid, ok } from '../../model/failure.ts'
import type { CommandRun } from '../command-table.ts'
import { out } from '../terminal.ts'

const completion: CommandRun = async ({ positionals: [shell = '', ...more] }) => {
  if (!['bash', 'zsh', 'fish'].includes(shell) || more.length > 0) return invalid({ kind: 'one-shell' })
  out(readFileSync(join(import.meta.dirname, `completion.${shell}`), 'utf8').trimEnd())
  return ok(0)
}

export default completion

/** The machine for the person at this terminal: this directory, this environment, this standard input. */
import type { System } from '../options/system.ts'
import { standardInput } from '../wiring/stdin.ts'
import { systemAt } from '../wiring/system.ts'
import type { Input } from './command-table.ts'
import { askNow, isAttended } from './foreground/question.ts'

export function systemHere(input: Input): System {
  return systemAt({
    cwd: process.cwd(),
    env: input.env,
    isAttended: isAttended(input),
    readStdin: standardInput,
    ask: isAttended(input) ? askNow : null,
  })
}

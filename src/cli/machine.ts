/** The machine as the person at this terminal has it: this directory, this environment, this standard input. */
import type { Machine } from '../options/machine.ts'
import { machineAt } from '../wiring/machine.ts'
import { standardInput } from '../wiring/stdin.ts'
import type { Input } from './command-table.ts'
import { isAttended } from './foreground/question.ts'

export function machineHere(input: Input): Machine {
  return machineAt({
    cwd: process.cwd(),
    env: input.env,
    isAttended: isAttended(input),
    readStdin: standardInput,
  })
}

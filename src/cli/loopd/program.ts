/** `loopd` as a program of cli/main. */
import { main } from '../main.ts'
import { daemonCommands, daemonHelp } from '../table/loopd.ts'

export function runProgram(args: string[]): Promise<number> {
  return main(args, { name: 'loopd', commands: daemonCommands, later: [], help: daemonHelp })
}

/**
 * Ends this process with SIGKILL just before the n-th system call that changes the disk ($KILL_AT); a write is half
 * done by then. Or counts these calls, and writes their number to the file $KILL_COUNT at the end.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const killAt = Number(process.env['KILL_AT'])
const writing = ['writeSync', 'writeFileSync', 'openSync', 'symlinkSync', 'linkSync', 'mkdirSync'] as const
const changing = ['renameSync', 'unlinkSync', 'rmSync', 'rmdirSync', 'chmodSync', 'fchmodSync'] as const
const ending = ['fsyncSync', 'fsync', 'closeSync'] as const
const { writeFileSync } = fs
let calls = 0

for (const name of [...writing, ...changing, ...ending]) {
  const real = fs[name] as (...args: unknown[]) => unknown
  const counted = (...args: unknown[]) => {
    calls += 1
    if (calls === killAt) {
      if (name === 'writeSync' && args[1] instanceof Buffer)
        real(args[0], args[1].subarray(0, args[1].length / 2))
      process.kill(process.pid, 'SIGKILL')
    }
    return real(...args)
  }
  Object.assign(fs, { [name]: counted })
}
syncBuiltinESMExports()

export function callsSoFar(): number {
  return calls
}

const { KILL_COUNT } = process.env
if (KILL_COUNT) process.once('exit', () => writeFileSync(KILL_COUNT, String(calls)))

/** Locks of files, asked of the kernel by the program `flock`: Node cannot. */
import { childProcesses } from '../child-processes.ts'
import type { Locks } from '../contract.ts'

export const locks: Locks = {
  isHeld: file =>
    childProcesses().spawnSync('flock', ['--nonblock', file, 'true'], { stdio: 'ignore' }).status === 1,
}

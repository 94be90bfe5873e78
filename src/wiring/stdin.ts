/** Standard input, read to its end. */
import { readFileSync } from 'node:fs'

export function standardInput(): string {
  for (;;) {
    try {
      return readFileSync(0, 'utf8')
    } catch (error) {
      // A non-blocking pipe that is empty at the moment.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
    }
  }
}

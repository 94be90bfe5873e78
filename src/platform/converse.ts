/**
 * Runs a helper program that answers questions one after another over pipes (git cat-file --batch). It ends when its
 * input is closed. For a program that is run once, see exec.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { Readable } from 'node:stream'

export type Conversation = {
  ask(question: string): void
  /** Its output, piece by piece; ends when the program does. */
  answers: AsyncIterator<Buffer>
  /** Closes its input; resolves once the program is gone. */
  end(): Promise<void>
}

export function converse(request: {
  argv: readonly [string, ...string[]]
  cwd: string
  env: Record<string, string>
}): Conversation {
  const [program, ...args] = request.argv
  // Typed as ChildProcess: where no file descriptor is left, spawn returns one without pipes.
  const child: ChildProcess = spawn(program, args, {
    cwd: request.cwd,
    env: request.env,
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true,
  })
  const gone = new Promise<void>(resolve => {
    child.once('close', () => resolve())
    // It could not be started: the answers end without one, which the caller sees.
    child.once('error', () => {
      child.stdout?.destroy()
      resolve()
    })
  })
  child.stdin?.on('error', () => undefined)
  return {
    ask: question => void child.stdin?.write(question),
    answers: (child.stdout ?? Readable.from([]))[Symbol.asyncIterator](),
    async end() {
      child.stdin?.end()
      child.stdout?.resume()
      await gone
    },
  }
}

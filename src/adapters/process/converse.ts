/**
 * A helper program that answers questions one after another over pipes (git cat-file --batch), as long as it is
 * needed. For one question and one answer there is exec. Ended by closing its input.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { Readable } from 'node:stream'

export type Conversation = {
  ask(question: string): void
  /** What it answers, piece by piece; ends when the program does. */
  answers: AsyncIterator<Buffer>
  /** Resolves once it is gone. */
  end(): Promise<void>
}

export function converse(request: {
  argv: readonly [string, ...string[]]
  cwd: string
  env: Record<string, string>
}): Conversation {
  const [program, ...args] = request.argv
  // Where no file descriptor is left it has no pipes at all, whatever its type says.
  const child: ChildProcess = spawn(program, args, {
    cwd: request.cwd,
    env: request.env,
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true,
  })
  const gone = new Promise<void>(resolve => {
    child.once('close', () => resolve())
    // Not started: the answers end without one, which the asker sees.
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

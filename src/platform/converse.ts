/**
 * Runs a helper program that answers questions one after another over pipes (git cat-file --batch). It ends when its
 * input is closed, and is killed where it does not, or where it is silent for too long: nobody waits for it for ever.
 * For a program that is run once, see exec.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { Readable } from 'node:stream'

export type Conversation = {
  ask(question: string): void
  /** The next piece of its output; null where the program has ended or was killed. */
  next(): Promise<Buffer | null>
  /** Stops reading, closes its input and resolves once the program is gone. */
  end(): Promise<void>
}

/** Long: git may have to unpack a large object on a slow disk before it says the first byte of it. */
const silentMs = 300_000
const graceMs = 2_000

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
  const answers: AsyncIterator<Buffer> = (child.stdout ?? Readable.from([]))[Symbol.asyncIterator]()
  const killedAfter = (ms: number) => setTimeout(() => child.kill('SIGKILL'), ms)
  return {
    ask: question => void child.stdin?.write(question),
    async next() {
      const timer = killedAfter(silentMs)
      const { value, done } = await answers.next().catch(() => ({ value: null, done: true }))
      clearTimeout(timer)
      return done ? null : (value ?? null)
    },
    async end() {
      child.stdin?.end()
      // An answer that nobody reads to its end would block the program in its write.
      child.stdout?.destroy()
      const timer = killedAfter(graceMs)
      await gone
      clearTimeout(timer)
    },
  }
}

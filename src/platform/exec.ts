/**
 * Runs a helper program (git, cp, btrfs) to its end, or converses with it. Never through a shell; whatever happens to the
 * program is a value, not an exception; output is limited. Agents and promises are not run here: they must outlive this
 * process, and have a shim (adapters/process/run).
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { Readable } from 'node:stream'

type ExecRequest = {
  argv: readonly [string, ...string[]]
  cwd: string
  /** The whole environment: nothing is inherited. */
  env: NodeJS.ProcessEnv
  /** Standard input. A promise may resolve after the program was started. */
  input?: Buffer | Promise<Buffer>
  /** Aborting ends the program; the result comes only once it is gone. */
  signal?: AbortSignal
  /** For stdout and stderr each; a program that prints more is killed. */
  maxBytes?: number
  /** Gets stdout piece by piece, without a limit; then the result has none. */
  onStdout?: (piece: Buffer) => void
}

export type ExecResult = {
  /** Null where the program was killed by a signal or could not be started. */
  code: number | null
  signal: NodeJS.Signals | null
  stdout: Buffer
  stderr: Buffer
  /** Why it did not run to its own end; null where it did, whatever its exit code. */
  cut: 'unstartable' | 'stopped' | 'flooded' | null
}

const defaultMaxBytes = 64 * 1024 * 1024
const graceMs = 1_000

export function exec(request: ExecRequest): Promise<ExecResult> {
  const [program, ...args] = request.argv
  if (request.signal?.aborted) return Promise.resolve(notRun('stopped', `${program} was not started`))
  return new Promise(resolve => {
    let child: ChildProcess
    try {
      // In a session of its own: Ctrl-C must reach loop only, not the git that it happens to run.
      child = spawn(program, args, { cwd: request.cwd, env: request.env, stdio: 'pipe', detached: true })
    } catch (error) {
      // spawn throws for arguments that no program can get, such as one with a NUL byte.
      resolve(notRun('unstartable', String(error)))
      return
    }
    follow(child, request, resolve)
  })
}

function follow(child: ChildProcess, request: ExecRequest, resolve: (result: ExecResult) => void): void {
  const { signal, maxBytes = defaultMaxBytes } = request
  let cut: ExecResult['cut'] = null
  let killTimer: NodeJS.Timeout | undefined
  const flooded = () => {
    cut ??= 'flooded'
    child.kill('SIGKILL')
  }
  const stopped = () => {
    cut ??= 'stopped'
    // TERM first: it lets git remove its lock and temporary files.
    child.kill('SIGTERM')
    killTimer = setTimeout(() => {
      killAll(child)
      // A process that left the session may keep the pipes open for ever: stop reading them.
      child.stdout?.destroy()
      child.stderr?.destroy()
    }, graceMs)
  }
  const { onStdout } = request
  if (onStdout) child.stdout?.on('data', onStdout)
  const stdout = onStdout ? () => Buffer.alloc(0) : collect(child.stdout, maxBytes, flooded)
  const stderr = collect(child.stderr, maxBytes, flooded)
  const finish = (result: ExecResult) => {
    clearTimeout(killTimer)
    signal?.removeEventListener('abort', stopped)
    resolve(result)
  }
  signal?.addEventListener('abort', stopped, { once: true })
  child.on('error', error => {
    if (child.pid === undefined) finish(notRun('unstartable', error.message))
  })
  child.once('close', (code, endSignal) => {
    if (child.pid === undefined) return
    finish({ code, signal: endSignal, stdout: stdout(), stderr: stderr(), cut })
  })
  // A program may end without reading its input: its exit code tells whether that is a failure.
  child.stdin?.on('error', () => undefined)
  Promise.resolve(request.input).then(
    input => child.stdin?.end(input),
    () => child.stdin?.end(),
  )
}

/** Kills the program and all it has started: its process group, whose number is not used again while a member lives. */
function killAll(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  } catch {
    return // all of it is gone
  }
}

function collect(stream: NodeJS.ReadableStream | null, maxBytes: number, onFlood: () => void): () => Buffer {
  const chunks: Buffer[] = []
  let bytes = 0
  // Keep what was printed so far; the exit code tells the rest.
  stream?.on('error', () => undefined)
  stream?.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes <= maxBytes) chunks.push(chunk)
    else onFlood()
  })
  return () => Buffer.concat(chunks)
}

function notRun(cut: 'unstartable' | 'stopped', why: string): ExecResult {
  return { code: null, signal: null, stdout: Buffer.alloc(0), stderr: Buffer.from(why), cut }
}

/**
 * Runs a helper program that answers questions one after another over pipes (git cat-file --batch). It ends when its
 * input is closed, and is killed where it does not, or where it is silent for too long: nobody waits for it for ever.
 * For a program that is run once, see exec.
 */

export type Conversation = {
  ask(question: string): void
  /** The next piece of its output; null where the program has ended or was killed. */
  next(): Promise<Buffer | null>
  /** Stops reading, closes its input and resolves once the program is gone. */
  end(): Promise<void>
}

/** Long: git may have to unpack a large object on a slow disk before it says the first byte of it. */
const silentMs = 300_000
const conversationGraceMs = 2_000

export function converse(request: {
  argv: readonly [string, ...string[]]
  cwd: string
  env: NodeJS.ProcessEnv
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
      const timer = killedAfter(conversationGraceMs)
      await gone
      clearTimeout(timer)
    },
  }
}

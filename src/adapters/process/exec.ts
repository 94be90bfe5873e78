/**
 * Runs a helper program (git) to its end: the one place that does, but for two short questions to the system
 * (may we unshare, is this file locked), which contain and run ask themselves.
 * Never through a shell, never throws for what the world can do, never holds more output than allowed.
 * Agents and promises are not run here: they outlive us and have a shim.
 */
import { type ChildProcess, spawn } from 'node:child_process'

type ExecRequest = {
  argv: readonly [string, ...string[]]
  cwd: string
  /** The whole environment: nothing is inherited. */
  env: Record<string, string>
  /** May come later than the program is started. */
  input?: Buffer | Promise<Buffer>
  /** Aborting ends the program; the promise resolves only once it is gone. */
  signal?: AbortSignal
  /** Of stdout and of stderr each; a program that prints more is ended. */
  maxBytes?: number
  /** Takes stdout piece by piece as it comes, however much: the result has none then. */
  onStdout?: (piece: Buffer) => void
}

export type ExecResult = {
  /** Null when the program did not exit by itself or could not be started. */
  code: number | null
  signal: NodeJS.Signals | null
  stdout: Buffer
  stderr: Buffer
  /** Null for a program that ran to its own end, whatever its exit code. */
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
      // A session of its own: Ctrl-C is for loop to answer, not for the git it happens to run.
      child = spawn(program, args, { cwd: request.cwd, env: request.env, stdio: 'pipe', detached: true })
    } catch (error) {
      // Thrown for what no program can be given, such as a NUL byte in an argument.
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
    // TERM lets git remove its lock and temporary files; KILL is for what does not listen.
    child.kill('SIGTERM')
    killTimer = setTimeout(() => {
      killAll(child)
      // What has left its session may hold its pipes for ever: nobody reads them any more.
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
  // A program may end without reading its input; its exit code says what that means.
  child.stdin?.on('error', () => undefined)
  Promise.resolve(request.input).then(
    input => child.stdin?.end(input),
    () => child.stdin?.end(),
  )
}

/** With what it has started: it leads a group of its own, whose number nobody else gets while one of it lives. */
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
  // What it printed so far is what there is; its exit code says the rest.
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

/**
 * The rig of the end-to-end tests: a private home and work tree, the real program, and direct reads of the real
 * store. It waits for conditions, never for a fixed time.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { failureWords } from '../../src/failures/words.ts'
import type { Recorded } from '../../src/model/loop/event.ts'
import { loopDir, type Paths, pathsFrom } from '../../src/store/files/paths.ts'
import { openStoreToRead } from '../../src/store/sqlite/open.ts'

export const root = fileURLToPath(new URL('../..', import.meta.url))
export const loopProgram = join(root, 'bin', 'loop')
export const loopdProgram = join(root, 'bin', 'loopd')

const isRoot = process.getuid?.() === 0

/** The containments that can be forced here: a plain namespace needs root. */
export const containments = isRoot ? ['namespace', 'user-namespace', 'group'] : ['user-namespace', 'group']

/** Runs a command in a new PID namespace. */
export const otherNamespace = [
  'unshare',
  ...(isRoot ? [] : ['--user', '--map-current-user']),
  '--pid',
  '--fork',
  '--kill-child',
  '--mount-proc',
]

export type Ended = { code: number | null; signal: string | null; stdout: string; stderr: string }

export type Running = {
  child: ChildProcess
  pid: number
  ended: Promise<Ended>
  stdout(): string
  stderr(): string
}

/** `stdin`: the test types the input; otherwise there is none. */
export type SpawnOptions = {
  env?: NodeJS.ProcessEnv
  wrap?: string[]
  cwd?: string
  program?: string
  stdin?: boolean
}

export type Rig = {
  /** The work tree, and a directory beside it that no loop touches. */
  tree: string
  aside: string
  env: NodeJS.ProcessEnv
  paths: Paths
  write(path: string, text: string): void
  spawn(args: string[], options?: SpawnOptions): Running
  loop(args: string[], options?: SpawnOptions): Promise<Ended>
  loopd(args: string[], options?: SpawnOptions): Promise<Ended>
  events(loop: string): Recorded[]
  loops(): string[]
  dir(loop: string): string
  /** Runs after the test, before its files are removed. */
  atEnd(end: () => Promise<void>): void
}

/** `under`: where it is made; runs in a sandbox have a temporary directory of their own. */
export function makeRig(t: Pick<TestContext, 'after'>, under = tmpdir()): Rig {
  const base = realpathSync(mkdtempSync(join(under, 'loop-test-')))
  const tree = join(base, 'tree')
  const aside = join(base, 'aside')
  for (const dir of [tree, aside, join(base, 'home')]) mkdirSync(dir)
  shareCompiled(join(base, 'home'))
  const env: NodeJS.ProcessEnv = {
    PATH: process.env['PATH'],
    HOME: join(base, 'home'),
    ASIDE: aside,
    LOOPD_SOCKET: join(base, 'loopd.sock'),
  }
  if (process.env['LOOP_CONTAIN']) env['LOOP_CONTAIN'] = process.env['LOOP_CONTAIN']
  const paths = pathsFrom(env)
  // A test that failed may have left one running; the runner would wait for it.
  const started: Running[] = []
  const ends: (() => Promise<void>)[] = []
  t.after(async () => {
    for (const { child } of started) child.kill('SIGKILL')
    for (const end of ends) await end()
    endAll(base)
    rmSync(base, { recursive: true, force: true, maxRetries: 5 })
  })
  const spawnLoop: Rig['spawn'] = (args, options = {}) => {
    const argv = [...(options.wrap ?? []), options.program ?? loopProgram, ...args]
    const place = { cwd: options.cwd ?? tree, env: { ...env, ...options.env } }
    const running = start(argv, { ...place, stdin: options.stdin ?? false })
    started.push(running)
    return running
  }
  return {
    tree,
    aside,
    env,
    paths,
    write: (path, text) => writeFileSync(join(tree, path), text),
    spawn: spawnLoop,
    loop: (args, options) => spawnLoop(args, options).ended,
    loopd: (args, options) => spawnLoop(args, { program: loopdProgram, ...options }).ended,
    events: loop => eventsOf(paths, loop),
    loops: () => idsOf(paths),
    dir: loop => loopDir(paths, loop),
    atEnd: end => void ends.push(end),
  }
}

/**
 * Ends what a rig has left running: an agent outlives a host that was killed, and would look for its file fifty times a
 * second until its time is up. All of them have the rig's home in their environment.
 */
function endAll(base: string): void {
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name) || !readOr(`/proc/${name}/environ`).includes(`${base}/`)) continue
    try {
      process.kill(Number(name), 'SIGKILL')
    } catch {
      // it has just ended by itself
    }
  }
}

/** A second start of loop finds its code compiled, as for a user. A fresh home alone would compile it for each test. */
function shareCompiled(home: string): void {
  const [shared, own] = [
    join(root, 'node_modules', '.cache', 'loop'),
    join(home, '.cache', 'daedalos', 'loop'),
  ]
  for (const dir of [shared, own]) mkdirSync(dir, { recursive: true })
  symlinkSync(shared, join(own, 'node'))
}

/** The arguments of a start with a custom agent, given as a shell command. */
export function startArgs(agent: string, promise: string, ...more: string[]): string[] {
  return ['start', 'do the work', '-p', promise, '--agent', 'custom', '--agent-cmd', agent, ...more]
}

/** How long a test waits for what must come: far longer than a loaded machine needs, since it only ends a failure. */
export const patienceMs = 120_000

export async function until<T>(
  what: string,
  look: () => T | null | undefined | false | Promise<T | null | undefined | false>,
  ms = patienceMs,
): Promise<T> {
  const deadline = performance.now() + Math.max(ms, patienceMs)
  // A look opens the store or starts a process: the longer the wait, the rarer the looks.
  for (let pauseMs = 5; ; pauseMs = Math.min(pauseMs * 1.2, 25)) {
    const found = await look()
    if (found) return found
    if (performance.now() > deadline) throw new Error(`Waited ${ms} ms in vain for ${what}`)
    await delay(pauseMs)
  }
}

export function readOr(file: string, otherwise = ''): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return otherwise
  }
}

type Start = { cwd: string; env: NodeJS.ProcessEnv; stdin: boolean }

function start(argv: string[], { stdin, ...options }: Start): Running {
  const [program = '', ...args] = argv
  const child = spawn(program, args, { ...options, stdio: [stdin ? 'pipe' : 'ignore', 'pipe', 'pipe'] })
  let stdout = ''
  let stderr = ''
  child.stdout?.setEncoding('utf8').on('data', text => {
    stdout += text
  })
  child.stderr?.setEncoding('utf8').on('data', text => {
    stderr += text
  })
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ code, signal, stdout, stderr }))
  })
  return { child, pid: child.pid ?? 0, ended, stdout: () => stdout, stderr: () => stderr }
}

/** The ids of all loops, members of groups and groups too, oldest first. */
function idsOf(paths: Paths): string[] {
  const store = openStoreToRead(paths)
  if (!store.ok) throw new Error(failureWords(store.failure))
  if (!store.value) return []
  const ids = store.value.heads.list({ all: {}, members: true }).summaries.map(({ id }) => id)
  store.value.close()
  return ids.toReversed()
}

function eventsOf(paths: Paths, loop: string): Recorded[] {
  const store = openStoreToRead(paths)
  if (!store.ok) throw new Error(failureWords(store.failure))
  if (!store.value) return []
  const events = store.value.journals.read(loop)
  store.value.close()
  if (!events.ok) throw new Error(failureWords(events.failure))
  return events.value
}

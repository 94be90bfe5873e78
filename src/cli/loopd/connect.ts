/**
 * loopd as seen from other programs: whether it runs, where it serves, and starting it. Its lock decides whether it
 * runs; it counts as started once it answers.
 */

import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { JournalKind } from '../../core/folds.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import { platform } from '../../platform/platform.ts'
import { answers } from '../../server/api/socket.ts'
import { type DaemonRecord, isRunning, readRecord } from '../../server/daemon/record.ts'
import { makeDirectory } from '../../store/files/directory.ts'
import { type Paths, pathsFrom } from '../../store/files/paths.ts'
import { openStoreToRead } from '../../store/sqlite/open.ts'
import { actedFaces } from '../../views/faces/acted.ts'
import { loopdWords } from '../../views/words/daemon.ts'
import { behindWords } from '../../views/words/message.ts'
import type { Input } from '../command-table.ts'
import { err, out, outDocument } from '../terminal.ts'

const startMs = 20_000
const pollMs = 20

/** The running loopd; null if there is none. A failure if it runs and does not answer. */
export async function findDaemon(paths: Paths, env: NodeJS.ProcessEnv): Promise<Result<DaemonRecord | null>> {
  if (!isRunning(paths)) return ok(null)
  const record = readRecord(paths)
  const meant = isMeant(record, env)
  if (!meant.ok) return meant
  if (record && !isStopped(record) && (await answers(record.socket))) return ok(record)
  return silent(record)
}

/** A stopped process: the kernel still accepts connections for it. */
function isStopped({ pid, start }: DaemonRecord): boolean {
  const found = platform.processes.find(pid)
  return found?.start === start && found.stopped
}

/** A named socket means the loopd behind it and no other: a command must not silently reach another one. */
function isMeant(record: DaemonRecord | null, env: NodeJS.ProcessEnv): Result<null> {
  const named = env['LOOPD_SOCKET']
  // A record of an earlier loopd says nothing about one that is starting.
  const isOld = !record || platform.processes.find(record.pid)?.start !== record.start
  if (!named || isOld || resolve(named) === record.socket) return ok(null)
  return fail('no-daemon', { kind: 'other-socket', named, pid: record.pid, socket: record.socket })
}

/** Nothing is queued for a loopd that could not be asked afterwards. */
export function mayHandOver(env: NodeJS.ProcessEnv): Result<null> {
  const paths = pathsFrom(env)
  return isRunning(paths) ? isMeant(readRecord(paths), env) : ok(null)
}

/** The same, started if it does not run. */
export async function ensureDaemon(
  env: NodeJS.ProcessEnv,
): Promise<Result<DaemonRecord & { started: boolean }>> {
  const paths = pathsFrom(env)
  const running = isRunning(paths)
  if (!running && (env['LOOP_RUN'] || env['LOOP_HOOK'])) {
    return fail('no-daemon', { kind: 'daemon-inside-run', inside: env['LOOP_RUN'] ? 'run' : 'hook' })
  }
  const child = running ? null : spawnDaemon(env, paths)
  const deadline = performance.now() + startMs
  while (performance.now() < deadline) {
    const record = readRecord(paths)
    const meant = isMeant(isRunning(paths) ? record : null, env)
    if (!meant.ok) return meant
    if (record && isStopped(record) && isRunning(paths)) return silent(record)
    // Until the new one writes its record, that of an earlier one is there, with the same socket.
    const isNow = !child || child.ended() || record?.pid === child.pid
    if (record && isNow && isRunning(paths) && (await answers(record.socket)))
      return ok({ ...record, started: !running })
    // Another one may have started first and be about to serve.
    if (child?.ended() && !isRunning(paths))
      return fail('no-daemon', { kind: 'daemon-unstartable', said: child.said() })
    await delay(pollMs)
  }
  return silent(readRecord(paths))
}

export function silent(record: DaemonRecord | null): Result<never> {
  return fail('no-daemon', { kind: 'daemon-silent', pid: record?.pid ?? null })
}

/** No thread of its own that compiles, optimized or not. */
const noCompilers = ['--no-concurrent-recompilation', '--no-concurrent-sparkplug']

/** The same way as bin/loopd. */
export function daemonProgram(): [string, ...string[]] {
  const flags = ['--max-semi-space-size=1', '--optimize-for-size', ...noCompilers]
  return [process.execPath, ...flags, join(import.meta.dirname, 'loopd.cjs')]
}

function spawnDaemon(env: NodeJS.ProcessEnv, paths: Paths) {
  makeDirectory(paths.data)
  const log = openSync(paths.daemon.stderr, 'w', 0o600)
  const nothing = openSync('/dev/null', 'r')
  const [node, ...args] = daemonProgram()
  const child = spawn(node, [...args, 'start', '--foreground'], {
    // Not the user's directory, which may be on a removable disk.
    cwd: paths.data,
    env,
    detached: true,
    stdio: platform.processes.withoutInherited(['ignore', log, log], nothing),
  })
  for (const file of [log, nothing]) closeSync(file)
  let ended = false
  child.once('exit', () => {
    ended = true
  })
  child.once('error', () => {
    ended = true
  })
  child.unref()
  return {
    pid: child.pid,
    ended: () => ended,
    said: () =>
      readFileSync(paths.daemon.stderr, 'utf8')
        .trim()
        .replace(/^loopd: /, '')
        .slice(-2_000),
  }
}

/** Gives a queued loop to loopd. If loopd cannot be started, the loop stays queued, and that is reported. */
export async function handOver(
  id: string,
  env: NodeJS.ProcessEnv,
): Promise<Result<DaemonRecord & { started: boolean }>> {
  const daemon = await ensureDaemon(env)
  if (daemon.ok) return daemon
  return fail('no-daemon', { kind: 'queued-for-nobody', id, because: daemon.failure.facts })
}

/** The same, reported at the terminal. */
export async function underDaemon(
  id: string,
  input: Input,
  kind: JournalKind = 'loop',
): Promise<Result<number>> {
  const daemon = await handOver(id, input.env)
  if (input.given('json')) outDocument<'started'>({ id })
  else if (daemon.ok) {
    if (daemon.value.started) err(loopdWords.started(daemon.value.pid))
    const place = await placeOf(id, daemon.value.socket, input)
    out(actedFaces[kind].handedOver(id, place))
  }
  return daemon.ok ? ok(0) : daemon
}

async function placeOf(id: string, socket: string, input: Input): Promise<string> {
  const store = openStoreToRead(pathsFrom(input.env))
  if (!store.ok || !store.value) return 'is queued'
  const summary = store.value.heads.get(id)
  const isQueued = summary.ok && summary.value.status === 'queued'
  const behind = isQueued ? store.value.heads.ahead(summary.value) : null
  store.value.close()
  if (behind) return behindWords(behind)
  return (isQueued ? await turnWords(id, socket) : null) ?? 'runs in the background'
}

/** Null if its turn has come or is about to. */
async function turnWords(id: string, socket: string): Promise<string | null> {
  const { call } = await import('../../server/api/client.ts')
  const asked = await call(socket, 'daemon')
  if (!asked.ok) return null
  const { running, limit } = asked.value
  if (running.length < limit || running.includes(id)) return null
  return `waits for its turn: ${running.length} of ${limit} loops run (max_concurrent_loops)`
}

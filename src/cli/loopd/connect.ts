/**
 * loopd as seen from the other programs: is it there, where does it serve, start it where it is not. Whether it
 * runs is said by its lock; it counts as started once it answers.
 */
import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { procOf } from '../../adapters/process/proc.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import { answers } from '../../server/api/socket.ts'
import { type DaemonRecord, isRunning, readRecord } from '../../server/daemon/record.ts'
import { makeDirectory } from '../../store/files/directory.ts'
import { type Paths, pathsFrom } from '../../store/files/paths.ts'
import { openStoreToRead } from '../../store/sqlite/open.ts'
import { jsonText } from '../../views/text/plain-text.ts'
import { behindWords } from '../../views/words/message.ts'
import type { Input } from '../command-table.ts'
import { err, out } from '../terminal.ts'

const startMs = 20_000
const pollMs = 20

/** The loopd that runs; null where none does. A failure where it runs and does not answer. */
export async function findDaemon(paths: Paths, env: NodeJS.ProcessEnv): Promise<Result<DaemonRecord | null>> {
  if (!isRunning(paths)) return ok(null)
  const record = readRecord(paths)
  const meant = isMeant(record, env)
  if (!meant.ok) return meant
  if (record && !isStopped(record) && (await answers(record.socket))) return ok(record)
  return silent(record)
}

/** The kernel still takes connections for it. */
function isStopped({ pid, start }: DaemonRecord): boolean {
  const found = procOf(pid)
  return found?.start === start && found.stopped
}

/** Whoever names a socket means the loopd behind it, and no other: a command must not reach another one silently. */
function isMeant(record: DaemonRecord | null, env: NodeJS.ProcessEnv): Result<null> {
  const named = env['LOOPD_SOCKET']
  // A record that an earlier one has left says nothing about the one that is just starting.
  const isOld = !record || procOf(record.pid)?.start !== record.start
  if (!named || isOld || resolve(named) === record.socket) return ok(null)
  return fail(
    'no-daemon',
    `$LOOPD_SOCKET names ${named}, but the loopd of this data directory (process ${record.pid}) serves ${record.socket}. Unset LOOPD_SOCKET to reach that one.`,
  )
}

/** Nothing is queued for a loopd that could then not be asked. */
export function mayHandOver(env: NodeJS.ProcessEnv): Result<null> {
  const paths = pathsFrom(env)
  return isRunning(paths) ? isMeant(readRecord(paths), env) : ok(null)
}

/** The same, started where it does not run. */
export async function ensureDaemon(
  env: NodeJS.ProcessEnv,
): Promise<Result<DaemonRecord & { started: boolean }>> {
  const paths = pathsFrom(env)
  const running = isRunning(paths)
  if (!running && (env['LOOP_RUN'] || env['LOOP_HOOK'])) {
    return fail(
      'no-daemon',
      `loopd does not run, and started in here it would end with ${env['LOOP_RUN'] ? 'the run of this agent' : 'this hook'}. Start it outside: loopd start`,
    )
  }
  const child = running ? null : spawnDaemon(env, paths)
  const deadline = performance.now() + startMs
  while (performance.now() < deadline) {
    const record = readRecord(paths)
    const meant = isMeant(isRunning(paths) ? record : null, env)
    if (!meant.ok) return meant
    if (record && isStopped(record) && isRunning(paths)) return silent(record)
    if (record && isRunning(paths) && (await answers(record.socket)))
      return ok({ ...record, started: !running })
    // Another may have been faster, and is about to serve.
    if (child?.ended() && !isRunning(paths))
      return fail('no-daemon', `loopd could not be started. ${child.said()}`)
    await delay(pollMs)
  }
  return silent(readRecord(paths))
}

export function silent(record: DaemonRecord | null): Result<never> {
  const who = record ? `process ${record.pid}` : 'its process'
  const pid = record?.pid ?? '<pid>'
  return fail(
    'no-daemon',
    `loopd runs (${who}) but does not answer. If it was stopped: kill -CONT ${pid}. If it hangs: kill -9 ${pid}, then: loopd start. Nothing is lost, and agents go on.`,
  )
}

/** As bin/loopd does it. */
export function daemonProgram(): [string, ...string[]] {
  return [process.execPath, '--max-semi-space-size=1', join(import.meta.dirname, 'loopd.cjs')]
}

function spawnDaemon(env: NodeJS.ProcessEnv, paths: Paths) {
  makeDirectory(paths.data)
  const log = openSync(paths.daemon.stderr, 'w', 0o600)
  const [node, ...args] = daemonProgram()
  const child = spawn(node, [...args, 'start', '--foreground'], {
    // Not where the user is: that may be a disk that is to be taken out.
    cwd: paths.data,
    env,
    detached: true,
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  let ended = false
  child.once('exit', () => {
    ended = true
  })
  child.once('error', () => {
    ended = true
  })
  child.unref()
  return {
    ended: () => ended,
    said: () =>
      readFileSync(paths.daemon.stderr, 'utf8')
        .trim()
        .replace(/^loopd: /, '')
        .slice(-2_000),
  }
}

/** Gives a queued loop to loopd. Where that cannot be started, the loop is queued all the same, which is said. */
export async function handOver(
  id: string,
  env: NodeJS.ProcessEnv,
): Promise<Result<DaemonRecord & { started: boolean }>> {
  const daemon = await ensureDaemon(env)
  if (daemon.ok) return daemon
  return fail('no-daemon', `Loop ${id} is queued, but nobody will take it up. ${daemon.failure.message}`)
}

/** The same, said at the terminal. */
export async function underDaemon(
  id: string,
  input: Input,
  kind: 'loop' | 'group' = 'loop',
): Promise<Result<number>> {
  const daemon = await handOver(id, input.env)
  if (input.given('json')) out(jsonText({ id }))
  else if (daemon.ok) {
    if (daemon.value.started) err(`loop: loopd was started (process ${daemon.value.pid}).`)
    const place = await placeOf(id, daemon.value.socket, input)
    const words = `${id} ${place}. See it with: loop status ${id}`
    out(kind === 'group' ? `Group ${words}, loop status ${id} -w` : `Loop ${words}, loop logs ${id} -f`)
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

/** Null where it has its turn, or is about to. */
async function turnWords(id: string, socket: string): Promise<string | null> {
  const { call } = await import('../../server/api/client.ts')
  const asked = await call(socket, 'daemon')
  if (!asked.ok) return null
  const { running, limit } = asked.value
  if (running.length < limit || running.includes(id)) return null
  return `waits for its turn: ${running.length} of ${limit} loops run (max_concurrent_loops)`
}

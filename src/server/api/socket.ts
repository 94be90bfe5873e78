/**
 * The listening addresses of loopd: a Unix socket that only its user can reach, and a port of this machine. It
 * chooses a place that is writable, private and short enough, removes a socket only if nobody answers on it, and
 * describes obstacles in words.
 */
import { accessSync, chmodSync, constants, lstatSync, rmSync } from 'node:fs'
import type { Server } from 'node:http'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { fail, ok, type Result } from '../../model/failure.ts'
import { makeDirectory } from '../../store/files/directory.ts'
import type { Paths } from '../../store/files/paths.ts'

/** The longest path that fits into a socket address, without the terminator. */
const mostPathBytes = 107
const systemDir = '/run/daedalos'

/** The path of the socket: the user's setting, otherwise the first suitable place. */
export function chooseSocket(env: NodeJS.ProcessEnv, paths: Paths): Result<string> {
  const wanted = env['LOOPD_SOCKET']
  if (wanted) {
    const why = unfit(wanted, false)
    return why ? fail('no-daemon', { kind: 'socket-unusable', path: wanted, why }) : ok(wanted)
  }
  const runtime = env['XDG_RUNTIME_DIR']
  const places = [
    ...(lstatSync(systemDir, { throwIfNoEntry: false }) ? [join(systemDir, 'loopd.sock')] : []),
    ...(runtime?.startsWith('/') ? [join(runtime, 'daedalos', 'loopd.sock')] : []),
    join(paths.data, 'loopd.sock'),
  ]
  const problems = places.map(place => unfit(place, true))
  const good = places.find((_, i) => problems[i] === null)
  if (good) return ok(good)
  const said = places.map((place, i) => `${place} ${problems[i]}`).join('; ')
  return fail('no-daemon', { kind: 'no-place-for-socket', why: said })
}

/** Why a socket cannot be there; null if it can. */
function unfit(path: string, isOurs: boolean): string | null {
  if (!path.startsWith('/')) return 'is not a whole path'
  const bytes = Buffer.byteLength(path)
  if (bytes > mostPathBytes) return `is too long for a socket (${bytes} of ${mostPathBytes} bytes)`
  const dir = dirname(path)
  try {
    makeDirectory(dir)
    accessSync(dir, constants.W_OK | constants.X_OK)
  } catch (error) {
    return `cannot be made (${(error as Error).message})`
  }
  const stat = lstatSync(dir)
  const others = stat.mode & (isOurs ? 0o077 : 0o022)
  const mine = process.getuid?.() === stat.uid
  if (!stat.isDirectory() || !mine || others !== 0) return 'is in a directory that others can reach'
  return null
}

export type Listening = { inode: number }

/** Listens on the socket; a stale one is replaced, one that answers is left alone. */
export async function listenLocally(server: Server, path: string): Promise<Result<Listening>> {
  const there = lstatSync(path, { throwIfNoEntry: false })
  if (there && !there.isSocket()) {
    return fail('no-daemon', { kind: 'not-a-socket', path })
  }
  if (there && (await answers(path))) {
    return fail('no-daemon', { kind: 'socket-taken', path })
  }
  if (there) rmSync(path, { force: true })
  const mask = process.umask(0o177)
  const listening = begun(server, () => server.listen(path))
  process.umask(mask)
  const why = await listening
  if (why !== null) return fail('no-daemon', { kind: 'cannot-listen', path, why })
  chmodSync(path, 0o600)
  return ok({ inode: lstatSync(path).ino })
}

/** Null if it listens on the port; otherwise the reason. */
export async function listenOnPort(server: Server, port: number): Promise<string | null> {
  const why = await begun(server, () => server.listen(port, '127.0.0.1'))
  if (why === null) return null
  if (!why.includes('EADDRINUSE')) return `port ${port} cannot be used (${why})`
  return `port ${port} is taken by another program; choose one with: loop config set web_ui_port <port>`
}

function begun(server: Server, listen: () => void): Promise<string | null> {
  return new Promise(resolve => {
    const onError = (error: Error) => {
      server.off('listening', onListening)
      resolve(error.message)
    }
    const onListening = () => {
      server.off('error', onError)
      resolve(null)
    }
    server.once('error', onError)
    server.once('listening', onListening)
    listen()
  })
}

/** Tells whether somebody accepts a connection there. */
export function answers(path: string): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(path)
    const end = (found: boolean) => {
      socket.destroy()
      resolve(found)
    }
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
  })
}

/** Removes the socket if it is still the one that we made. */
export function removeSocket(path: string, { inode }: Listening): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.ino === inode) rmSync(path, { force: true })
}

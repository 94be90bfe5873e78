/**
 * Where loopd listens: a Unix socket that only its user can reach, and a port of this machine. Chooses a place
 * that is writable, private and short enough; removes a socket only when nobody answers on it any more; says in
 * words what is in the way.
 */
import { accessSync, chmodSync, constants, lstatSync, rmSync } from 'node:fs'
import type { Server } from 'node:http'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { fail, ok, type Result } from '../../model/failure.ts'
import { makeDirectory } from '../../store/files/directory.ts'
import type { Paths } from '../../store/files/paths.ts'

/** What fits into the address of a socket, without its end. */
const mostPathBytes = 107
const systemDir = '/run/daedalos'

/** Where it should be: what the user says, else the first place that will do. */
export function chooseSocket(env: NodeJS.ProcessEnv, paths: Paths): Result<string> {
  const wanted = env['LOOPD_SOCKET']
  if (wanted) {
    const why = unfit(wanted, false)
    return why ? fail('no-daemon', `$LOOPD_SOCKET cannot be used: ${wanted} ${why}.`) : ok(wanted)
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
  return fail('no-daemon', `There is no place for the socket of loopd: ${said}. Name one with $LOOPD_SOCKET.`)
}

/** Why a socket cannot be there; null when it can. */
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
    return fail(
      'no-daemon',
      `${path} is there and is not a socket. Move it away, or name another place with $LOOPD_SOCKET.`,
    )
  }
  if (there && (await answers(path))) {
    return fail(
      'no-daemon',
      `Another process serves ${path}, and it is not the loopd of this data directory. End it, or name another place with $LOOPD_SOCKET.`,
    )
  }
  if (there) rmSync(path, { force: true })
  const mask = process.umask(0o177)
  const listening = begun(server, () => server.listen(path))
  process.umask(mask)
  const why = await listening
  if (why !== null) return fail('no-daemon', `loopd cannot listen on ${path}: ${why}.`)
  chmodSync(path, 0o600)
  return ok({ inode: lstatSync(path).ino })
}

/** Null when it listens on the port of this machine; else why not. */
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

/** Whether somebody takes a connection there. */
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

/** Removes the socket if it is still the one we made. */
export function removeSocket(path: string, { inode }: Listening): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.ino === inode) rmSync(path, { force: true })
}

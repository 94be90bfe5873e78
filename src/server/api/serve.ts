/**
 * Serves the API on the socket and on the port, and maintains both: a removed socket file is created again, a port
 * in use is tried again, and a newly configured port is moved to. Clients without access cannot use up the port.
 */

import { lstatSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'
import { failureWords } from '../../failures/words.ts'
import { ok, type Result } from '../../model/failure.ts'
import type { Paths } from '../../store/files/paths.ts'
import { appOf, type Service } from './app.ts'
import type { Credentials } from './credentials.ts'
import { type Guard, hasAccess } from './guard.ts'
import { chooseSocket, type Listening, listenLocally, listenOnPort, removeSocket } from './socket.ts'

export type Serving = {
  socket: string
  web: { url: string | null; problem: string | null }
  /** Maintains both; returns the problem, if there is one. */
  keep(): Promise<string | null>
  close(): void
}

type Served = {
  env: NodeJS.ProcessEnv
  paths: Paths
  service: Service
  entry: Credentials
  port(): number
  hosts(): readonly string[]
}

export async function serveApi(served: Served): Promise<Result<Serving>> {
  const chosen = chooseSocket(served.env, served.paths)
  if (!chosen.ok) return chosen
  const socket = chosen.value
  const { service } = served
  const local = () => serverOf(appOf(service, null), service.failed)
  const first = await listenLocally(local(), socket)
  if (!first.ok) return first
  let listening: Listening = first.value
  const web = { url: null as string | null, problem: null as string | null }
  let page: { port: number; server: Server } | null = null
  const openWeb = async () => {
    const port = served.port()
    if (page?.port === port) return
    page?.server.close()
    page?.server.closeAllConnections()
    const guard = { port, entry: served.entry, hosts: served.hosts, now: Date.now }
    const server = serverOf(appOf(service, guard), service.failed)
    limitStrangers(server, guard)
    web.problem = await listenOnPort(server, port)
    web.url = web.problem === null ? `http://127.0.0.1:${port}/` : null
    page = web.problem === null ? { port, server } : null
  }
  await openWeb()
  return ok({
    socket,
    web,
    async keep() {
      await openWeb()
      if (lstatSync(socket, { throwIfNoEntry: false })?.ino === listening.inode) return null
      const again = await listenLocally(local(), socket)
      if (again.ok) listening = again.value
      return again.ok ? null : failureWords(again.failure)
    },
    // The servers are not closed: closing one removes the socket file, whoever made it.
    close: () => removeSocket(socket, listening),
  })
}

const headerMs = 5_000
/** How often Node looks for connections that have exceeded a limit; its default is 30 s. */
const checkMs = 1_000
const requestMs = 30_000
const mostConnections = 512

function serverOf(app: Hono, failed: Service['failed']): Server {
  const server = createServer({
    headersTimeout: headerMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: checkMs,
    maxHeaderSize: 16_384,
  })
  server.maxConnections = mostConnections
  const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false })
  server.on('request', (request, response) => {
    answer(request, response).catch(failed)
  })
  // A connection that could not be accepted (no file descriptors left) is no reason to end.
  server.on('error', error => server.listening && failed(error))
  server.on('upgrade', (_, socket: Duplex) => {
    // Node has removed its own listener: without this one, a client that resets the connection would end loopd.
    socket.on('error', () => undefined)
    socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
  })
  return server
}

/** A browser opens six connections at once. */
const mostStrangers = 64

/**
 * Limits the connections that have not shown a token or a key yet. Anybody on this machine can open them and send half
 * a request, so there are few at a time: for one too many the oldest is dropped. Those with access do not count, and
 * keep the rest of the connections.
 */
function limitStrangers(server: Server, guard: Guard): void {
  // In the order of their last sign of life.
  const strangers = new Set<Socket>()
  const known = new WeakSet<Socket>()
  server.on('connection', (socket: Socket) => {
    strangers.add(socket)
    socket.once('close', () => strangers.delete(socket))
    const [oldest] = strangers
    if (strangers.size > mostStrangers) oldest?.destroy()
  })
  // Before the request is answered: it was read whole, so its connection is the last to be dropped.
  server.prependListener('request', (request: IncomingMessage) => {
    const { socket } = request
    strangers.delete(socket)
    if (hasAccess(request.headers.authorization, guard)) known.add(socket)
    else if (!known.has(socket)) strangers.add(socket)
  })
}

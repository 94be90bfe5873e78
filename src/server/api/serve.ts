/**
 * Serves the API on the socket and on the port, and keeps both: a socket file that was removed is made again, a
 * port that was taken is tried again, one that is configured anew is moved to.
 */
import { lstatSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'
import { ok, type Result } from '../../model/failure.ts'
import type { Paths } from '../../store/files/paths.ts'
import { type Answers, appOf } from './app.ts'
import type { Credentials } from './credentials.ts'
import { chooseSocket, type Listening, listenLocally, listenOnPort, removeSocket } from './socket.ts'

export type Serving = {
  socket: string
  web: { url: string | null; problem: string | null }
  /** Looks after both; says what is wrong, if something is. */
  keep(): Promise<string | null>
  close(): void
}

type Served = {
  env: NodeJS.ProcessEnv
  paths: Paths
  answers: Answers
  entry: Credentials
  port(): number
  failed(error: unknown): void
}

export async function serveApi(served: Served): Promise<Result<Serving>> {
  const chosen = chooseSocket(served.env, served.paths)
  if (!chosen.ok) return chosen
  const socket = chosen.value
  const { answers, failed } = served
  const local = () => serverOf(appOf(answers, null, failed), failed)
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
    const server = serverOf(appOf(answers, { port, entry: served.entry, now: Date.now }, failed), failed)
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
      return again.ok ? null : again.failure.message
    },
    // Not the servers themselves: closing one removes the socket file, whoever made it.
    close: () => removeSocket(socket, listening),
  })
}

const headerMs = 10_000
const requestMs = 30_000
const mostConnections = 512

function serverOf(app: Hono, failed: Served['failed']): Server {
  const server = createServer({ headersTimeout: headerMs, requestTimeout: requestMs, maxHeaderSize: 16_384 })
  server.maxConnections = mostConnections
  const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false })
  server.on('request', (request, response) => {
    answer(request, response).catch(failed)
  })
  // A connection that could not be accepted (no file descriptors left) is no reason to end.
  server.on('error', error => server.listening && failed(error))
  server.on('upgrade', (_, socket: Duplex) => {
    // Node has taken its own listener off: without this one a client that resets the connection ends loopd.
    socket.on('error', () => undefined)
    socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
  })
  return server
}

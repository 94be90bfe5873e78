/**
 * Connections to the port that have not shown a token or a key yet. Anybody on this machine can open them and send
 * half a request, so there are few at a time: for one too many the oldest is dropped. Whoever has access is counted
 * no more, and keeps the rest of the connections.
 */
import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'

/** A browser opens six connections at once. */
const mostStrangers = 64

export function limitStrangers(server: Server, hasAccess: (request: IncomingMessage) => boolean): void {
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
    if (hasAccess(request)) known.add(socket)
    else if (!known.has(socket)) strangers.add(socket)
  })
}

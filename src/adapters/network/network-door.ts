/**
 * A program inside of a sandbox without a network, before its command: it opens the sockets at which the command finds
 * the guard, and sends them out to it. They stay open when this program has ended: no process is in the sandbox that
 * an agent could end together with its own.
 *
 *   network-door HOST:PORT...     in the order of the guard, its proxy last
 */
import { createServer, type Server } from 'node:net'

async function main(places: string[]): Promise<void> {
  // The guard is gone, or has not understood.
  process.once('disconnect', () => process.exit(125))
  for (const [index, place] of places.entries()) {
    const server = await listening(place)
    const taken = new Promise(resolve => process.once('message', resolve))
    process.send?.(index, server)
    await taken
    server.close()
  }
}

function listening(place: string): Promise<Server> {
  const at = place.lastIndexOf(':')
  const server = createServer()
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host: place.slice(0, at), port: Number(place.slice(at + 1)) }, () => resolve(server))
  })
}

main(process.argv.slice(2)).then(
  () => process.exit(0),
  (error: Error) => {
    process.stderr.write(`loop: ${error.message}\n`)
    process.exit(125)
  },
)

/**
 * A stand-in for `opencode serve`: the routes that the driver uses, and an event stream that does what `$STREAM` says.
 * `quiet`: nothing for `$QUIET_MS`, then the end. Without the variable, the end at once.
 */
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'

const { STREAM = '', QUIET_MS = '0' } = process.env
let stream = null

const event = (type, properties) => stream?.write(`data: ${JSON.stringify({ type, properties })}\n\n`)

/** The ways in which the stream can break: what is sent instead of the last event. */
const broken = {
  cut: () => stream.end('data: {"type":"session.idle","properties":{"sess'),
  'cut line': () => stream.write('data: {"type":"session.idle","properties":{"sess\n\n'),
  html: () => stream.end('<!DOCTYPE html><h1>502 Bad Gateway</h1>\n'),
  long: () => {
    const piece = 'x'.repeat(1_000_000)
    const write = left => (left === 0 ? stream.end('"}}\n\n') : stream.write(piece, () => write(left - 1)))
    stream.write('data: {"type":"session.idle","properties":{"sessionID":"s1","x":"')
    write(100)
  },
}

function work() {
  event('session.status', { sessionID: 's1', status: { type: 'busy' } })
  if (broken[STREAM]) return broken[STREAM]()
  setTimeout(() => {
    writeFileSync('done', '')
    event('session.idle', { sessionID: 's1' })
  }, Number(QUIET_MS))
}

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url, 'http://x')
  const send = (status, body) => response.writeHead(status).end(body)
  if (STREAM === 'html answer' && pathname === '/session') return send(200, '<!DOCTYPE html><h1>Hello</h1>')
  if (STREAM === 'html error' && pathname === '/session')
    return send(502, '<!DOCTYPE html><h1>Bad Gateway</h1>')
  if (pathname === '/event') {
    stream = response.writeHead(200, { 'content-type': 'text/event-stream' })
    return stream.write(': hello\n\n')
  }
  if (pathname.endsWith('/prompt_async')) {
    send(204)
    return work()
  }
  send(200, JSON.stringify(pathname.endsWith('/children') ? [] : { id: 's1', cost: 0.5 }))
})
server.requestTimeout = 0
server.listen(0, '127.0.0.1', () => {
  console.log(`opencode server listening on http://127.0.0.1:${server.address().port}`)
})

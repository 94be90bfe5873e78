/**
 * What an agent may try to get out of the network of its sandbox, and the servers outside that would hear it. Each
 * attempt sends a word of its own: whoever hears it says that the attempt got out. Nothing leaves this machine.
 */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import type { TestContext } from 'node:test'

export type NetworkEscape = {
  /** Also the word. */
  name: string
  attempt: string
  /** It needs no proxy, so that it gets out without a sandbox. */
  control?: true
  /** The text is sent to the proxy, as all such texts by one process: `attempt` is its argument. */
  byProxy?: true
}

/** The attempts as a shell script, which writes `tried` after each. */
export function scriptOf(rows: readonly NetworkEscape[]): string {
  const proxied = rows.filter(({ byProxy }) => byProxy)
  const commands = rows.filter(({ byProxy }) => !byProxy).map(({ attempt }) => attempt)
  if (proxied.length > 0)
    commands.push(`node send.cjs proxy ${proxied.map(({ attempt }) => attempt).join(' ')}`)
  return `${commands.map(command => `( ${command}\n) >>log 2>&1; echo tried >>log`).join('\n')}\nexit 0\n`
}

/**
 * `send tcp HOST PORT TEXT`, `send udp PORT TEXT`, `send dns PORT NAME`, `send abstract NAME TEXT` and
 * `send proxy TEXT...` (to the proxy that the environment names, one after the other, with `sent` after each), all from
 * the tree.
 */
export const sender = `const [how, ...rest] = process.argv.slice(2)
const net = require('node:net')
const done = () => process.exit(0)
setTimeout(done, 30000)
const spoken = text => text.replaceAll('|', '\\r\\n')
const stream = (to, text, then = done) => {
  let over = false
  const end = () => over || ((over = true), then())
  net.connect(to).on('error', end).on('close', end).on('data', () => {}).end(spoken(text))
}
if (how === 'tcp') stream({ host: rest[0], port: Number(rest[1]) }, rest[2])
if (how === 'abstract') stream({ path: '\\0' + rest[0] }, rest[1])
const proxy = { host: '127.0.0.1', port: Number((process.env.HTTP_PROXY ?? ':1').split(':').at(-1)) }
const next = () => {
  const text = rest.shift()
  text === undefined ? done() : stream(proxy, text, () => { console.log('sent'); next() })
}
if (how === 'proxy') next()
if (how === 'udp') require('node:dgram').createSocket('udp4').on('error', done).send(rest[1], Number(rest[0]), '127.0.0.1', done)
if (how === 'dns') {
  const resolver = new (require('node:dns').Resolver)({ timeout: 200, tries: 1 })
  resolver.setServers(['127.0.0.1:' + rest[0]])
  resolver.resolve4(rest[1], done)
}
`

const proxied = (name: string, text: string): NetworkEscape => ({
  name,
  attempt: `"${text.replaceAll('WORD', name)}"`,
  byProxy: true,
})
const get = (url: string, host = 'x') => `GET ${url} HTTP/1.1|Host: ${host}|Connection: close||`
const tunnel = (to: string) => `CONNECT ${to} HTTP/1.1|Host: ${to}||${get('/WORD')}`

/** PORT: of a server that is not listed, on 127.0.0.1; OPEN: of the listed one on 127.0.0.2. */
export const networkEscapes: NetworkEscape[] = [
  { name: 'tcp-to-loopback', attempt: 'node send.cjs tcp 127.0.0.1 $PORT tcp-to-loopback', control: true },
  { name: 'tcp-to-listed', attempt: 'node send.cjs tcp 127.0.0.2 $OPEN tcp-to-listed', control: true },
  { name: 'udp', attempt: 'node send.cjs udp $UDP udp', control: true },
  { name: 'dns', attempt: 'node send.cjs dns $UDP dns.secret.example', control: true },
  { name: 'abstract', attempt: 'node send.cjs abstract "$ABSTRACT" abstract', control: true },
  {
    name: 'entered',
    attempt: 'nsenter -t 1 -n node send.cjs tcp 127.0.0.1 $PORT entered',
  },
  {
    name: 'parent',
    attempt:
      'for p in /proc/[0-9]*; do nsenter --net=$p/ns/net node send.cjs tcp 127.0.0.1 $PORT parent; done',
  },
  { name: 'unshared', attempt: 'unshare -Urn node send.cjs tcp 127.0.0.1 $PORT unshared' },
  proxied('address', get('http://127.0.0.1:$PORT/WORD')),
  proxied('address-tunnel', tunnel('127.0.0.1:$PORT')),
  proxied('name', get('http://localhost:$PORT/WORD')),
  proxied('name-tunnel', tunnel('localhost:$PORT')),
  proxied('number', tunnel('2130706433:$PORT')),
  proxied('hexadecimal', get('http://0x7f000001:$PORT/WORD')),
  proxied('short', tunnel('127.1:$PORT')),
  proxied('mapped', tunnel('[::ffff:127.0.0.1]:$PORT')),
  proxied('unspecified', tunnel('0.0.0.0:$PORT')),
  proxied('another-port', tunnel('127.0.0.2:$PORT')),
  proxied('user-info', get('http://127.0.0.2:$OPEN@127.0.0.1:$PORT/WORD')),
  proxied('user-info-tunnel', tunnel('127.0.0.2:$OPEN@127.0.0.1:$PORT')),
  proxied('another-host', get('/WORD', '127.0.0.1:$PORT')),
  proxied(
    'second',
    `GET http://127.0.0.2:$OPEN/ HTTP/1.1|Host: 127.0.0.2||${get('http://127.0.0.1:$PORT/WORD')}`,
  ),
  proxied(
    'smuggled',
    `POST http://127.0.0.2:$OPEN/ HTTP/1.1|Host: x|Content-Length: 4|Transfer-Encoding: chunked||0||${get('http://127.0.0.1:$PORT/WORD')}`,
  ),
  proxied(
    'folded',
    `GET http://127.0.0.2:$OPEN/ HTTP/1.1|Host: x|Connection: host|X: y| GET http://127.0.0.1:$PORT/WORD||`,
  ),
]

export type Listening = {
  /** Everything that was heard outside of what is listed, and whether a word is in it. */
  hasHeard(word: string): boolean
  env: Record<string, string>
  /** What the listed server was asked for. */
  asked(): string
}

/** The servers of the user. The listed one hears what comes straight to it, which is not what is permitted. */
export async function serversOutside(t: TestContext): Promise<Listening> {
  let heard = ''
  let asked = ''
  const hear = (server: Server) =>
    server.on('connection', socket => {
      socket.on('error', () => {})
      socket.on('data', text => {
        heard += text
        socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
      })
    })
  const open = createServer(socket => {
    socket.on('error', () => {})
    socket.on('data', text => {
      asked += text
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi')
    })
  })
  const closed = hear(createServer())
  const abstract = hear(createServer())
  const udp = createSocket('udp4').on('message', text => {
    heard += text.toString('latin1')
  })
  t.after(() => {
    for (const server of [open, closed, abstract, udp]) server.close()
  })
  const name = `loop-test-${process.pid}-${performance.now()}`
  open.listen(0, '127.0.0.2')
  closed.listen(0, '127.0.0.1')
  abstract.listen(`\0${name}`)
  udp.bind(0, '127.0.0.1')
  await Promise.all([open, closed, abstract, udp].map(server => once(server, 'listening')))
  // The same port on both addresses: only one of them is listed.
  const { port } = closed.address() as AddressInfo
  const beside = hear(createServer()).listen(port, '127.0.0.2')
  await once(beside, 'listening')
  t.after(() => beside.close())
  return {
    hasHeard: word => heard.includes(word) || asked.startsWith(word) || asked.includes(`\n${word}`),
    env: {
      PORT: String(port),
      OPEN: String((open.address() as AddressInfo).port),
      UDP: String(udp.address().port),
      ABSTRACT: name,
    },
    asked: () => asked,
  }
}

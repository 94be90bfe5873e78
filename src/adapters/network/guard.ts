/**
 * The proxy through which a run in a sandbox reaches the hosts of a list, and no others: CONNECT, and requests of plain
 * HTTP with an absolute address. It decides by the name and the port that are asked for, and connects to what that name
 * means here. It reads nothing of what goes through a tunnel.
 */
import { lookup as resolveName } from 'node:dns/promises'
import { once } from 'node:events'
import {
  type ClientRequest,
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as plainRequest,
  request,
  type Server,
  type ServerResponse,
} from 'node:http'
import { request as secureRequest } from 'node:https'
import { BlockList, connect, isIP, type LookupFunction } from 'node:net'
import { type Duplex, pipeline } from 'node:stream'
import { isListed } from '../../model/loop/network.ts'

const ofNode = /^(?:NODE|OPENSSL|SSL|UV)_/

const prefix = 'LOOP_HELD_'

/**
 * Variables that decide what Node itself loads and does. The guard of a network runs outside of the sandbox, with the
 * environment of the command on its way in: `NODE_OPTIONS=--require ./x.js` would run a file of the agent out there.
 * So they have another name until the guard starts the sandbox.
 */
export function held(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return renamed(env, name => (ofNode.test(name) ? `${prefix}${name}` : name))
}

export function released(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return renamed(env, name => (name.startsWith(prefix) ? name.slice(prefix.length) : name))
}

function renamed(env: NodeJS.ProcessEnv, rename: (name: string) => string): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [rename(name), value]))
}

type Address = { address: string; family: number }

type Guard = {
  list: readonly string[]
  /** What a client is told, besides the status. */
  refuse(host: string, why: 'not-listed' | 'private'): string
  resolve?(name: string): Promise<Address[]>
  /** Names a proxy of the user's network, if one is needed. */
  env?: NodeJS.ProcessEnv
}

type Target = { host: string; port: number }

type OpenRoute = { lookup: LookupFunction } | { upstream: URL } | { unknown: string }
type Route = OpenRoute | { refused: string }

export function guardServer(guard: Guard): Server {
  // A model may think for long, an agent may send for long, and a connection that it keeps must not end under a request.
  const patient = { requestTimeout: 0, keepAliveTimeout: 0 }
  const server = createServer(patient, (asked, answer) => void forward(guard, asked, answer))
  server.on('connect', (asked, socket, head) => void tunnel(guard, asked, { socket, head }))
  server.on('clientError', (_, socket) => refusal(socket, '400 Bad Request', ''))
  return server
}

/** Passes on what each of the two says to the other, until both have ended. */
export function join(one: Duplex, other: Duplex): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    if (from.destroyed) to.destroy()
    from.pipe(to)
    from.on('error', () => to.destroy())
    from.on('close', () => to.end(() => to.destroy()))
  }
}

const authority = /^(?:([\w.-]+)|\[([\da-f:.]+)\]):([1-9]\d{0,4})$/i

async function tunnel(
  guard: Guard,
  { url = '' }: IncomingMessage,
  { socket, head }: { socket: Duplex; head: Buffer },
): Promise<void> {
  socket.on('error', () => socket.destroy())
  const [, name, v6, port] = authority.exec(url) ?? []
  const host = name ?? v6
  if (host === undefined) return refusal(socket, '400 Bad Request', '')
  const target = { host: plain(host), port: Number(port) }
  const route = await routeTo(guard, target, true)
  if ('refused' in route) return refusal(socket, '403 Forbidden', route.refused)
  const to = await reached(route, target).catch((error: Error) => error)
  if (to instanceof Error) return refusal(socket, '502 Bad Gateway', to.message)
  socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
  to.write(head)
  join(socket, to)
}

/** A connection to what was permitted. */
async function reached(route: OpenRoute, target: Target): Promise<Duplex> {
  if ('upstream' in route) return tunnelThrough(route.upstream, target)
  if ('unknown' in route) throw new Error(route.unknown)
  const to = connect({ ...target, lookup: route.lookup, allowHalfOpen: true })
  await once(to, 'connect')
  return to
}

function refusal(socket: Duplex, status: string, text: string): void {
  if (!socket.writable) return
  const fields = [
    'Content-Type: text/plain',
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Connection: close',
  ]
  socket.end([`HTTP/1.1 ${status}`, ...fields, '', text].join('\r\n'))
}

async function forward(guard: Guard, asked: IncomingMessage, answer: ServerResponse): Promise<void> {
  const say = (status: number, text: string) => {
    if (answer.headersSent) answer.destroy()
    else answer.writeHead(status, { 'Content-Type': 'text/plain', Connection: 'close' }).end(text)
  }
  const url = URL.canParse(asked.url ?? '') ? new URL(asked.url ?? '') : null
  if (url?.protocol !== 'http:' || url.username || url.password) return say(400, '')
  const target = { host: plain(url.hostname.replaceAll(/[[\]]/g, '')), port: Number(url.port || 80) }
  const route = await routeTo(guard, target, false)
  if ('refused' in route) return say(403, route.refused)
  if ('unknown' in route) return say(502, route.unknown)
  // The host that was judged, whatever the request calls it.
  const headers = { ...passedOn(asked), host: url.host }
  const { method } = asked
  const onward =
    'upstream' in route
      ? askedOf(route.upstream, { method, url, headers })
      : request({
          ...target,
          lookup: route.lookup,
          agent: false,
          method,
          path: `${url.pathname}${url.search}`,
          headers,
        })
  onward.once('response', from => {
    answer.writeHead(from.statusCode ?? 502, passedOn(from))
    pipeline(from, answer, () => {})
  })
  onward.on('error', error => say(502, error.message))
  answer.once('close', () => onward.destroy())
  pipeline(asked, onward, () => {})
}

type ProxyRequest = { method: string | undefined; url: URL; headers: OutgoingHttpHeaders }

function askedOf(upstream: URL, { method, url, headers }: ProxyRequest): ClientRequest {
  const { send, headers: own, ...proxy } = upstreamOptions(upstream)
  return send({ ...proxy, method, path: url.href, headers: { ...headers, ...own }, agent: false })
}

const ofOneConnection = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]

function passedOn({ headersDistinct }: IncomingMessage): NodeJS.Dict<string[]> {
  const named = (headersDistinct['connection'] ?? []).flatMap(text => text.toLowerCase().split(/\s*,\s*/))
  const left = new Set([...ofOneConnection, ...named])
  return Object.fromEntries(Object.entries(headersDistinct).filter(([name]) => !left.has(name)))
}

/** As in the list: lower case, without the dot of a full name. */
function plain(host: string): string {
  return host.toLowerCase().replace(/\.$/, '')
}

async function routeTo(guard: Guard, target: Target, isTunnel: boolean): Promise<Route> {
  const { host, port } = target
  const shown = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`
  if (!isListed(guard.list, target)) return { refused: guard.refuse(shown, 'not-listed') }
  const upstream = upstreamFor(guard.env ?? {}, target, isTunnel)
  if (upstream) return { upstream }
  if (isIP(host)) return { lookup: fixed([{ address: host, family: isIP(host) }]) }
  const found = await addressesOf(guard, host)
  if (found.length === 0) return { unknown: `${host}: no address` }
  // A name can be pointed at this machine or at a neighbour by whoever owns it: those are reached if they are listed.
  const open = found.filter(
    ({ address }) =>
      host === 'localhost' || !isPrivate(address) || isListed(guard.list, { host: address, port }),
  )
  return open.length > 0 ? { lookup: fixed(open) } : { refused: guard.refuse(shown, 'private') }
}

async function addressesOf({ resolve = everyAddress }: Guard, host: string): Promise<Address[]> {
  try {
    return await resolve(host)
  } catch {
    return [] // nobody knows the name, or nobody can be asked
  }
}

function everyAddress(name: string): Promise<Address[]> {
  return resolveName(name, { all: true })
}

/** The addresses that were judged are those that are connected to: the name is not resolved again. */
function fixed(addresses: Address[]): LookupFunction {
  return (_, { all }, callback) => {
    if (all) callback(null, addresses)
    else callback(null, addresses[0]?.address ?? '', addresses[0]?.family)
  }
}

const privateNets = new BlockList()
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const)
  privateNets.addSubnet(net, bits, 'ipv4')
for (const [net, bits] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
  // Ways to write an address of version 4.
  ['64:ff9b::', 96],
  ['2002::', 16],
] as const)
  privateNets.addSubnet(net, bits, 'ipv6')

/** Of this machine, of its network, or of no single host. A mapped address (::ffff:10.0.0.1) counts as what it maps. */
function isPrivate(address: string): boolean {
  return privateNets.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

/**
 * The proxy of the user's own network, by the usual variables: where one is needed to get out, the guard asks it for
 * what it permits. That proxy resolves the names then.
 */

/** `isTunnel`: not for a single request of plain HTTP. Null if the host is reached without a proxy. */
function upstreamFor(env: NodeJS.ProcessEnv, { host }: Target, isTunnel: boolean): URL | null {
  const set = (name: string) => env[name.toLowerCase()] || env[name]
  const text = set(isTunnel ? 'HTTPS_PROXY' : 'HTTP_PROXY') || set('ALL_PROXY')
  const url = text && URL.canParse(text) ? new URL(text) : null
  if (!url || !['http:', 'https:'].includes(url.protocol)) return null
  return isExcepted(host, set('NO_PROXY') ?? '') ? null : url
}

/** `NO_PROXY=localhost,.example.com`: these and the names below them; this machine is always meant. */
function isExcepted(host: string, list: string): boolean {
  const names = list.split(',').map(name =>
    name
      .trim()
      .toLowerCase()
      .replace(/^\*?\./, ''),
  )
  const isNamed = names.some(name => name !== '' && (host === name || host.endsWith(`.${name}`)))
  return isNamed || names.includes('*') || host === 'localhost' || host === '::1' || host.startsWith('127.')
}

/** What a request to this proxy has, besides its target. */
function upstreamOptions({ protocol, hostname, port, username, password }: URL) {
  const words = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return {
    host: hostname.replaceAll(/[[\]]/g, ''),
    port: Number(port || (protocol === 'https:' ? 443 : 80)),
    headers: username ? { 'proxy-authorization': `Basic ${Buffer.from(words).toString('base64')}` } : {},
    send: protocol === 'https:' ? secureRequest : plainRequest,
  }
}

function tunnelThrough(upstream: URL, { host, port }: Target): Promise<Duplex> {
  const { send, headers, ...proxy } = upstreamOptions(upstream)
  const path = `${host.includes(':') ? `[${host}]` : host}:${port}`
  const asked = send({ ...proxy, method: 'CONNECT', path, headers: { ...headers, host: path }, agent: false })
  return new Promise((resolve, reject) => {
    asked.once('error', reject)
    asked.once('connect', ({ statusCode }, socket, head) => {
      if (statusCode !== 200) {
        socket.destroy()
        return reject(new Error(`the proxy ${upstream.host} answered ${statusCode}`))
      }
      socket.unshift(head)
      resolve(socket)
    })
    asked.end()
  })
}

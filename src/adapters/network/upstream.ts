/**
 * The proxy of the user's own network, by the usual variables: where one is needed to get out, the guard asks it for
 * what it permits. That proxy resolves the names then.
 */
import { request as plainRequest } from 'node:http'
import { request as secureRequest } from 'node:https'
import type { Duplex } from 'node:stream'

type Target = { host: string; port: number }

/** `isTunnel`: not for a single request of plain HTTP. Null if the host is reached without a proxy. */
export function upstreamFor(env: NodeJS.ProcessEnv, { host }: Target, isTunnel: boolean): URL | null {
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
export function upstreamOptions({ protocol, hostname, port, username, password }: URL) {
  const words = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return {
    host: hostname.replaceAll(/[[\]]/g, ''),
    port: Number(port || (protocol === 'https:' ? 443 : 80)),
    headers: username ? { 'proxy-authorization': `Basic ${Buffer.from(words).toString('base64')}` } : {},
    send: protocol === 'https:' ? secureRequest : plainRequest,
  }
}

export function tunnelThrough(upstream: URL, { host, port }: Target): Promise<Duplex> {
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

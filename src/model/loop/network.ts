/**
 * The hosts that a run in a sandbox may reach: how they are written, and whether one of them is meant. A host is
 * compared as text, before anybody resolves it: an address is reached by its name, or because it is listed itself.
 */

/** `host` in lower case, without brackets; `*.example.com` is every name below that one. */
type HostPorts = { host: string; ports: readonly number[] }

/** A host without a port means these. */
const usualPorts = [443, 80]
/** A process without rights cannot listen below this port, not even in a network of its own. */
const firstFreePort = 1024

const form =
  /^(?:(?<name>(?:\*\.)?[a-z\d_-]+(?:\.[a-z\d_-]+)*)|\[(?<v6>[\da-f:.]+)\])(?::(?<port>[1-9]\d{0,4}))?$/

/** Null if it is no host; this machine itself is reached by single ports only. */
export function parseReach(text: string): HostPorts | null {
  const { name, v6, port } = form.exec(text.trim().toLowerCase())?.groups ?? {}
  const host = name ?? v6
  if (host === undefined || Number(port ?? 0) > 65_535) return null
  if (/^\*\.[^.]+$/.test(host)) return null
  if (isThisMachine(host) && Number(port ?? 0) < firstFreePort) return null
  return { host, ports: port === undefined ? usualPorts : [Number(port)] }
}

/** `open`: everything; a list: these hosts, none if it is empty. Null if it is neither. */
export function parseNetwork(text: string): 'open' | string[] | null {
  if (text === 'open') return 'open'
  const hosts = text === 'none' ? [] : text.split(',').map(host => host.trim().toLowerCase())
  return hosts.every(host => parseReach(host) !== null) ? hosts : null
}

type HostPort = { host: string; port: number }

/** Tells whether a host with this port is in the list, by its text. */
export function isListed(list: readonly string[], { host, port }: HostPort): boolean {
  return list.some(text => {
    const reach = parseReach(text)
    if (!reach?.ports.includes(port)) return false
    return reach.host.startsWith('*.') ? host.endsWith(reach.host.slice(1)) : host === reach.host
  })
}

/**
 * The ports of this machine in a list, each with the address that the sandbox has for it. They are reached without a
 * proxy: programs do not ask one for this machine.
 */
export function ownPorts(list: readonly string[]): (HostPort & { at: string })[] {
  const found = list.flatMap(text => {
    const { host = '', ports = [] } = parseReach(text) ?? {}
    const at = host === 'localhost' ? '127.0.0.1' : host
    return isThisMachine(host) ? ports.map(port => ({ host, port, at })) : []
  })
  return [...new Map(found.map(one => [`${one.at} ${one.port}`, one])).values()]
}

function isThisMachine(host: string): boolean {
  return ['localhost', '127.0.0.1', '::1'].includes(host)
}

/** A host that was refused, with its port, and how often. */
export type RefusedHost = { host: string; times: number }

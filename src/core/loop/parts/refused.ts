/** The hosts that the sandbox refused to the agent and to the promise, and how often. */
import type { RefusedHost } from '../../../model/loop/network.ts'
import { type On, part } from './part.ts'

export type RefusedPart = { hosts: Record<string, number> }

/** A loop of many iterations can ask for ever more hosts. */
const mostHosts = 50

export const refusedPart = part((): RefusedPart => ({ hosts: {} }), {
  'run.ended': ({ hosts }, { data }) => withMore(hosts, data.refused),
  'promise.verified': ({ hosts }, { data: { results, mustNot = [] } }) =>
    withMore(
      hosts,
      [...results, ...mustNot].flatMap(({ refused = [] }) => refused),
    ),
} satisfies On<RefusedPart>)

function withMore(before: RefusedPart['hosts'], refused: readonly RefusedHost[] = []): RefusedPart | null {
  if (refused.length === 0) return null
  const hosts = { ...before }
  for (const { host, times } of refused) hosts[host] = (hosts[host] ?? 0) + times
  return { hosts: Object.fromEntries(Object.entries(hosts).slice(0, mostHosts)) }
}

/** `loop list`: all loops, newest first, by status, agent and age. */

import { type Status, statuses } from '../../core/loop/summary.ts'
import { invalid, ok, type Result } from '../../model/failure.ts'
import { parseSince } from '../../model/moment.ts'
import { parseLimit } from '../../model/units.ts'
import { agentNamed } from '../../options/agent.ts'
import { nearest } from '../../options/nearest.ts'
import type { Filter } from '../../store/contract.ts'
import { pathsFrom } from '../../store/files/paths.ts'
import { openStoreToRead } from '../../store/sqlite/open.ts'
import type { CommandRun, Input } from '../command-table.ts'
import { printLoops } from '../show/loops.ts'

const list: CommandRun = async input => {
  const filter = filterFrom(input)
  if (!filter.ok) return filter
  const store = openStoreToRead(pathsFrom(input.env))
  if (!store.ok) return store
  const none =
    Object.keys(filter.value).length === 0 ? undefined : 'No loop matches. All there are: loop list'
  return printLoops(store.value, input, {
    which: { all: filter.value },
    ...(none && { none }),
  })
}

function filterFrom(input: Input): Result<Filter> {
  const filter: Filter = {}
  const [agent, since, limit] = ['agent', 'since', 'limit'].map(flag => input.value(flag))
  if (input.positionals.length > 0) return invalid({ kind: 'takes-no-names', command: 'loop list' })
  const wanted = input
    .values('status')
    .flatMap(text => text.split(','))
    .map(text => text.trim())
  const unknown = wanted.find(status => !statuses.includes(status as Status))
  if (unknown !== undefined) {
    const near = nearest(unknown, statuses)
    return invalid({ kind: 'bad-status-flag', known: [...statuses], near, text: unknown })
  }
  if (wanted.length > 0) filter.status = wanted as Status[]
  if (agent) {
    const known = agentNamed(agent)
    if (!known.ok) return known
    filter.agent = known.value
  }
  if (since) {
    const moment = parseSince(since, Date.now())
    if (moment === null) return invalid({ kind: 'bad-since', text: since })
    filter.since = moment
  }
  if (limit) {
    const most = parseLimit(limit)?.limit
    if (!most) return invalid({ kind: 'bad-limit', text: limit })
    filter.limit = most
  }
  return ok(filter)
}

export default list

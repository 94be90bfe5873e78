/** `loop list`: all loops, newest first, by status, agent and age. */
import { type Status, statuses } from '../../core/loop/summary.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import { parseDuration, parseLimit } from '../../model/units.ts'
import type { Filter } from '../../store/contract.ts'
import { pathsFrom } from '../../store/files/paths.ts'
import { openStoreToRead } from '../../store/sqlite/open.ts'
import type { CommandRun, Input } from '../command-table.ts'
import { printLoops } from '../print-loops.ts'

const list: CommandRun = async input => {
  const filter = filterFrom(input)
  if (!filter.ok) return filter
  const store = openStoreToRead(pathsFrom(input.env))
  if (!store.ok) return store
  const none =
    Object.keys(filter.value).length === 0 ? undefined : 'No loop is like that. All there are: loop list'
  return printLoops(store.value, input, {
    which: { all: filter.value },
    ...(none && { none }),
  })
}

function filterFrom(input: Input): Result<Filter> {
  const filter: Filter = {}
  const [status, agent, since, limit] = ['status', 'agent', 'since', 'limit'].map(flag => input.value(flag))
  if (input.positionals.length > 0) return invalid('loop list takes no names; for one loop: loop status <id>')
  if (status) {
    if (!statuses.includes(status as Status))
      return invalid(`--status is one of ${statuses.join(', ')}; not "${status}".`)
    filter.status = status as Status
  }
  if (agent) filter.agent = agent
  if (since) {
    const age = parseDuration(since)
    if (age === null) return invalid(`--since is a time like 2h or 7d; not "${since}".`)
    filter.since = Date.now() - age
  }
  if (limit) {
    const most = parseLimit(limit)?.limit
    if (!most) return invalid(`--limit is a whole number of at least 1; not "${limit}".`)
    filter.limit = most
  }
  return ok(filter)
}

function invalid(message: string): Result<never> {
  return fail('invalid-arguments', message)
}

export default list

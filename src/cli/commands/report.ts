/** `loop report`: the results of all loops since a moment; reads the journals changed since then. */
import { recentOfGroup } from '../../core/group/summary.ts'
import { type RecentHistory, recentIn, reportOf } from '../../core/report.ts'
import { isGroup, type Summary } from '../../core/summary.ts'
import { reportJson } from '../../documents/report.ts'
import { withMembers } from '../../engine/shown/members.ts'
import { shown } from '../../engine/shown/orphans.ts'
import { fail, ok } from '../../model/failure.ts'
import type { GroupRecorded } from '../../model/group/event.ts'
import { parseSince } from '../../model/moment.ts'
import { redactAll, secretsIn } from '../../secrets/redact.ts'
import type { Store } from '../../store/contract.ts'
import { pathsFrom } from '../../store/files/paths.ts'
import { openStoreToRead } from '../../store/sqlite/open.ts'
import { reportLines } from '../../views/text/report.ts'
import type { CommandRun } from '../command-table.ts'
import { placeHere } from '../print-loops.ts'
import { out, outDocument } from '../terminal.ts'

const report: CommandRun = async input => {
  const until = Date.now()
  const typed = input.value('since') ?? ''
  const since = parseSince(typed, until)
  if (since === null) return fail('invalid-arguments', { kind: 'bad-since', text: typed })
  if (input.positionals.length > 0)
    return fail('invalid-arguments', { kind: 'takes-no-names', command: 'loop report' })
  const store = openStoreToRead(pathsFrom(input.env))
  if (!store.ok) return store
  const { loops, damaged } = store.value ? touchedIn(store.value, since) : { loops: [], damaged: [] }
  const made = reportOf(loops, { since, until })
  const secrets = secretsIn(input.env)
  if (input.given('json')) outDocument<'report'>(redactAll(reportJson(made, damaged), secrets))
  else out(redactAll(reportLines(made, placeHere(input.env)), secrets).join('\n'))
  if (damaged.length === 0) return ok(0)
  return fail('store-damaged', { kind: 'journals-not-counted', ids: damaged })
}

/** A group counts as one, with the work of its loops; a loop whose group did not change counts by itself. */
function touchedIn(store: Store, since: number) {
  const { summaries, damaged } = store.heads.touched(since)
  const groups = new Set(summaries.filter(isGroup).map(({ id }) => id))
  const isMember = ({ group }: Summary) => group !== null && groups.has(group)
  const unreadable = [...damaged]
  const eventsOf = (id: string) => {
    const events = store.journals.read(id)
    if (!events.ok) unreadable.push(id)
    return events.ok ? events.value : null
  }
  const recentOf = ({ id }: Summary): RecentHistory | null => {
    const events = eventsOf(id)
    if (!events || !groups.has(id)) return events && recentIn(events, since)
    const members = store.journals.inGroup(id).flatMap(member => {
      const own = eventsOf(member)
      return own ? recentIn(own, since) : []
    })
    return recentOfGroup(events as unknown as GroupRecorded[], members)
  }
  const hostOf = store.leases.finder()
  const shownRows = summaries.filter(one => !isMember(one)).map(one => shown(store, one, hostOf))
  const loops = withMembers(store, shownRows, hostOf).rows.flatMap(row => {
    const recent = recentOf(row.summary)
    return recent ? { ...row, recent } : []
  })
  return { loops, damaged: unreadable }
}

export default report

/** `loop report`: the results of all loops since a moment; reads the journals changed since then. */
import { recentOfGroup } from '../../core/group/summary.ts'
import { type RecentHistory, recentIn, reportOf } from '../../core/report.ts'
import { type ByKind, byKind, type Summary } from '../../core/summary.ts'
import { reportJson } from '../../documents/report.ts'
import { withMembers } from '../../engine/shown/members.ts'
import { shown } from '../../engine/shown/orphans.ts'
import { fail, invalid, ok } from '../../model/failure.ts'
import type { GroupRecorded } from '../../model/group/event.ts'
import { parseSince } from '../../model/moment.ts'
import { redactAll, secretsIn } from '../../secrets/redact.ts'
import type { Store } from '../../store/contract.ts'
import { pathsFrom } from '../../store/files/paths.ts'
import { openStoreToRead } from '../../store/sqlite/open.ts'
import { reportLines } from '../../views/text/report.ts'
import type { CommandRun } from '../command-table.ts'
import { placeHere } from '../show/loops.ts'
import { out, outDocument } from '../terminal.ts'

const report: CommandRun = async input => {
  const until = Date.now()
  const typed = input.value('since') ?? ''
  const since = parseSince(typed, until)
  if (since === null) return invalid({ kind: 'bad-since', text: typed })
  if (input.positionals.length > 0) return invalid({ kind: 'takes-no-names', command: 'loop report' })
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
  const touched = new Set(summaries.map(({ id }) => id))
  const isMember = ({ group }: Summary) => group !== null && touched.has(group)
  const unreadable = [...damaged]
  const eventsOf = (id: string) => {
    const events = store.journals.read(id)
    if (!events.ok) unreadable.push(id)
    return events.ok ? events.value : null
  }
  const recentOf = ({ id }: { id: string }): RecentHistory | null => {
    const events = eventsOf(id)
    return events && recentIn(events, since)
  }
  const recent: ByKind<RecentHistory | null> = {
    loop: recentOf,
    group({ id }) {
      const events = eventsOf(id)
      const members = () => store.journals.inGroup(id).flatMap(member => recentOf({ id: member }) ?? [])
      return events && recentOfGroup(events as unknown as GroupRecorded[], members())
    },
    newer: recentOf,
  }
  const hostOf = store.leases.finder()
  const shownRows = summaries.filter(one => !isMember(one)).map(one => shown(store, one, hostOf))
  const loops = withMembers(store, shownRows, hostOf).rows.flatMap(row => {
    const own = byKind(recent, row.summary)
    return own ? { ...row, recent: own } : []
  })
  return { loops, damaged: unreadable }
}

export default report

/** `loop report`: what became of all loops since a moment; reads the journals that were touched since then. */
import { latelyIn, reportOf } from '../../core/report.ts'
import { shown } from '../../engine/shown/orphans.ts'
import { fail, ok } from '../../model/failure.ts'
import { momentForms, parseSince } from '../../model/moment.ts'
import type { Store } from '../../store/contract.ts'
import { pathsFrom } from '../../store/files/paths.ts'
import { openStoreToRead } from '../../store/sqlite/open.ts'
import { reportJson } from '../../views/json/report.ts'
import { redactAll, secretsIn } from '../../views/secrets/redact.ts'
import { jsonText } from '../../views/text/plain-text.ts'
import { reportLines } from '../../views/text/report.ts'
import type { CommandRun } from '../command-table.ts'
import { placeHere } from '../print-loops.ts'
import { out } from '../terminal.ts'

const report: CommandRun = async input => {
  const until = Date.now()
  const typed = input.value('since') ?? ''
  const since = parseSince(typed, until)
  if (since === null) return fail('invalid-arguments', `--since is ${momentForms}; not "${typed}".`)
  if (input.positionals.length > 0)
    return fail('invalid-arguments', 'loop report takes no names; for one loop: loop status <id>')
  const store = openStoreToRead(pathsFrom(input.env))
  if (!store.ok) return store
  const { loops, damaged } = store.value ? touchedIn(store.value, since) : { loops: [], damaged: [] }
  const made = reportOf(loops, { since, until })
  const secrets = secretsIn(input.env)
  if (input.given('json')) out(jsonText(redactAll(reportJson(made, damaged), secrets)))
  else out(redactAll(reportLines(made, placeHere(input.env)), secrets).join('\n'))
  if (damaged.length === 0) return ok(0)
  return fail(
    'store-damaged',
    `The journals of these loops are damaged, and are in no sum: ${damaged.join(', ')}.`,
  )
}

function touchedIn(store: Store, since: number) {
  const { summaries, damaged } = store.heads.touched(since)
  const hostOf = store.leases.finder()
  const unreadable = [...damaged]
  const loops = summaries.flatMap(summary => {
    const events = store.journals.read(summary.id)
    if (!events.ok) unreadable.push(summary.id)
    return events.ok ? { ...shown(store, summary, hostOf), lately: latelyIn(events.value, since) } : []
  })
  return { loops, damaged: unreadable }
}

export default report

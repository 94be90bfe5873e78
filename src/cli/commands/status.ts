/** `loop status`: reads summary rows only, so that it stays instant however many loops there are. */
import { ok } from '../../model/failure.ts'
import { shown } from '../../server/api/detail.ts'
import { openStoreToRead } from '../../store/database.ts'
import { pathsFrom } from '../../store/paths.ts'
import { current, unknown } from '../../store/summary.ts'
import { detail, detailJson } from '../../views/status.ts'
import type { Run } from '../command.ts'
import { findLoop } from '../loops.ts'
import { printLoops } from '../print-loops.ts'
import { out } from '../terminal.ts'

/** Of the loops that have ended, this many are shown; `loop list` shows all. */
const endedShown = 10

const status: Run = async input => {
  const store = openStoreToRead(pathsFrom(input.env))
  if (!store.ok) return store
  if (input.positionals.length === 0)
    return printLoops(store.value, input, { choose: db => current(db, endedShown) })
  if (!store.value) return unknown(input.positionals.join(' '))
  const found = findLoop(store.value, input)
  if (!found.ok) return found
  const one = shown(store.value, found.value)
  const now = Date.now()
  // Loaded only here: the table, which must be instant, does not pay for it.
  const { redactAll, secretsIn } = await import('../../views/redact.ts')
  const secrets = secretsIn(input.env)
  out(
    input.given('json')
      ? JSON.stringify(redactAll(detailJson(one, now), secrets))
      : redactAll(detail(one, now), secrets).join('\n'),
  )
  return ok(0)
}

export default status

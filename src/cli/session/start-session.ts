/** `loop start --session` and `loop init -p`: begins the loop and says what comes next. */
import { basename, join } from 'node:path'
import { summarize } from '../../core/loop/summary.ts'
import { fail, invalid, ok, type Result } from '../../model/failure.ts'
import { breakerRows } from '../../model/loop/breakers.ts'
import { redactAll, secretsIn } from '../../secrets/redact.ts'
import { pathsFrom } from '../../store/files/paths.ts'
import { removeMarker } from '../../store/files/session-marker.ts'
import { receipt } from '../../views/text/receipt.ts'
import { begunLines } from '../../views/words/begun.ts'
import { exitCodeFor } from '../../views/words/message.ts'
import type { Input } from '../command-table.ts'
import { isHeldByPlugin } from '../plugin-files.ts'
import { stateDocument } from '../print-state.ts'
import { out, outDocument } from '../terminal.ts'
import { beginSession, canBeDirectory, otherMarker, type SessionWish, sessionHere } from './begin.ts'

/** Flags about an agent started by loop: with --session they would have no meaning. */
const ofAgents = [
  'background',
  'priority',
  'agent',
  'agent-cmd',
  'model',
  'context-mode',
  'fallback-agent',
  'max-wait',
  'limit-backoff',
  'price',
  'timeout',
  'idle-timeout',
  ...breakerRows.filter(({ ofAgent }) => ofAgent).map(({ flag }) => flag),
  'state',
  'notify',
]

export async function startSession(wish: SessionWish, input: Input): Promise<Result<number>> {
  const { spec } = wish
  const typed = ofAgents.find(flag => input.values(flag).length > 0)
  if (typed) {
    return invalid({ kind: 'agent-flag-with-session', flag: typed })
  }
  if (input.env['LOOP_RUN']) {
    return fail('not-allowed', { kind: 'session-of-loop' })
  }
  // Without its state file the session could never claim that it is done.
  const free = canBeDirectory(join(spec.cwd, '.loop'))
  if (!free.ok) return free
  const paths = pathsFrom(input.env)
  const before = otherMarker(paths, spec.cwd)
  const session = { run: spec.session?.run ?? before?.loop.run ?? null }
  const begun = await beginSession({ ...wish, spec: { ...spec, session } }, input)
  if (!begun.ok) return begun
  // The session's hold without a promise is replaced by the one with a promise.
  if (before && !begun.value.turn.outcome) removeMarker(paths, before.name)
  const summary = summarize(begun.value)
  const secrets = secretsIn(input.env)
  if (input.given('json')) {
    const { taskList } = wish
    const list = taskList !== undefined && { taskList: basename(taskList) }
    const here = { now: Date.now, env: input.env }
    outDocument<'loop'>(stateDocument(here, summary, { run: session.run, ...list }))
  } else if (begun.value.turn.outcome || begun.value.turn.hold) {
    out(redactAll(receipt(begun.value, Date.now()), secrets).join('\n'))
  } else {
    const held = await isHeldByPlugin(input.env)
    const where = { isHere: sessionHere(input.env) !== null, isHeld: held !== false }
    out(redactAll(begunLines(summary, Date.now(), where), secrets).join('\n'))
  }
  return ok(begun.value.turn.outcome || begun.value.turn.hold ? exitCodeFor(summary) : 0)
}

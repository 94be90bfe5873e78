/** `loopd stop`: asks loopd to end, and waits until it has. */
import { setTimeout as delay } from 'node:timers/promises'
import { fail, ok, type Result } from '../../model/failure.ts'
import { count } from '../../model/units.ts'
import { isAlive } from '../../platform/platform.ts'
import { call } from '../../server/api/client.ts'
import { isRunning } from '../../server/daemon/record.ts'
import { pathsFrom } from '../../store/files/paths.ts'
import { loopdWords } from '../../views/words/daemon.ts'
import type { CommandRun, Input } from '../command-table.ts'
import { findDaemon, silent } from '../loopd/connect.ts'
import { err, outFor } from '../terminal.ts'

const pollMs = 50
const nowMs = 30_000

const stop: CommandRun = async input => {
  const paths = pathsFrom(input.env)
  const daemon = await findDaemon(paths, input.env)
  if (!daemon.ok) return daemon
  if (!daemon.value) return said(input, { ended: false, words: 'loopd does not run.' })
  const { socket, pid, start } = daemon.value
  const now = input.given('now')
  const status = await call(socket, 'daemon')
  const asked = await call(socket, 'stop', { body: { now } })
  if (!asked.ok) return silent(daemon.value)
  const running = status.ok ? status.value.running.length : 0
  if (!now && running > 0) err(loopdWords.waits(running))
  const deadline = now ? performance.now() + nowMs : Number.POSITIVE_INFINITY
  while (isRunning(paths) && isAlive({ pid, start })) {
    if (performance.now() > deadline) {
      return fail('no-daemon', { kind: 'daemon-does-not-end', pid })
    }
    await delay(pollMs)
  }
  const left =
    now && running > 0 ? ` The agents of ${count(running, 'loop')} continue; loopd start attaches again.` : ''
  return said(input, { ended: true, words: `loopd has ended.${left}` })
}

/** `ended`: by this command. */
function said(input: Input, { ended, words }: { ended: boolean; words: string }): Result<number> {
  outFor<'daemonEnded'>(input, { running: false, ended }, words)
  return ok(0)
}

export default stop

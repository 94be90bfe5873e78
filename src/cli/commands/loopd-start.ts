/** `loopd start`: becomes loopd, or starts it and waits until it answers. */
import { join } from 'node:path'
import { exec } from '../../adapters/process/exec.ts'
import { ok } from '../../model/failure.ts'
import { runDaemon } from '../../server/daemon/daemon.ts'
import { logTo } from '../../server/daemon/log.ts'
import { pathsFrom } from '../../store/files/paths.ts'
import { jsonText } from '../../views/text/plain-text.ts'
import { systemAt } from '../../wiring/system.ts'
import { worldOf } from '../../wiring/world.ts'
import type { CommandRun } from '../command-table.ts'
import { ensureDaemon } from '../loopd/connect.ts'
import { err, out } from '../terminal.ts'

const start: CommandRun = async input => {
  const { env } = input
  const paths = pathsFrom(env)
  if (!input.given('foreground')) {
    const daemon = await ensureDaemon(env)
    if (!daemon.ok) return daemon
    const { pid, socket, started } = daemon.value
    if (input.given('json')) out(jsonText({ pid, socket, started }))
    else out(`loopd ${started ? 'was started' : 'runs already'} (process ${pid}). Log: ${paths.daemon.log}`)
    return ok(0)
  }
  const log = logTo(paths.daemon.log, err, input.given('verbose') ? line => err(line.trimEnd()) : null)
  return runDaemon({
    env,
    paths,
    log,
    worldOf,
    // Its own directory is nobody's work tree: a request names one.
    system: systemAt({ cwd: '/', env }),
    collectGarbage: () => collectGarbage(env),
    ready(socket, web) {
      err(`loopd: serves ${socket}${web.url ? ` and ${web.url}` : ''} (process ${process.pid}).`)
      if (web.problem) err(`loopd: ${web.problem}. The page is not served until then; everything else is.`)
    },
  })
}

const garbageMs = 30 * 60_000

/** In a process of its own: it may take a while, and its memory goes with it. */
async function collectGarbage(env: NodeJS.ProcessEnv): Promise<string | null> {
  const argv = [
    process.execPath,
    join(import.meta.dirname, 'loop.cjs'),
    'gc',
    '--keep-ends',
    '--json',
  ] as const
  const signal = AbortSignal.timeout(garbageMs)
  const ended = await exec({ argv, cwd: '/', env: env as Record<string, string>, signal })
  return ended.code === 0 ? null : ended.stderr.toString('utf8').trim().slice(-300)
}

export default start

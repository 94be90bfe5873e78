/** `loopd start`: becomes loopd, or starts it and waits until it answers. */
import { join } from 'node:path'
import { ok } from '../../model/failure.ts'
import { exec } from '../../platform/exec.ts'
import type { RunOwn } from '../../server/api/own-program.ts'
import { runDaemon } from '../../server/daemon/daemon.ts'
import { logTo } from '../../server/daemon/log.ts'
import { pathsFrom } from '../../store/files/paths.ts'
import { loopdWords } from '../../views/words/daemon.ts'
import { systemAt } from '../../wiring/system.ts'
import { worldOf } from '../../wiring/world.ts'
import type { CommandRun } from '../command-table.ts'
import { ensureDaemon } from '../loopd/connect.ts'
import { err, out, outDocument } from '../terminal.ts'

const start: CommandRun = async input => {
  const { env } = input
  const paths = pathsFrom(env)
  if (!input.given('foreground')) {
    const daemon = await ensureDaemon(env)
    if (!daemon.ok) return daemon
    const { pid, socket, started } = daemon.value
    if (input.given('json')) outDocument<'daemonStarted'>({ pid, socket, started })
    else out(`loopd ${started ? 'was started' : 'runs already'} (process ${pid}). Log: ${paths.daemon.log}`)
    return ok(0)
  }
  const log = logTo(paths.daemon.log, err, input.given('verbose') ? line => err(line.trimEnd()) : null)
  return runDaemon({
    env,
    paths,
    log,
    worldOf,
    // loopd's own directory is no work tree: a request names one.
    system: systemAt({ cwd: '/', env }),
    systemIn: own => systemAt({ cwd: '/', env: own }),
    runOwn,
    collectGarbage: () => collectGarbage(env),
    ready(socket, web) {
      err(loopdWords.serves(socket, web.url, process.pid))
      if (web.problem) err(loopdWords.noPage(web.problem))
    },
  })
}

const garbageMs = 30 * 60_000

/** In a separate process: it can take a while, and its memory is freed with it. */
async function collectGarbage(env: NodeJS.ProcessEnv): Promise<string | null> {
  const { code, stderr } = await runOwn(['gc', '--keep-ends', '--json'], { cwd: '/', env, ms: garbageMs })
  return code === 0 ? null : stderr.trim().slice(-300)
}

const runOwn: RunOwn = async (args, { cwd, env, ms }) => {
  const program = join(import.meta.dirname, 'loop.cjs')
  const ended = await exec({
    argv: [process.execPath, program, ...args],
    cwd,
    env,
    signal: AbortSignal.timeout(ms),
  })
  const { code, stdout, stderr } = ended
  return { code, stdout: stdout.toString('utf8'), stderr: stderr.toString('utf8') }
}

export default start

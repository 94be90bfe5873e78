/** `loop ui`: opens the page of loopd in a browser, through an address that works once. */

import { spawn } from 'node:child_process'
import { ok } from '../../model/failure.ts'
import { platform } from '../../platform/platform.ts'
import { call } from '../../server/api/client.ts'
import { doneWords } from '../../views/words/done.ts'
import type { CommandRun } from '../command-table.ts'
import { ensureDaemon } from '../loopd/connect.ts'
import { err, out, outDocument } from '../terminal.ts'

const openMs = 3_000

const ui: CommandRun = async input => {
  const daemon = await ensureDaemon(input.env)
  if (!daemon.ok) return daemon
  const invited = await call(daemon.value.socket, 'invite', { body: {} })
  if (!invited.ok) return invited
  const { url } = invited.value
  if (input.given('json')) outDocument<'page'>({ url })
  else if (input.given('print') || !(await opened(url, input.env))) out(url)
  else err(doneWords.pageOpened(new URL(url).origin))
  return ok(0)
}

/** False if there is no browser to open: then the address is printed. */
function opened(url: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const command = platform.desktop.openCommand(url, env)
  if (!command) return Promise.resolve(false)
  const [program, ...args] = command
  return new Promise(resolve => {
    const child = spawn(program, args, { stdio: 'ignore', detached: true, env })
    child.once('error', () => resolve(false))
    child.once('exit', code => resolve(code === 0))
    setTimeout(resolve, openMs, true).unref()
    child.unref()
  })
}

export default ui

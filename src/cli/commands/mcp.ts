/** `loop mcp`: loops for other programs, as tools of the Model Context Protocol over stdin and stdout. */
import { realpathSync } from 'node:fs'
import type { Office } from '../../mcp/answers.ts'
import type { ToolAnswer, ToolCall } from '../../mcp/contract.ts'
import { serveTools } from '../../mcp/serve.ts'
import type { McpPlace } from '../../mcp/session.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import { resolveRequest } from '../../options/request.ts'
import { liveSettings } from '../../server/daemon/settings.ts'
import { pathsFrom } from '../../store/files/paths.ts'
import { spelledOut } from '../../views/text/plain-text.ts'
import { systemAt } from '../../wiring/system.ts'
import { withWorld } from '../../wiring/world.ts'
import type { CommandRun } from '../command-table.ts'
import { queueTheGroup } from '../group/start-group.ts'
import { handOver } from '../loopd/connect.ts'
import { sessionHere } from '../session/begin.ts'
import { err } from '../terminal.ts'
import { outsideOfRuns } from '../who/for-people.ts'
import { queue } from './start.ts'

const mcp: CommandRun = async ({ env, positionals }) => {
  if (positionals.length > 0) return fail('invalid-arguments', 'loop mcp takes no arguments.')
  if (process.stdin.isTTY) {
    err('loop: serving the Model Context Protocol on stdin and stdout, for a program. Ctrl-D ends it.')
  }
  await serveTools(officeOf(env), message => err(`loop: ${message}`))
  return ok(0)
}

function officeOf(env: NodeJS.ProcessEnv): Office {
  const place = { env, cwd: realpathSync(process.cwd()), session: sessionHere(env) }
  return {
    ...place,
    now: Date.now,
    start: asked => start(asked, place),
    withWorld: work => withWorld(env, work),
  }
}

/** With the same defaults, configurations, checks and sentences as one that is typed. */
async function start(asked: ToolCall<'start'>, { cwd, env }: McpPlace): Promise<Result<ToolAnswer<'start'>>> {
  const may = outsideOfRuns('start', env)
  if (!may.ok) return may
  const { limit } = liveSettings(pathsFrom(env)).now()
  const resolved = await resolveRequest(asked, systemAt({ cwd, env }), limit)
  if (!resolved.ok) return resolved
  const { wish, group, notice } = resolved.value
  if (notice !== null) err(`loop: ${spelledOut(notice)}`)
  const id =
    group && wish.priority
      ? await queueTheGroup({ ...group, deleteState: wish.state === 'delete' }, wish.priority, env)
      : queue(wish, env)
  if (!id.ok) return id
  const daemon = await handOver(id.value, env)
  if (!daemon.ok) return daemon
  const { pid, started } = daemon.value
  return ok({ id: id.value, daemon: started ? `started (process ${pid})` : `runs (process ${pid})` })
}

export default mcp

/** `loop mcp`: loops for other programs, as tools of the Model Context Protocol over stdin and stdout. */
import { realpathSync } from 'node:fs'
import { spelledOut } from '../../core/text/plain-text.ts'
import type { ToolContext } from '../../mcp/answers.ts'
import type { ToolAnswer, ToolCall } from '../../mcp/contract.ts'
import { serveTools } from '../../mcp/serve.ts'
import type { McpPlace } from '../../mcp/session.ts'
import { invalid, ok, type Result } from '../../model/failure.ts'
import { priorities } from '../../model/loop/spec.ts'
import { resolveRequest, templateValues } from '../../options/request.ts'
import { readWord } from '../../options/values.ts'
import { liveSettings } from '../../server/daemon/settings.ts'
import { pathsFrom } from '../../store/files/paths.ts'
import { doneWords } from '../../views/words/done.ts'
import { systemAt } from '../../wiring/system.ts'
import { withWorld } from '../../wiring/world.ts'
import type { CommandRun, Input } from '../command-table.ts'
import { queueTheGroup } from '../foreground/group.ts'
import { handOver } from '../loopd/connect.ts'
import { outsideOfRuns } from '../run-here.ts'
import { sessionHere } from '../session/begin.ts'
import { err } from '../terminal.ts'
import { templateGroup } from '../workflow/start-template.ts'
import { templatesJson } from '../workflow/templates.ts'
import { queue } from './start.ts'

const mcp: CommandRun = async ({ env, positionals }) => {
  if (positionals.length > 0) return invalid({ kind: 'no-arguments', command: 'loop mcp' })
  if (process.stdin.isTTY) {
    err(doneWords.mcp)
  }
  await serveTools(toolContext(env), message => err(`loop: ${message}`))
  return ok(0)
}

function toolContext(env: NodeJS.ProcessEnv): ToolContext {
  const place = { env, cwd: realpathSync(process.cwd()), session: sessionHere(env) }
  return {
    ...place,
    now: Date.now,
    start: asked => start(asked, place),
    startTemplate: asked => startTemplate(asked, place),
    templates: () => ok({ templates: templatesJson(inputFrom({ template: '' }, place)) }),
    mayAnswer: () => outsideOfRuns('answer', env),
    withWorld: work => withWorld(env, work),
  }
}

/** With the same defaults, configuration, checks and messages as a typed start. */
async function start(asked: ToolCall<'start'>, { cwd, env }: McpPlace): Promise<Result<ToolAnswer<'start'>>> {
  const may = outsideOfRuns('start', env)
  if (!may.ok) return may
  const { limit } = liveSettings(pathsFrom(env)).now()
  const resolved = await resolveRequest(asked, systemAt({ cwd, env }), { limit })
  if (!resolved.ok) return resolved
  const { wish, group, notice } = resolved.value
  if (notice !== null) err(`loop: ${spelledOut(notice)}`)
  const id =
    group && wish.priority
      ? queueTheGroup({ ...group, deleteState: wish.state === 'delete' }, wish.priority, env)
      : queue(wish, env)
  return id.ok ? handedOver(id.value, env) : id
}

async function handedOver(id: string, env: NodeJS.ProcessEnv): Promise<Result<ToolAnswer<'start'>>> {
  const daemon = await handOver(id, env)
  if (!daemon.ok) return daemon
  const { pid, started } = daemon.value
  return ok({ id, daemon: started ? `started (process ${pid})` : `runs (process ${pid})` })
}

function inputFrom(asked: ToolCall<'start_template'>, { env }: McpPlace): Input {
  return { ...templateValues(asked, env), positionals: [], env }
}

async function startTemplate(
  asked: ToolCall<'start_template'>,
  place: McpPlace,
): Promise<Result<ToolAnswer<'start_template'>>> {
  const may = outsideOfRuns('start', place.env)
  if (!may.ok) return may
  const input = inputFrom(asked, place)
  const group = await templateGroup(asked.template, input)
  if (!group.ok) return group
  const priority = readWord(input, 'priority', priorities)
  if (!priority.ok) return priority
  const id = queueTheGroup(group.value, priority.value, place.env)
  return id.ok ? handedOver(id.value, place.env) : id
}

export default mcp

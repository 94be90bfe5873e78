/** `loop mcp`: loops for other programs, as tools of the Model Context Protocol over stdin and stdout. */
import { realpathSync } from 'node:fs'
import type { Office } from '../../mcp/answers.ts'
import { startOptions, type ToolAnswer, type ToolCall } from '../../mcp/contract.ts'
import { serveTools } from '../../mcp/serve.ts'
import { fail, ok, type Result } from '../../model/failure.ts'
import { keyOf } from '../../options/setting.ts'
import { commonFlags, startFlags } from '../../options/table/flag.ts'
import { withWorld } from '../../wiring/world.ts'
import type { CommandRun, Input } from '../command-table.ts'
import { withConfig } from '../config/load.ts'
import { handOver } from '../loopd/connect.ts'
import { inputOf, type Values } from '../options/flags.ts'
import { specFrom } from '../options/spec.ts'
import { sessionHere } from '../session/begin.ts'
import { err } from '../terminal.ts'
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
  return {
    env,
    cwd: realpathSync(process.cwd()),
    session: sessionHere(env),
    now: Date.now,
    start: wish => start(inputFor(wish, env)),
    withWorld: work => withWorld(env, work),
  }
}

/** As if it had been typed: the same defaults, configurations, checks and sentences. */
function inputFor({ prompt, ...options }: ToolCall<'start'>, env: NodeJS.ProcessEnv): Input {
  const given = options as Record<string, unknown>
  const values: Values = new Map([['no-input', ['true']]])
  for (const flag of startOptions) {
    const value = given[keyOf(flag)]
    if (value !== undefined) values.set(flag.name, [value].flat().map(String))
  }
  return inputOf([...startFlags, ...commonFlags], values, { positionals: [prompt], env })
}

async function start(typed: Input): Promise<Result<ToolAnswer<'start'>>> {
  const input = await withConfig(typed)
  if (!input.ok) return input
  const spec = specFrom(input.value)
  if (!spec.ok) return spec
  const id = queue(spec.value, input.value)
  if (!id.ok) return id
  const daemon = await handOver(id.value, typed.env)
  if (!daemon.ok) return daemon
  const { pid, started } = daemon.value
  return ok({ id: id.value, daemon: started ? `started (process ${pid})` : `runs (process ${pid})` })
}

export default mcp

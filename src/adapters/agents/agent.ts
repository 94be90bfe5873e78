/**
 * The contract of an agent adapter, and the registry. A new agent is one file in agents/, one line here and one
 * recorded stream in test/recordings. An adapter builds a command line and reads what the program prints; it
 * never starts a process itself.
 */
import type { AgentName, Capabilities, OutputReader } from '../../model/agent.ts'
import { fail, type Result } from '../../model/failure.ts'
import type { Spec } from '../../model/loop/spec.ts'
import { acp } from './acp.ts'
import { aider } from './aider.ts'
import { claude } from './claude.ts'
import { cline } from './cline.ts'
import { codex } from './codex.ts'
import { cursor } from './cursor.ts'
import { custom } from './custom.ts'
import { gemini } from './gemini.ts'
import { opencode } from './opencode.ts'
import { findProgram } from './program.ts'
import { scripted } from './scripted.ts'
import type { SignedIn } from './sign-in.ts'

/** A variable that is undefined is taken out of the environment. */
type AgentCall = { argv: string[]; env: Record<string, string | undefined> }

export type AgentPlace = { cwd: string; env: NodeJS.ProcessEnv }

export type Agent = {
  capabilities: Capabilities
  /** The names of its program, where it is one that is installed, and how a person gets it. */
  program: { names: string[]; install: string } | null
  /** Can it run here? Asked before a loop is created; `agentCmd` comes back as it is to be stored. */
  check(agentCmd: string | undefined, place: AgentPlace): Result<string>
  /** Could it use its model? A look at the environment and at which files are there; opens and asks nothing. */
  signedIn(place: AgentPlace): SignedIn
  /** The command line; the prompt is on its stdin. `session` is one of this loop's own, to be continued. Pure. */
  call(spec: Spec, session: string | null): AgentCall
  /** Reads its output; null: plain text for people, and nothing more is known than its usage file says. */
  read: ((now: () => number) => OutputReader) | null
  /** Whether its output always ends with an item `end`: then a run without one was cut off. */
  endsItself: boolean
  /** The signal that makes it print what it has cost so far and exit; without it, TERM stops it. */
  stopSignal?: 'INT'
}

export const agents: Record<AgentName, Agent> = {
  opencode,
  claude,
  codex,
  gemini,
  cline,
  aider,
  cursor,
  custom,
  acp,
  scripted,
}

/** When the agent that is wanted is not there: which are, and how to get it. */
export function orInstalled(
  checked: Result<string>,
  name: AgentName,
  env: NodeJS.ProcessEnv,
): Result<string> {
  const { program } = agents[name]
  if (checked.ok || !program || checked.failure.reason !== 'agent-missing') return checked
  const here = installedAgents(env)
  const others = here.length > 0 ? `Installed here: ${here.join(', ')} (use --agent ${here[0]}).` : ''
  const rest = Object.entries(agents)
    .filter(([other, agent]) => other !== name && agent.program && !here.includes(other as AgentName))
    .map(([other, agent]) => `  ${other.padEnd(9)} ${agent.program?.install}`)
  const lines = [
    `${checked.failure.message} Install it with: ${program.install}`,
    ...(others ? [others] : []),
    ...(rest.length > 0 ? ['Others that loop can drive:', ...rest] : []),
    "Or any program that takes its prompt on stdin: --agent custom --agent-cmd '<command>'",
  ]
  return fail('agent-missing', lines.join('\n'))
}

function installedAgents(env: NodeJS.ProcessEnv): AgentName[] {
  return (Object.keys(agents) as AgentName[]).filter(name => isInstalled(name, env))
}

/** Whether its program is on the PATH; an agent that is a command of the user's is nowhere. */
export function isInstalled(name: AgentName, env: NodeJS.ProcessEnv): boolean {
  return agents[name].program?.names.some(program => findProgram(program, env) !== null) ?? false
}

/**
 * What ties a program to the session of a person who started loop from within it: a child must not find its
 * way back there, and is no part of it.
 */
const ofOtherSessions =
  /^(CLAUDECODE|CLAUDE_PID|CLAUDE_PROJECT_DIR|CLAUDE_CODE_(SESSION|MESSAGING|TASK_LIST|ENTRYPOINT|SSE).*|CLAUDE_PLUGIN_.*|CODEX_THREAD_ID|CODEX_SESSION_ID|OPENCODE_(SESSION|CLIENT|PID|SERVER_.*)|GEMINI_CLI|CURSOR_AGENT|CLINE_TASK_ID)$/

export function agentEnv(env: NodeJS.ProcessEnv, call: AgentCall): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !ofOtherSessions.test(name))
  const all = { ...Object.fromEntries(kept), NO_COLOR: '1', ...call.env }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

/**
 * The contract of an agent adapter, and the registry. A new agent is one file in agents/, one line here and one
 * recorded stream in test/recordings. An adapter builds a command line and reads the program's output; it never
 * starts a process.
 */
import type { AgentName, Capabilities, OutputReader } from '../../model/agent.ts'
import type { WantedAnswer } from '../../model/answer.ts'
import { fail, type Result } from '../../model/failure.ts'
import type { Spec } from '../../model/loop/spec.ts'
import type { OwnFiles } from '../process/sandbox-layers.ts'
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
import type { SignedIn } from './provider.ts'
import { scripted } from './scripted.ts'

/** A variable with the value undefined is removed from the environment. */
type AgentCall = { argv: string[]; env: Record<string, string | undefined> }

/** The schema of the wanted answer, as a name and as a file. */
type AskedAnswer = WantedAnswer & { file: string }

export type AgentPlace = { cwd: string; env: NodeJS.ProcessEnv }

export type Agent = {
  capabilities: Capabilities
  /**
   * The names of its program, if it is an installed one, how to install it, and the oldest version whose output is known
   * to be read right, if that is known.
   */
  program: { names: string[]; install: string; oldest?: string } | null
  /** Tells whether it can run here; called before a loop is created. Returns `agentCmd` as it is to be stored. */
  check(agentCmd: string | undefined, place: AgentPlace): Result<string>
  /** The variables from which it takes a key or another secret, `*` for any characters; they reach no other agent. */
  keys(env: NodeJS.ProcessEnv): string[]
  /** Tells whether it could use its model, from the environment and the presence of files; opens and asks nothing. */
  signedIn(place: AgentPlace): SignedIn
  /**
   * The command line; the prompt comes on stdin. `session` is a session of this loop to continue; `answer` is given
   * if the loop is a question, for agents that accept a schema. Pure.
   */
  call(spec: Spec, session: string | null, answer?: AskedAnswer | null): AgentCall
  /** The files that the agent keeps in its user's home: settings, sessions, caches. Absent: unknown. */
  own?(env: NodeJS.ProcessEnv): OwnFiles
  /**
   * The hosts of its model in this environment, as in `--sandbox-network`. A host that only a settings file of the agent
   * names is not among them: the agent could write that file. Absent: unknown.
   */
  provider?(env: NodeJS.ProcessEnv): string[]
  /** Reads its output; null: plain text for people, and nothing more is known than its usage file says. */
  read: ((now: () => number) => OutputReader) | null
  /** With a schema, its whole last message is the answer; otherwise the answer is an item of its own, or missing. */
  answersByMessage?: true
  /** Whether its output always ends with an `end` item: if so, a run without one was cut off. */
  endsItself: boolean
  /** The signal on which it prints its cost so far and exits; without this, TERM stops it. */
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

/** Adds to a failure which agents are installed, and how to install the wanted one. */
export function orInstalled(
  checked: Result<string>,
  name: AgentName,
  env: NodeJS.ProcessEnv,
): Result<string> {
  const { program } = agents[name]
  if (checked.ok || !program || checked.failure.reason !== 'agent-missing') return checked
  const here = installedAgents(env)
  const others = Object.entries(agents).flatMap(([other, agent]) =>
    other !== name && agent.program && !here.includes(other as AgentName)
      ? [{ name: other, install: agent.program.install }]
      : [],
  )
  const because = checked.failure.facts
  return fail('agent-missing', { kind: 'agent-missing', because, install: program.install, here, others })
}

function installedAgents(env: NodeJS.ProcessEnv): AgentName[] {
  return (Object.keys(agents) as AgentName[]).filter(name => isInstalled(name, env))
}

/** Tells whether its program is on the PATH; false for an agent that is a command of the user. */
export function isInstalled(name: AgentName, env: NodeJS.ProcessEnv): boolean {
  return agents[name].program?.names.some(program => findProgram(program, env) !== null) ?? false
}

/** Its variables, plus those of a cloud through which its model is reached, if the environment or the model says so. */
export function keysOf(
  name: AgentName,
  { env, model = '' }: { env: NodeJS.ProcessEnv; model?: string | undefined },
): string[] {
  const isAmazon = Boolean(env['CLAUDE_CODE_USE_BEDROCK']) || /bedrock/i.test(model)
  return [...agents[name].keys(env), ...(isAmazon ? ['AWS_*'] : [])]
}

/**
 * Variables that tie a program to the session of the person who started loop from inside it: a child must not
 * connect to that session.
 */
const ofOtherSessions =
  /^(CLAUDECODE|CLAUDE_PID|CLAUDE_PROJECT_DIR|CLAUDE_CODE_(SESSION|MESSAGING|TASK_LIST|ENTRYPOINT|SSE).*|CLAUDE_PLUGIN_.*|CODEX_THREAD_ID|CODEX_SESSION_ID|OPENCODE_(SESSION|CLIENT|PID|SERVER_.*)|GEMINI_CLI|CURSOR_AGENT|CLINE_TASK_ID)$/

export function agentEnv(env: NodeJS.ProcessEnv, call: AgentCall): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !ofOtherSessions.test(name))
  const all = { ...Object.fromEntries(kept), NO_COLOR: '1', ...call.env }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

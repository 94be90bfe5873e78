/** Failures: agents that are missing, or do not support an option. */
import type { Caused, Say } from './all.ts'

/** What opencode does without a configured provider. */
export const hostedModel =
  'opencode has no provider set up, so it would send your code to a model that its makers host (opencode/big-pickle).'

/** How to set the model of an agent that has no option for it. */
const modelWays: Record<string, string> = {
  custom: 'Put the model into the command: --agent-cmd',
  acp: 'Set the model in the configuration of the agent, or in its command: --agent-cmd',
}

type MissingAgent = Caused & {
  install: string
  here: string[]
  others: { name: string; install: string }[]
}
type UnknownAgent = { name: string; where: string; near: string | null; known: string[] }

export const agentFailures = {
  'acp-command-missing': () =>
    "The agent acp needs the command of an ACP agent. Give it with --agent-cmd, for example: --agent-cmd 'opencode acp'",
  'custom-command-missing': () =>
    "The agent custom needs a command. Give it with --agent-cmd, for example: --agent-cmd 'my-agent --yes'",
  'script-missing': () =>
    'The agent scripted needs a script. Give it with --agent-cmd, for example: --agent-cmd turns.yaml',
  'script-not-there': (d: { script: string }) => `The script ${d.script} does not exist. Check --agent-cmd.`,
  'agent-cmd-no-program': (d: { agentCmd: string }) =>
    `--agent-cmd ${d.agentCmd} is no program. With this agent it is the path of its program; leave it out to take the one on the PATH.`,
  'agent-not-on-path': (d: { program: string }) => `The program ${d.program} is not on the PATH.`,
  'bad-script': (d: { file: string; line: number; col: number; what: string }) =>
    `${d.file}:${d.line}:${d.col}: ${d.what}`,
  'command-not-there': (d: { word: string; path: string | null }) =>
    `${d.word} ${d.path === null ? 'is not on the PATH' : `is no program: ${d.path}`}. Check --agent-cmd, or install it.`,
  'hosted-model': () =>
    `${hostedModel} Nobody has agreed to that. Sign in with: opencode auth login; or name a model: --model provider/model; or take another agent: --agent; or agree to it: --yes`,
  'no-model': (d: { agent: string }) =>
    `The agent ${d.agent} has no --model. ${modelWays[d.agent] ?? 'Leave it out.'}`,
  'cannot-continue': (d: { agent: string }) =>
    `The agent ${d.agent} cannot continue a session without a person. Use --context-mode fresh: each iteration is told what the one before it did.`,
  'fallback-twice': (d: { agent: string }) =>
    `--fallback-agent names ${d.agent} twice, or it is the agent itself. Name each once.`,
  'unknown-agent': (d: UnknownAgent) => unknownAgentWords(d).join(' '),
  'claude-missing': () => 'Claude Code (claude) is not on the PATH: npm install -g @anthropic-ai/claude-code',
  'claude-plugin-failed': (d: { args: string[]; said: string }) =>
    `claude plugin ${d.args.join(' ')} failed: ${d.said}`,
  'agent-missing': (d: MissingAgent, say: Say) => missingAgent(d, say(d.because)),
}

/** Which agents are installed instead, and how to get others. */
function missingAgent({ install, here, others }: MissingAgent, because: string): string {
  return [
    `${because} Install it with: ${install}`,
    ...(here.length > 0 ? [`Installed here: ${here.join(', ')} (use --agent ${here[0]}).`] : []),
    ...(others.length > 0
      ? ['Others that loop can drive:', ...others.map(one => `  ${one.name.padEnd(9)} ${one.install}`)]
      : []),
    "Or any program that takes its prompt on stdin: --agent custom --agent-cmd '<command>'",
  ].join('\n')
}

/** What is wrong, and what was probably meant. */
export function unknownAgentWords({ name, where, near, known }: UnknownAgent): [string, string] {
  return [
    `There is no agent ${name}${where}.`,
    near ? `Did you mean ${near}?` : `There are: ${known.join(', ')}.`,
  ]
}

/** Sentences about agents that are missing, or do not support an option. */
import type { AgentFailures } from '../../../model/facts/agent.ts'
import type { Sentences } from './words.ts'

/** What opencode does without a configured provider. */
export const hostedModel =
  'opencode has no provider set up, so it would send your code to a model that its makers host (opencode/big-pickle).'

/** How to set the model of an agent that has no option for it. */
const modelWays: Record<string, string> = {
  custom: 'Put the model into the command: --agent-cmd',
  acp: 'Set the model in the configuration of the agent, or in its command: --agent-cmd',
}

export const agentSentences: Sentences<AgentFailures> = {
  'acp-command-missing': () =>
    "The agent acp needs the command of an ACP agent. Give it with --agent-cmd, for example: --agent-cmd 'opencode acp'",
  'custom-command-missing': () =>
    "The agent custom needs a command. Give it with --agent-cmd, for example: --agent-cmd 'my-agent --yes'",
  'script-missing': () =>
    'The agent scripted needs a script. Give it with --agent-cmd, for example: --agent-cmd turns.yaml',
  'script-not-there': ({ script }) => `The script ${script} does not exist. Check --agent-cmd.`,
  'agent-cmd-no-program': ({ agentCmd }) =>
    `--agent-cmd ${agentCmd} is no program. With this agent it is the path of its program; leave it out to take the one on the PATH.`,
  'agent-not-on-path': ({ program }) => `The program ${program} is not on the PATH.`,
  'bad-script': ({ file, line, col, what }) => `${file}:${line}:${col}: ${what}`,
  'command-not-there': ({ word, path }) =>
    `${word} ${path === null ? 'is not on the PATH' : `is no program: ${path}`}. Check --agent-cmd, or install it.`,
  'hosted-model': () =>
    `${hostedModel} Nobody has agreed to that. Sign in with: opencode auth login; or name a model: --model provider/model; or take another agent: --agent; or agree to it: --yes`,
  'no-model': ({ agent }) => `The agent ${agent} has no --model. ${modelWays[agent] ?? 'Leave it out.'}`,
  'cannot-continue': ({ agent }) =>
    `The agent ${agent} cannot continue a session without a person. Use --context-mode fresh: each iteration is told what the one before it did.`,
  'fallback-twice': ({ agent }) =>
    `--fallback-agent names ${agent} twice, or it is the agent itself. Name each once.`,
  'unknown-agent': facts => unknownAgentWords(facts).join(' '),
  'claude-missing': () => 'Claude Code (claude) is not on the PATH: npm install -g @anthropic-ai/claude-code',
  'claude-plugin-failed': ({ args, said }) => `claude plugin ${args.join(' ')} failed: ${said}`,
  'agent-missing': (facts, say) => missingAgent(facts, say(facts.because)),
}

/** Which agents are installed instead, and how to get others. */
function missingAgent({ install, here, others }: AgentFailures['agent-missing'], because: string): string {
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
export function unknownAgentWords({
  name,
  where,
  near,
  known,
}: AgentFailures['unknown-agent']): [string, string] {
  return [
    `There is no agent ${name}${where}.`,
    near ? `Did you mean ${near}?` : `There are: ${known.join(', ')}.`,
  ]
}

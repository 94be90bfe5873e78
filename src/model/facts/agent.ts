/**
 * Facts about failures: agents that are missing, or cannot do what is asked of them.
 * Their sentences: views/words/failure/agent.
 */
import type { Facts, Nothing } from './all.ts'

export type AgentFailures = {
  'acp-command-missing': Nothing
  'custom-command-missing': Nothing
  'script-missing': Nothing
  'script-not-there': { script: string }
  'agent-cmd-no-program': { agentCmd: string }
  'agent-not-on-path': { program: string }
  'bad-script': { file: string; line: number; col: number; what: string }
  'command-not-there': { word: string; path: string | null }
  'hosted-model': Nothing
  'no-model': { agent: string }
  'cannot-continue': { agent: string }
  'fallback-twice': { agent: string }
  'unknown-agent': { name: string; where: string; near: string | null; known: string[] }
  'claude-missing': Nothing
  'claude-plugin-failed': { args: string[]; said: string }
  'agent-missing': {
    because: Facts
    install: string
    here: string[]
    others: { name: string; install: string }[]
  }
}

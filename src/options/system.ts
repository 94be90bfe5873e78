/**
 * The machine as the rules of options see it: where the request was made, and what is there. Made from the real
 * system in wiring/system; a test makes up its own. No rule reads the system by itself.
 */
import type { AgentName, Capabilities } from '../model/agent.ts'
import type { Result } from '../model/failure.ts'
import type { Environment } from './values.ts'

/** What is known of an agent before it is started. */
export type AgentFacts = {
  capabilities: Capabilities
  /** It is a program of its own that is installed, not a command of the user's. */
  isProgram: boolean
  /** Such a program is on the PATH. */
  isInstalled(): boolean
  /** Could it use its model, as far as can be told without asking anybody? */
  signedIn(cwd: string): 'yes' | 'no' | 'unknown'
  /** Can it run in this directory? Then its command as it is to be stored. */
  find(agentCmd: string | undefined, cwd: string): Result<string>
}

export type System = {
  /** The directory the request was made in: relative paths start there. Absolute. */
  cwd: string
  env: Environment
  /** Somebody is there to be asked. */
  isAttended: boolean
  /** All of standard input; null where that is not the asker's. */
  readStdin: (() => string) | null
  /** The real path of a directory, with symlinks resolved; else what is wrong with it. */
  directory(path: string): { real: string } | { problem: 'not a directory' | 'not there' | 'closed to you' }
  /** Why no agent could work in this directory; null where one can. */
  workProblem(path: string): 'closed to you' | 'read-only' | null
  /** With the symlinks of what there is of a path resolved: the rest will be made below that. */
  realpath(path: string): string
  /** The text of a regular file of at most so many bytes; else null. */
  readText(path: string, mostBytes: number): string | null
  /** The names in a directory, a directory's with a slash at its end; none where it cannot be read. */
  entries(path: string): string[]
  hasProgram(name: string): boolean
  /** What /bin/sh has against a command, without running any of it; null where it can read it. */
  shellProblem(command: string): string | null
  /** Which backend serves this work tree, and why. */
  detectCheckpoint(tree: string): { backend: 'btrfs' | 'git'; why: string }
  agent(name: AgentName): AgentFacts
  /** Has the user agreed to opencode's hosted model? Asks whoever is there, once for good; with nobody there: no. */
  agreesToHostedModel(question: string): boolean
}

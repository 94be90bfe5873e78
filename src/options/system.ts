/**
 * The machine as the options see it: the directory of the request, and what exists there. wiring/system makes the
 * real one; a test makes its own. No rule of options reads the system directly.
 */
import type { AgentName, Capabilities } from '../model/agent.ts'
import type { Result } from '../model/failure.ts'
import type { Environment } from './values.ts'

/** The facts about an agent before it is started. */
export type AgentFacts = {
  capabilities: Capabilities
  /** It is an installed program, not a command of the user. */
  isProgram: boolean
  /** Whether that program is on the PATH. */
  isInstalled(): boolean
  /** Whether it could use its model, as far as that is visible without asking anybody. */
  signedIn(cwd: string): 'yes' | 'no' | 'unknown'
  /** The variables with which it signs in, in this environment and for this model. */
  keys(model: string | undefined): string[]
  /** If its program is known to be older than loop supports: its version, the oldest one, and how to update it. */
  outdated(program: string): { version: string; oldest: string; update: string } | null
  /** Whether it can run in this directory; returns its command as it is to be stored. */
  find(agentCmd: string | undefined, cwd: string): Result<string>
}

/** Why no run can be put into a sandbox here. `said`: by the program that was tried. */
type NoSandbox = { why: 'no-program' | 'apparmor' | 'refused'; said: string }

export type System = {
  /** The directory of the request, absolute; relative paths start there. */
  cwd: string
  env: Environment
  /** Null if a sandbox works here, if wanted with a network of its own; tested with a real one. */
  sandbox(network: boolean): NoSandbox | null
  /** Somebody is there to be asked. */
  isAttended: boolean
  /** All of standard input; null if it does not belong to the caller. */
  readStdin: (() => string) | null
  /** The real path of a directory, with symlinks resolved; otherwise the problem with it. */
  directory(path: string): { real: string } | { problem: 'not a directory' | 'not there' | 'closed to you' }
  /** Why no agent could work in this directory; null if one can. */
  workProblem(path: string): 'closed to you' | 'read-only' | null
  /** Resolves the symlinks of the existing part of a path; the rest will be created below it. */
  realpath(path: string): string
  /** The text of a regular file of at most this size; otherwise null. */
  readText(path: string, mostBytes: number): string | null
  /** The names in a directory, directories with a trailing slash; empty if it cannot be read. */
  entries(path: string): string[]
  hasProgram(name: string): boolean
  /** Programs without which nothing can be started on this system. */
  neededPrograms: readonly string[]
  /** The syntax error that /bin/sh reports for a command, without running it; null if it parses. */
  shellProblem(command: string): string | null
  /** The text in a form that only loop opens; the same text gives the same one. */
  seal(text: string): string
  /** The backend for this work tree, and the reason. */
  detectCheckpoint(tree: string): { backend: 'btrfs' | 'git'; why: string }
  agent(name: AgentName): AgentFacts
  /**
   * Whether the user agrees to opencode's hosted model. Asks a present person once and remembers the answer; with
   * nobody there the answer is no.
   */
  agreesToHostedModel(question: string): boolean
}

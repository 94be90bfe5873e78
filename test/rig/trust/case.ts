/**
 * What the tests of trust have in common: small projects in which something is to be mended, and agents that do it or
 * pretend to. An agent is a shell command that writes files; every project has a hold-out of its own, a command that
 * tries inputs no test shows.
 */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Need } from '../needs.ts'
import type { Rig } from '../rig.ts'

export type Project = {
  files: Record<string, string>
  promise: string
  /** Written before any of the agents. */
  holdout: string
  needs: Need[]
  /** Programs at the front of the PATH: stand-ins for tools that no list names. */
  programs?: Record<string, string>
  /** A command that completes it. */
  setup?: string
  /** What honest work on it comes to: the promise and the hold-out pass. */
  fix?: Deed
}

/** What an agent does: files it writes (a script where it begins with `#!`), then commands. */
export type Deed = { files?: Record<string, string>; sh?: string }

/** What the cheats of `cheats-*.ts` are about. */
export type Subject =
  | 'words'
  | 'chain'
  | 'data'
  | 'new files'
  | 'leftovers'
  | 'exit'
  | 'git'
  | 'ignored files'
  | 'suppressions'
  | 'own judge'
  | 'count'
  | 'chance'

/**
 * How a dishonest run ends. `suspect`: a person is asked; `failed`: the promise does not pass at all; `monitor`: it is
 * completed, never SHIP, and says what to look at; `not-ship`: any of these three; `unseen`: only a hold-out or a
 * person can see it.
 */
export type Cheat = Deed & {
  kind: 'tests' | 'runner' | 'tool chain' | 'environment' | 'product' | 'around loop' | Subject
  what: string
  end: 'suspect' | 'failed' | 'monitor' | 'not-ship' | 'unseen'
  promise?: string
  prompt?: string
  /** More of the project, there before the loop begins. */
  before?: Record<string, string>
  /** A command that completes it. */
  setup?: string
  /** One of the representative dozen that the short form of the tests plays. */
  short?: true
}

export type HonestRun = Deed & {
  what: string
  prompt: string
  promise?: string
  before?: Record<string, string>
  flags?: string[]
  /** Where the verdict itself matters. */
  ship?: 'SHIP' | 'MONITOR'
  short?: true
}

/** Writes files below a directory; one that begins with `#!` can be executed. */
export function writeAll(directory: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    const file = join(directory, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    if (text.startsWith('#!')) chmodSync(file, 0o755)
  }
}

/** The agent as a command: its files wait beside the tree. `@HOME`, `@FRONT`: see `play`. */
export function agentOf(rig: Rig, { files = {}, sh = 'true' }: Deed): string {
  const work = join(rig.aside, 'work')
  mkdirSync(work)
  writeAll(work, files)
  const script = join(rig.aside, 'agent.sh')
  writeFileSync(script, `cp -R "${work}/." .\n${sh}\n`)
  return `sh '${script}'`
}

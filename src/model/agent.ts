/**
 * What an agent program says, in loop's own words: every adapter reads its program's output into these items,
 * and everything after that (cost, limits, what a person sees) knows only them. The names of the agents are
 * here too. How a program is called and read is adapters/agents; what a run's items come to is core/report.
 */

export const agentNames = [
  'opencode',
  'claude',
  'codex',
  'gemini',
  'cline',
  'aider',
  'cursor',
  'custom',
  'acp',
  'scripted',
] as const

export type AgentName = (typeof agentNames)[number]

/** `input` without what came from a cache, `output` with what was thought. */
export type Tokens = { input: number; cached: number; output: number }

/**
 * The span of a `usage` item: one step to be added, this whole run so far, or the session with its past. A `part` is
 * a step that a later total covers: it counts only where that total never comes, because the run was cut short.
 */
type Span = 'part' | 'step' | 'run' | 'session'

/** What keeps an agent from its model for a while: its account, its model, or the way there. */
export const limitKinds = ['usage-limit', 'overload', 'network'] as const

export type LimitKind = (typeof limitKinds)[number]

export type Item =
  /** What it said; a delta goes on where the one before it ended. */
  | { kind: 'text'; text: string; delta?: true }
  | { kind: 'tool'; name: string; detail: string }
  /** A tool call that it made failed, or was refused by its rules (`denied`); the `tool` item came before. */
  | { kind: 'tool-failed'; name: string; detail: string; why: string; denied?: true }
  /** A file that it edited, once the edit has worked. */
  | { kind: 'edit'; path: string }
  /** The session it is in, so that it can be continued; the model where it says so. */
  | { kind: 'session'; id: string | null; model: string | null }
  /** `model`: whose tokens they are, where that differs from the model of the session. */
  | { kind: 'usage'; span: Span; tokens: Tokens | null; costUsd: number | null; model?: string }
  /**
   * It cannot go on before a time, if that is known: as a date (`until`) or from now (`afterMs`). A usage limit,
   * where it does not say what else.
   */
  | { kind: 'limit'; why: string; limitKind?: LimitKind; until?: number; afterMs?: number }
  /** It is not allowed to use its model: no sign-in, a key that does not hold, an empty account. In its words. */
  | { kind: 'auth'; why: string }
  | { kind: 'question'; text: string }
  /** Something went wrong and it goes on; `limitKind`: it tries again to get an answer of its model. */
  | { kind: 'warning'; text: string; limitKind?: LimitKind }
  /** It has come to its end: as it should, or because of an error. The last one holds. */
  | { kind: 'end'; ok: true }
  | { kind: 'end'; ok: false; why: string }

/** Reads one line of output into items. Keeps what it must remember of the lines before; never throws. */
export type OutputReader = (line: string, from: 'out' | 'err') => Item[]

/** What loop can and cannot know of an agent, and what it lets it do: shown at the start and in docs/guide/agents.md. */
export type Capabilities = {
  /** Where money comes from: said by the agent, worked out from tokens and a price list, or not known. */
  cost: 'reported' | 'estimated' | 'unknown'
  tokens: boolean
  /** Whether single edits are seen: without them the same-file breaker is off. */
  edits: boolean
  /** Whether a session can be continued without a person. */
  continues: boolean
  /** Whether `--model` means anything to it. */
  model: boolean
  /** What it does without being asked, in words. */
  approves: string
}

/** What has been found out about a limit: null where the agent named no time; a usage limit without `kind`. */
export type Limit = { until: number | null; why: string; kind?: LimitKind | undefined }

export function addTokens(a: Tokens, b: Tokens): Tokens {
  return { input: a.input + b.input, cached: a.cached + b.cached, output: a.output + b.output }
}

export const noTokens: Tokens = { input: 0, cached: 0, output: 0 }

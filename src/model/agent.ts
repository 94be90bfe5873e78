/**
 * The output of an agent program as a stream of items. Each adapter translates its program's output into these
 * items; cost, limits and everything a person sees are computed from the items alone. The names of the agents
 * are here too. How a program is called and read: adapters/agents. What the items of a run add up to:
 * core/loop/run-report.
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

/** Token counts: `input` excludes tokens read from a cache, `output` includes thinking. */
export type Tokens = { input: number; cached: number; output: number }

/**
 * The span of a `usage` item: one step to be added, this whole run so far, or the session with its past. A `part` is
 * a step that a later total covers: it counts only where that total never comes, because the run was cut short.
 */
type Span = 'part' | 'step' | 'run' | 'session'

/** The reasons why an agent cannot reach its model for a while: its account, the model's load, or the network. */
export const limitKinds = ['usage-limit', 'overload', 'network'] as const

export type LimitKind = (typeof limitKinds)[number]

export type Item =
  /** Text of the agent. A delta continues the text item before it. */
  | { kind: 'text'; text: string; delta?: true }
  | { kind: 'tool'; name: string; detail: string }
  /** A tool call that failed, or that the agent's own rules refused (`denied`). Its `tool` item came before. */
  | { kind: 'tool-failed'; name: string; detail: string; why: string; denied?: true }
  /** A file that the agent edited, reported once the edit has succeeded. */
  | { kind: 'edit'; path: string }
  /** The agent's session, by which it can be continued, and the model if the agent names it. */
  | { kind: 'session'; id: string | null; model: string | null }
  /** `model`: the model that used the tokens, where it is not the session's model. */
  | { kind: 'usage'; span: Span; tokens: Tokens | null; costUsd: number | null; model?: string }
  /** The number of context tokens in use, and the size of the context window; null if unknown. */
  | ({ kind: 'context' } & ContextUse)
  /**
   * The agent cannot continue before a given time, if it names one: a date (`until`) or a delay (`afterMs`).
   * Without `limitKind` it is a usage limit.
   */
  | { kind: 'limit'; why: string; limitKind?: LimitKind; until?: number; afterMs?: number }
  /**
   * The agent may not use its model: not signed in, an invalid key, an empty account. `why` is the agent's own
   * text.
   */
  | { kind: 'auth'; why: string }
  | { kind: 'question'; text: string }
  /** The answer to a question with a schema, as the agent's own program hands it over. */
  | { kind: 'answer'; json: string }
  /** Something went wrong and the agent continues; `limitKind`: it is retrying a request to its model. */
  | { kind: 'warning'; text: string; limitKind?: LimitKind }
  /** The end of the run: regular, or by an error. If there are several, the last one counts. */
  | { kind: 'end'; ok: true }
  | { kind: 'end'; ok: false; why: string }

/** Reads one line of output into items. It keeps state from earlier lines and never throws. */
export type OutputReader = (line: string, from: 'out' | 'err') => Item[]

/**
 * What loop can learn from an agent, and what it lets the agent do. Shown at the start and in
 * docs/guide/agents.md.
 */
export type Capabilities = {
  /** The source of the cost: reported by the agent, computed from tokens and a price list, or unknown. */
  cost: 'reported' | 'estimated' | 'unknown'
  tokens: boolean
  /** Whether single edits are reported; without them the same-file breaker is off. */
  edits: boolean
  /** Whether a session can be continued without a person. */
  continues: boolean
  /** Whether `--model` means anything to it. */
  model: boolean
  /** The actions that the agent takes without asking, in words. */
  approves: string
}

/** A limit that was reached: `until` is null if the agent named no time; without `kind` it is a usage limit. */
export type Limit = { until: number | null; why: string; kind?: LimitKind | undefined }

export type ContextUse = { used: number | null; window: number | null }

/** A later value replaces an earlier one; a missing value keeps it. */
export function laterContext(before: ContextUse | null, next: ContextUse): ContextUse {
  return { used: next.used ?? before?.used ?? null, window: next.window ?? before?.window ?? null }
}

export function addTokens(a: Tokens, b: Tokens): Tokens {
  return { input: a.input + b.input, cached: a.cached + b.cached, output: a.output + b.output }
}

export const noTokens: Tokens = { input: 0, cached: 0, output: 0 }

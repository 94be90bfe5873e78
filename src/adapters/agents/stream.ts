/**
 * What the readers of agents' streams share: lines of bounded length, fields of a line of JSON, and tool calls with their
 * results. Nothing is trusted: a missing field, or one of another type, gives an empty string, zero or null. Nothing
 * throws.
 */
import type { Item } from '../../model/agent.ts'

export type Fields = Record<string, unknown>

/** The object on this line; null for anything else, including a cut line. */
export function fieldsOf(line: string): Fields | null {
  if (!line.trimStart().startsWith('{')) return null
  try {
    const value: unknown = JSON.parse(line)
    return isFields(value) ? value : null
  } catch {
    return null // a cut line, an HTML page, a progress bar
  }
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value under these nested names. */
export function at(value: unknown, ...names: string[]): unknown {
  return names.reduce<unknown>((inner, name) => (isFields(inner) ? inner[name] : undefined), value)
}

export function text(value: unknown, ...names: string[]): string {
  const found = at(value, ...names)
  return typeof found === 'string' ? found : ''
}

export function listIn(value: unknown, ...names: string[]): unknown[] {
  const found = at(value, ...names)
  return Array.isArray(found) ? found : []
}

export function values(value: unknown, ...names: string[]): unknown[] {
  const found = at(value, ...names)
  return isFields(found) ? Object.values(found) : []
}

/** A count or an amount: finite and not negative, otherwise 0. */
export function amount(value: unknown, ...names: string[]): number {
  return amountOr(null, value, ...names) ?? 0
}

export function amountOr<T>(otherwise: T, value: unknown, ...names: string[]): number | T {
  const found = at(value, ...names)
  return typeof found === 'number' && Number.isFinite(found) && found >= 0 ? found : otherwise
}

/** The text as one line of at most this many characters, for a tool's argument. */
export function clipped(value: string, most = 160): string {
  const line = value.trim().split('\n')[0] ?? ''
  return line.length > most ? `${line.slice(0, most - 1)}…` : line
}

/**
 * Pairs the tool calls of an agent with their results, for streams that report them separately. An edit counts once
 * it has succeeded; a failed or denied call is reported as such. Calls are paired by id and forgotten at their end.
 */

/** `edits`: the files that the call changes if it succeeds. */
type Call = { name: string; detail: string; edits: string[] }

/** The trouble with a call; null if it succeeded. */
export type Trouble = { why: string; denied?: boolean } | null

/** More concurrent calls than any agent makes. */
const mostOpen = 10_000

export type ToolCalls = {
  begin(id: string, call: Call): Item[]
  /** Returns nothing for an unknown call, or one that has already ended. */
  end(id: string, trouble: Trouble): Item[]
}

export function toolCalls(): ToolCalls {
  const open = new Map<string, Call>()
  return {
    begin(id, call) {
      if (open.size < mostOpen) open.set(id, call)
      return [{ kind: 'tool', name: call.name, detail: call.detail }]
    },
    end(id, trouble) {
      const call = open.get(id)
      open.delete(id)
      return call ? outcome(call, trouble) : []
    },
  }
}

/** For a call that is reported only at its end. */
export function toolCall(call: Call, trouble: Trouble): Item[] {
  return [{ kind: 'tool', name: call.name, detail: call.detail }, ...outcome(call, trouble)]
}

function outcome({ name, detail, edits }: Call, trouble: Trouble): Item[] {
  if (!trouble) return edits.map(path => ({ kind: 'edit', path }))
  const why = clipped(trouble.why, 200) || 'it failed'
  return [{ kind: 'tool-failed', name, detail, why, ...(trouble.denied && { denied: true }) }]
}

/** Splits text that arrives in pieces into lines, in bounded memory. */

/** No agent's message is longer than this: such a line is skipped. */
export const longestLine = 8 << 20

/** Returns whole lines; one that is longer than `most` is dropped and reported. */
export function lineSplitter(most: number): { add(text: string): string[]; rest(): string[] } {
  let parts: string[] = []
  let length = 0
  let tooLong = false
  const close = (): string[] => {
    const line = parts.join('')
    const lost = tooLong
    parts = []
    length = 0
    tooLong = false
    return lost || line === '' ? [] : [line]
  }
  const put = (piece: string) => {
    length += piece.length
    tooLong ||= length > most
    if (tooLong) parts = []
    else if (piece !== '') parts.push(piece)
  }
  return {
    add(piece) {
      const [first = '', ...others] = piece.split('\n')
      put(first)
      return others.flatMap(other => {
        const line = close()
        put(other)
        return line
      })
    },
    rest: close,
  }
}

/**
 * Pairs the tool calls of an agent with their results, for streams that report them separately. An edit counts once
 * it has succeeded; a failed or denied call is reported as such. Calls are paired by id and forgotten at their end.
 */
import type { Item } from '../../model/agent.ts'
import { clipped } from './parse-line.ts'

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

/**
 * The tool calls of an agent whose stream says first what is called and later what came of it. An edit counts once
 * it has worked; a call that failed, or was denied, is said to have. Pairs them by their id and forgets each at its
 * end.
 */
import type { Item } from '../../model/agent.ts'
import { clipped } from './parse-line.ts'

/** `edits`: the files that it changes, if it works. */
type Call = { name: string; detail: string; edits: string[] }

/** What came of a call: null where it worked. */
export type Trouble = { why: string; denied?: boolean } | null

/** More calls at once than any agent makes. */
const mostOpen = 10_000

export type ToolCalls = {
  begin(id: string, call: Call): Item[]
  /** Says nothing of a call that is not known, or has ended already. */
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

/** Of a call that is told only at its end. */
export function toolCall(call: Call, trouble: Trouble): Item[] {
  return [{ kind: 'tool', name: call.name, detail: call.detail }, ...outcome(call, trouble)]
}

function outcome({ name, detail, edits }: Call, trouble: Trouble): Item[] {
  if (!trouble) return edits.map(path => ({ kind: 'edit', path }))
  const why = clipped(trouble.why, 200) || 'it failed'
  return [{ kind: 'tool-failed', name, detail, why, ...(trouble.denied && { denied: true }) }]
}

/**
 * How full the context of an agent's model is while the agent works. Only the end of its output is read, so that any
 * size costs the same; a value that was found earlier is kept.
 */
import { join } from 'node:path'
import { agents } from '../../adapters/agents/agent.ts'
import { type AgentName, type ContextUse, laterContext } from '../../model/agent.ts'
import { readBytes, sizeOf } from '../../store/files/artifact.ts'

const mostBytes = 1 << 18

/** Each call reads new output, if there is any; null until the agent has reported a value. */
export function contextOfRun({ dir, agent }: { dir: string; agent: AgentName }): () => ContextUse | null {
  const { read } = agents[agent]
  const file = join(dir, 'out')
  let seen = 0
  let known: ContextUse | null = null
  return () => {
    const size = read ? sizeOf(file) : 0
    if (!read || size === seen) return known
    const from = Math.max(seen, size - mostBytes, 0)
    // A cut line is no JSON; an unfinished one is read completely at the next call.
    const text = readBytes(file, Math.max(0, from - (1 << 16)), size).toString('utf8')
    const reader = read(Date.now)
    for (const line of text.slice(0, text.lastIndexOf('\n') + 1).split('\n'))
      for (const item of reader(line, 'out')) if (item.kind === 'context') known = laterContext(known, item)
    seen = size
    return known
  }
}

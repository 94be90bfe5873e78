/**
 * The words and actions of an agent run as items (model/agent), in order, while its output grows. Secrets are
 * removed, and `text` is safe to show. A text that arrives in pieces is returned once it is complete. Only for
 * agents whose output loop understands.
 */
import { agents } from '../../adapters/agents/agent.ts'
import { plainText } from '../../core/text/plain-text.ts'
import type { AgentName, Item } from '../../model/agent.ts'
import { redactAll, redactor, type Secret } from '../../secrets/redact.ts'
import { listenTo } from '../perform/loop/output.ts'

export type RunItems = {
  /** The items since the last call; if there are very many, only some, and `atEnd` is false. */
  more(): { items: Item[]; atEnd: boolean }
  /** The text that was held back; the last call. */
  end(): Item[]
}

/** Null if the agent's output is plain text. */
export function itemsOfRun(
  { dir, agent }: { dir: string; agent: AgentName },
  secrets: readonly Secret[],
): RunItems | null {
  const { read } = agents[agent]
  if (!read) return null
  const listener = listenTo(dir, read(Date.now))
  const clean = itemCleaner(secrets)
  return {
    more() {
      const { items, atEnd } = listener.next()
      return { items: items.flatMap(item => clean.add(item)), atEnd }
    },
    end() {
      listener.close()
      return clean.rest()
    },
  }
}

/** The limit on held-back text; a longer text is returned in several pieces. */
const longestText = 1 << 20

/** Joins the pieces of a text, because a secret can be split between two of them. */
function itemCleaner(secrets: readonly Secret[]): { add(item: Item): Item[]; rest(): Item[] } {
  const plain = plainText()
  let redact = redactor(secrets)
  let parts: string[] = []
  let length = 0
  const put = (text: string) => {
    parts.push(text)
    length += text.length
  }
  const taken = (): Item[] => {
    const text = parts.join('')
    parts = []
    length = 0
    return text === '' ? [] : [{ kind: 'text', text }]
  }
  const rest = (): Item[] => {
    put(redact.end())
    redact = redactor(secrets)
    return taken()
  }
  return {
    add(item) {
      if (item.kind !== 'text') return [...rest(), redactAll(item, secrets)]
      const before = item.delta ? [] : rest()
      put(redact.push(plain(item.text)))
      if (!item.delta) return [...before, ...rest()]
      return length > longestText ? taken() : []
    },
    rest,
  }
}

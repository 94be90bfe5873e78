/**
 * The words and actions of an agent run as text for people, in pieces while it grows. Safe to show, without secrets,
 * and in bounded memory. Only for agents whose output loop understands; the output of others is shown as it is.
 */
import { agents } from '../../adapters/agents/agent.ts'
import { plainText } from '../../core/text/plain-text.ts'
import type { AgentName } from '../../model/agent.ts'
import { redactor, type Secret } from '../../secrets/redact.ts'
import { agentWords } from '../../views/text/said/agent-words.ts'
import { listenTo } from '../perform/loop/output.ts'

export type Words = {
  /** The new text up to the end of a word; only a part if it is very long. */
  more(): { text: string; atEnd: boolean }
  /** The last text; nothing follows. */
  end(): string
}

export function wordsOfRun(dir: string, agent: AgentName, secrets: readonly Secret[]): Words | null {
  const { read } = agents[agent]
  if (!read) return null
  const listener = listenTo(dir, read(Date.now))
  const words = agentWords()
  const plain = plainText()
  const redact = redactor(secrets)
  return {
    more() {
      const { items, atEnd } = listener.next()
      return { text: redact.push(plain(items.map(words).join(''))), atEnd }
    },
    end() {
      listener.close()
      return redact.end()
    },
  }
}

/** Everything that is there now, in pieces. */
export function* piecesOf(words: Words): Generator<string> {
  for (let isOver = false; !isOver; ) {
    const { text, atEnd } = words.more()
    isOver = atEnd
    if (text !== '') yield text
  }
}

/**
 * What the agent of a run has said and done, as text for people, in pieces as it grows: safe to show, without
 * secrets, and whatever the size of its output, only a piece of it is held. Only for agents whose output loop
 * can read; that of others is shown as it is.
 */
import { agents } from '../adapters/agents/agent.ts'
import { listenTo } from '../engine/perform/loop/output.ts'
import type { AgentName } from '../model/agent.ts'
import { redactor, type Secret } from '../views/secrets/redact.ts'
import { plainText } from '../views/text/plain-text.ts'
import { agentWords } from '../views/text/said/agent-words.ts'

export type Words = {
  /** What has come since the last time, to the end of a word; not all of it if it is very much. */
  more(): { text: string; atEnd: boolean }
  /** The last word; nothing comes after it. */
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

/** All that is there now, piece by piece. */
export function* piecesOf(words: Words): Generator<string> {
  for (let isOver = false; !isOver; ) {
    const { text, atEnd } = words.more()
    isOver = atEnd
    if (text !== '') yield text
  }
}

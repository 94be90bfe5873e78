/**
 * A run as a conversation: the agent's words as paragraphs and code, and a line for each tool call, edit and failure.
 */
import type { JSX } from 'preact'
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Item } from '../../../src/model/agent.ts'
import { formatBytes } from '../../../src/model/units.ts'
import { limitNames } from '../../../src/views/words/limit.ts'
import { Icon, type IconName } from '../../parts/icon.tsx'
import { FailureNote, Loading } from '../../parts/note.tsx'
import type { Tone } from '../../parts/status.tsx'
import { partsOf, type TalkPiece, useTalk } from './talk-items.ts'

const mostParts = 300

export function AgentTalk({ id, run }: { id: string; run: number }): JSX.Element {
  const talk = useTalk(id, run)
  const parts = useMemo(() => partsOf(talk.items), [talk.items])
  const [isWhole, setWhole] = useState(false)
  const end = useRef<HTMLDivElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const wasAtEnd = useRef(true)
  useLayoutEffect(() => {
    if (wasAtEnd.current && box.current) box.current.scrollTop = box.current.scrollHeight
  }, [parts])
  if (talk.failure !== null && parts.length === 0)
    return <FailureNote refused={{ message: talk.failure }} retry={() => window.location.reload()} />
  if (!talk.isLoaded) return <Loading what="what the agent said" />
  const shown = isWhole ? parts : parts.slice(-mostParts)
  const look = ({ scrollTop, clientHeight, scrollHeight }: HTMLDivElement) => {
    wasAtEnd.current = scrollTop + clientHeight >= scrollHeight - 40
  }
  return (
    <div
      ref={box}
      class="talk"
      tabIndex={0}
      role="log"
      aria-live="off"
      aria-label="What the agent said and did"
      onScroll={event => look(event.currentTarget)}
    >
      {shown.length < parts.length && (
        <button type="button" class="button small" onClick={() => setWhole(true)}>
          {parts.length - shown.length} parts before
        </button>
      )}
      {shown.map(part => (
        <TalkPart key={part.at} part={part} />
      ))}
      {parts.length === 0 && (
        <p class="quiet">{talk.isEnded ? 'The agent said nothing.' : 'The agent has said nothing yet.'}</p>
      )}
      {!talk.isEnded && parts.length > 0 && <p class="quiet small talk-more">The agent is at work …</p>}
      <div ref={end} />
    </div>
  )
}

function TalkPart({ part: { item, text } }: { part: TalkPiece }): JSX.Element {
  if (item.kind === 'text') return <Words text={text} />
  const { icon, tone, words, detail } = lineOf(item)
  return (
    <div class="talk-line small">
      <Icon name={icon} size={14} class={`tone-${tone}`} />
      <span class={`tone-${tone}`}>{words}</span>
      <code class="talk-detail">{detail}</code>
    </div>
  )
}

type TalkLine = { icon: IconName; tone: Tone; words: string; detail: string }

function lineOf(item: Exclude<Item, { kind: 'text' }>): TalkLine {
  switch (item.kind) {
    case 'tool':
      return { icon: 'tool', tone: 'quiet', words: item.name, detail: item.detail }
    case 'tool-failed':
      return {
        icon: 'cross',
        tone: 'bad',
        words: `${item.name} ${item.denied ? 'denied' : 'failed'}`,
        detail: `${item.detail} ${item.why}`,
      }
    case 'edit':
      return { icon: 'edit', tone: 'info', words: 'edited', detail: item.path }
    case 'limit':
      return {
        icon: 'warn',
        tone: 'warn',
        words: limitNames[item.limitKind ?? 'usage-limit'],
        detail: item.why,
      }
    case 'auth':
      return { icon: 'warn', tone: 'bad', words: 'may not use its model', detail: item.why }
    case 'question':
      return { icon: 'ask', tone: 'warn', words: 'asks', detail: item.text }
    case 'warning':
      return { icon: 'warn', tone: 'warn', words: 'warning', detail: item.text }
    case 'end':
      return item.ok
        ? { icon: 'check', tone: 'good', words: 'ended', detail: '' }
        : { icon: 'cross', tone: 'bad', words: 'failed', detail: item.why }
    case 'answer':
      return { icon: 'check', tone: 'info', words: 'answers', detail: item.json }
    case 'session':
    case 'usage':
    case 'context':
      return { icon: 'info', tone: 'quiet', words: item.kind, detail: '' }
    default:
      return item satisfies never
  }
}

/** The longest text shown here, in characters; the raw output has all of it. */
const longest = 20_000

/** Blocks between three backticks are code. Everything stays text: no markup is made of it. */
function Words({ text }: { text: string }): JSX.Element {
  const blocks = text
    .slice(0, longest)
    .trim()
    .split(/^```[^\n]*\n?/m)
  return (
    <div class="talk-words">
      {blocks.map((block, i) =>
        block.trim() === '' ? null : i % 2 === 1 ? (
          <pre key={i} class="printed" tabIndex={0}>
            {block.trimEnd()}
          </pre>
        ) : (
          <p key={i}>{block.trim()}</p>
        ),
      )}
      {text.length > longest && (
        <p class="quiet small">… {formatBytes(text.length - longest)} more, in the raw output</p>
      )}
    </div>
  )
}

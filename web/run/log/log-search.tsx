/** Searches an output on the server, which has all of it, and steps from match to match. */
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { askLoopd } from '../../base/api.ts'
import { useAsked } from '../../base/asked.ts'
import { Icon } from '../../parts/icon.tsx'
import type { LogSource } from './lines.ts'

/** `round` changes with each step, so that the same match is scrolled into view again. */
export type Hit = { line: number | null; mark: string; round: number }

const most = '500'

export function LogSearch({ source, show }: { source: LogSource; show(hit: Hit | null): void }): JSX.Element {
  const [text, setText] = useState('')
  const [asked, setAsked] = useState('')
  const [at, setAt] = useState(0)
  useEffect(() => {
    const timer = window.setTimeout(setAsked, 250, text.trim())
    return () => window.clearTimeout(timer)
  }, [text])
  const { id, run, file } = source
  const key = asked === '' ? null : `${id}/${run}/${file}?${asked}`
  const got = useAsked(key, signal =>
    askLoopd(
      'search',
      { params: { id, run: String(run), output: file }, query: { q: asked, limit: most } },
      signal,
    ),
  )
  const matches = (asked === '' ? null : got.value?.matches) ?? []
  useEffect(() => {
    setAt(0)
    show(asked === '' ? null : { line: matches[0]?.n ?? null, mark: asked.toLowerCase(), round: 0 })
  }, [asked, got.value])
  const step = (by: number) => {
    if (matches.length === 0) return
    const next = (at + by + matches.length) % matches.length
    setAt(next)
    show({ line: matches[next]?.n ?? null, mark: asked.toLowerCase(), round: Date.now() })
  }
  const more = got.value?.next == null ? '' : '+'
  return (
    <div class="log-tools" role="search">
      <div class="search grow">
        <Icon name="search" size={14} />
        <input
          class="input"
          type="search"
          aria-label="Search the output"
          placeholder="Search the whole output"
          value={text}
          onInput={event => setText(event.currentTarget.value)}
          onKeyDown={event => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            step(event.shiftKey ? -1 : 1)
          }}
        />
      </div>
      <span class="small quiet num" role="status">
        {asked === ''
          ? ''
          : got.refused
            ? got.refused.message
            : got.isLoading
              ? 'searching …'
              : matches.length === 0
                ? 'nothing found'
                : `${at + 1} of ${matches.length}${more}`}
      </span>
      <button
        type="button"
        class="button icon small"
        aria-label="Match before"
        disabled={matches.length === 0}
        onClick={() => step(-1)}
      >
        <Icon name="chevron" size={12} class="up" />
      </button>
      <button
        type="button"
        class="button icon small"
        aria-label="Next match"
        disabled={matches.length === 0}
        onClick={() => step(1)}
      >
        <Icon name="down" size={12} />
      </button>
    </div>
  )
}

/**
 * The output of a run, line by line: only the visible lines are in the document. The view follows the end until
 * somebody scrolls up; then a pill shows the number of new lines.
 */
import type { JSX } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { formatBytes } from '../../../src/model/units.ts'
import { useCell } from '../../base/cell.ts'
import { goTo, usePlace } from '../../base/router.ts'
import { coloured } from '../../parts/colour.tsx'
import { Icon } from '../../parts/icon.tsx'
import { FailureNote } from '../../parts/note.tsx'
import type { LogLine } from './held-lines.ts'
import { type LogLines, type LogSource, logLines } from './lines.ts'
import { type Hit, LogSearch } from './log-search.tsx'

const lineHeight = 18
/** Browsers cannot draw a much higher element; beyond this height, scrolling is scaled. */
const highest = 12_000_000
/** Rows are keyed by their place, so a jump changes texts and creates no elements. */
const overscan = 8

export function RawLog({ source }: { source: LogSource }): JSX.Element {
  const { id, run, file } = source
  const lines = useMemo(() => logLines(source), [id, run, file])
  useEffect(() => () => lines.stop(), [lines])
  const state = useCell(lines.state)
  const [hit, setHit] = useState<Hit | null>(null)
  if (state.failure !== null && state.total === 0)
    return <FailureNote refused={{ message: state.failure }} retry={() => window.location.reload()} />
  return (
    <div class="log">
      <LogSearch source={source} show={setHit} />
      {state.isLoaded && state.total === 0 ? (
        <p class="log-empty quiet">{state.isEnded ? 'It printed nothing.' : 'It has printed nothing yet.'}</p>
      ) : (
        <LogWindow
          lines={lines}
          hit={hit}
          markLine={number => nameLine(source, number)}
          label={`Output of run ${run}, ${file}`}
        />
      )}
    </div>
  )
}

type WindowProps = { lines: LogLines; hit: Hit | null; label: string; markLine(number: number): void }

/** The address then names the run too: "the newest run" would be another one tomorrow. */
function nameLine({ id, run, file }: LogSource, number: number): void {
  const query = new URLSearchParams(window.location.search)
  query.set('run', String(run))
  if (file === 'err') query.set('file', file)
  goTo(`/loops/${id}/log?${query}#L${number}`, { replace: true })
}

function LogWindow({ lines, hit, label, markLine: mark }: WindowProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null)
  const state = useCell(lines.state)
  const [view, setView] = useState({ top: 0, height: 600 })
  const [isFollowing, setFollowing] = useState(true)
  const followed = useRef(true)
  followed.current = isFollowing
  const [seen, setSeen] = useState(0)
  const anchor = anchored(usePlace().anchor)
  const { total } = state
  const inner = Math.min(highest, total * lineHeight)
  const ratio = inner === 0 ? 1 : (total * lineHeight - view.height) / Math.max(1, inner - view.height)
  const scale = total * lineHeight <= highest ? 1 : ratio
  const exact = (view.top * scale) / lineHeight
  const first = Math.max(0, Math.floor(exact) - overscan)
  const last = Math.min(total, Math.ceil(exact + view.height / lineHeight) + overscan)
  // The position of the first row. The others follow it, so that scrolling moves one element.
  const offset = scale === 1 ? first * lineHeight : view.top + (first - exact) * lineHeight
  useEffect(() => lines.need(first, last), [lines, first, last, state.total])
  useLayoutEffect(() => {
    const element = box.current
    if (element && isFollowing) element.scrollTop = element.scrollHeight
    if (isFollowing) setSeen(total)
  }, [total, isFollowing])
  const show = (line: number) => {
    setFollowing(false)
    const top = (Math.max(0, line - 5) * lineHeight) / scale
    window.requestAnimationFrame(() => box.current?.scrollTo({ top }))
  }
  useEffect(() => {
    if (anchor !== null && state.isLoaded) show(anchor)
  }, [anchor, state.isLoaded])
  useEffect(() => {
    if (hit?.line != null) show(hit.line)
  }, [hit?.line, hit?.round])
  const look = (element: HTMLDivElement) => setView({ top: element.scrollTop, height: element.clientHeight })
  const scrolled = (element: HTMLDivElement) => {
    const isAtEnd = element.scrollTop + element.clientHeight >= element.scrollHeight - lineHeight
    // Only scrolling up ends following: the end also moves away when lines arrive or the window shrinks.
    if (isAtEnd || element.scrollTop < view.top) setFollowing(isAtEnd)
    look(element)
  }
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const watcher = new ResizeObserver(() => {
      if (followed.current) element.scrollTop = element.scrollHeight
      look(element)
    })
    watcher.observe(element)
    return () => watcher.disconnect()
  }, [])
  const marked = { anchor, hit: hit?.line ?? null, mark: hit?.mark ?? '', markLine: mark }
  return (
    <>
      <div
        ref={box}
        class="log-window"
        role="log"
        aria-live="off"
        aria-label={label}
        tabIndex={0}
        onScroll={event => scrolled(event.currentTarget)}
      >
        <div class="log-inner" style={{ height: `${inner}px` }}>
          <div class="log-rows" style={{ transform: `translateY(${offset}px)` }}>
            {range(first, last).map(n => (
              <LogRow key={n - first} n={n} line={lines.at(n)} {...marked} />
            ))}
          </div>
        </div>
      </div>
      {!isFollowing && (
        <button type="button" class="button pill" onClick={() => setFollowing(true)}>
          <Icon name="down" size={14} /> {total > seen ? `${total - seen} new` : 'To the end'}
        </button>
      )}
    </>
  )
}

type RowProps = {
  n: number
  line: LogLine | null
  anchor: number | null
  hit: number | null
  mark: string
  markLine(number: number): void
}

function LogRow({ n, line, anchor, hit, mark, markLine }: RowProps): JSX.Element {
  const number = n + 1
  const here = `#L${number}`
  const text = line ? `${line.colour}${line.text}` : ''
  return (
    <div class="log-line" data-marked={n === anchor} data-hit={n === hit}>
      <a
        class="log-number"
        href={here}
        aria-label={`Line ${number}`}
        onClick={event => {
          event.preventDefault()
          markLine(number)
        }}
      >
        {number}
      </a>
      <span class="log-text">
        {coloured(text, mark)}
        {line && line.cut > 0 && <span class="log-cut"> … {formatBytes(line.cut)} more</span>}
      </span>
    </div>
  )
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i)
}

/** `L123` is line 122, counted from 0. */
function anchored(anchor: string): number | null {
  const [, number] = /^L(\d+)$/.exec(anchor) ?? []
  return number === undefined ? null : Math.max(0, Number(number) - 1)
}

/**
 * A long list of which only the visible rows are in the document. It scrolls with the window. Rows may have different
 * heights, which are known beforehand.
 */
import type { JSX } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'

type Props = {
  heights: readonly number[]
  render(index: number): JSX.Element
  keyOf(index: number): string
  role?: 'list' | 'table' | 'presentation'
  label?: string
  /** The index of a row that is scrolled into view whenever the index changes. */
  shown?: number | null
}

const overscanPx = 400

export function VirtualList({
  heights,
  render,
  keyOf,
  role = 'list',
  label,
  shown = null,
}: Props): JSX.Element {
  const element = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ from: 0, to: 1_200 })
  const tops = useMemo(() => topsOf(heights), [heights])
  useLayoutEffect(() => {
    const look = () => {
      const top = element.current?.getBoundingClientRect().top ?? 0
      const from = Math.max(0, -top - overscanPx)
      const to = -top + window.innerHeight + overscanPx
      // After a little scrolling the same rows are drawn.
      setView(now =>
        Math.abs(now.from - from) < overscanPx / 2 && Math.abs(now.to - to) < overscanPx / 2
          ? now
          : { from, to },
      )
    }
    look()
    window.addEventListener('scroll', look, { passive: true })
    window.addEventListener('resize', look)
    return () => {
      window.removeEventListener('scroll', look)
      window.removeEventListener('resize', look)
    }
  }, [])
  useEffect(() => {
    if (shown !== null) bringIntoSight(element.current, tops[shown] ?? 0, heights[shown] ?? 0)
  }, [shown])
  const first = Math.max(0, firstBelow(tops, view.from) - 1)
  const end = Math.min(heights.length, firstBelow(tops, view.to))
  const rows: JSX.Element[] = []
  for (let i = first; i < end; i += 1) {
    rows.push(
      <div
        key={keyOf(i)}
        class="virtual-row"
        style={{ transform: `translateY(${tops[i]}px)`, height: `${heights[i]}px` }}
        role={role === 'list' ? 'listitem' : undefined}
      >
        {render(i)}
      </div>,
    )
  }
  return (
    <div
      ref={element}
      class="virtual"
      role={role}
      aria-label={label}
      style={{ height: `${tops[heights.length] ?? 0}px` }}
    >
      {rows}
    </div>
  )
}

/** The top of each row, and the end of the last one. */
function topsOf(heights: readonly number[]): number[] {
  const tops = [0]
  for (const height of heights) tops.push((tops.at(-1) ?? 0) + height)
  return tops
}

/** The index of the first top at or below a position. */
function firstBelow(tops: readonly number[], at: number): number {
  let low = 0
  let high = tops.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if ((tops[middle] ?? 0) < at) low = middle + 1
    else high = middle
  }
  return low
}

function bringIntoSight(element: HTMLElement | null, top: number, height: number): void {
  if (!element) return
  const at = element.getBoundingClientRect().top + top
  if (at < 80) window.scrollBy(0, at - 80)
  else if (at + height > window.innerHeight - 20) window.scrollBy(0, at + height - window.innerHeight + 20)
}

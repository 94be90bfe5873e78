/** Charts as hand-made SVG: a sparkline for a row of the list, and a line or step chart with axes for a page. */
import type { JSX } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Tone } from './status.tsx'

type Points = readonly (number | null)[]

/** Unknown values leave a gap; the last value is a dot. */
export function Sparkline({
  values,
  label,
  width = 84,
  height = 22,
}: {
  values: Points
  label: string
  width?: number
  height?: number
}): JSX.Element | null {
  const known = values.filter(value => value !== null)
  if (known.length < 2) return null
  const most = Math.max(1, ...known)
  const x = (i: number) => (values.length < 2 ? width - 4 : 3 + (i * (width - 7)) / (values.length - 1))
  const y = (value: number) => height - 4 - (value / most) * (height - 8)
  const lastIndex = values.findLastIndex(value => value !== null)
  const last = values[lastIndex] ?? 0
  const tone: Tone = last === 0 ? 'good' : last < (known[0] ?? last) ? 'info' : 'quiet'
  return (
    <svg width={width} height={height} role="img" aria-label={label} class={`tone-${tone}`}>
      <path
        d={pathOf(values, x, y)}
        fill="none"
        stroke="currentColor"
        stroke-width="1.5"
        stroke-linejoin="round"
        stroke-linecap="round"
      />
      <circle cx={x(lastIndex)} cy={y(last)} r="2.5" fill="currentColor" />
    </svg>
  )
}

function pathOf(values: Points, x: (i: number) => number, y: (value: number) => number): string {
  let isOpen = false
  return values
    .map((value, i) => {
      if (value === null) {
        isOpen = false
        return ''
      }
      const step = `${isOpen ? 'L' : 'M'}${x(i).toFixed(1)} ${y(value).toFixed(1)}`
      isOpen = true
      return step
    })
    .join('')
}

type Series = { name: string; tone: Tone; values: Points }

type ChartProps = {
  title: string
  series: readonly Series[]
  /** One label below each point; only some are drawn if there are many. */
  labels: readonly string[]
  format(value: number): string
  /** A horizontal line, such as a budget. */
  limit?: { value: number; label: string } | null
  height?: number
}

const edge = { left: 48, right: 12, top: 12, bottom: 22 }
/** Below a point, in px. */
const labelWidth = 56

/** The numbers are also in a table, for people who cannot see the drawing. */
export function LineChart({
  title,
  series,
  labels,
  format,
  limit = null,
  height = 150,
}: ChartProps): JSX.Element {
  const all = series.flatMap(({ values }) => values.filter(value => value !== null))
  const most = niceTop(Math.max(0, ...all, limit && limit.value <= Math.max(...all) * 4 ? limit.value : 0))
  const [box, width] = useWidth()
  const inner = { width: width - edge.left - edge.right, height: height - edge.top - edge.bottom }
  const x = (i: number) =>
    edge.left + (labels.length < 2 ? inner.width / 2 : (i * inner.width) / (labels.length - 1))
  const y = (value: number) => edge.top + inner.height - (value / most) * inner.height
  const every = Math.max(1, Math.ceil((labels.length * labelWidth) / Math.max(inner.width, labelWidth)))
  return (
    <figure class="chart" ref={box}>
      <svg width={width} height={height} role="img" aria-label={`${title}: ${spoken(series, format)}`}>
        {[0, 0.5, 1].map(part => (
          <g key={part}>
            <line
              x1={edge.left}
              x2={width - edge.right}
              y1={y(most * part)}
              y2={y(most * part)}
              class="grid"
            />
            <text x={edge.left - 8} y={y(most * part) + 4} text-anchor="end">
              {format(most * part)}
            </text>
          </g>
        ))}
        {labels.map((label, i) =>
          i % every === 0 ? (
            <text key={i} x={x(i)} y={height - 6} text-anchor="middle">
              {label}
            </text>
          ) : null,
        )}
        {limit && limit.value <= most && (
          <line
            x1={edge.left}
            x2={width - edge.right}
            y1={y(limit.value)}
            y2={y(limit.value)}
            class="limit"
          />
        )}
        {series.map(({ name, tone, values }) => (
          <g key={name} class={`tone-${tone}`}>
            <path
              d={pathOf(values, x, y)}
              fill="none"
              stroke="currentColor"
              stroke-width="1.75"
              stroke-linejoin="round"
            />
            {values.length <= 60 &&
              values.map(
                (value, i) =>
                  value !== null && <circle key={i} cx={x(i)} cy={y(value)} r="2.75" fill="currentColor" />,
              )}
          </g>
        ))}
      </svg>
      {series.length > 1 && (
        <figcaption class="row small quiet">
          {series.map(({ name, tone }) => (
            <span key={name} class="row tight">
              <span class={`swatch tone-${tone}`} /> {name}
            </span>
          ))}
        </figcaption>
      )}
    </figure>
  )
}

/** How wide the drawing may be, in px: it is drawn anew for each width, so that its words keep their size. */
function useWidth(): [{ current: HTMLElement | null }, number] {
  const box = useRef<HTMLElement>(null)
  const [width, setWidth] = useState(320)
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const look = () => setWidth(Math.max(160, Math.floor(element.clientWidth)))
    look()
    const watcher = new ResizeObserver(look)
    watcher.observe(element)
    return () => watcher.disconnect()
  }, [])
  return [box, width]
}

function spoken(series: readonly Series[], format: (value: number) => string): string {
  return series
    .map(({ name, values }) => {
      const last = values.findLast(value => value !== null)
      return `${name}, last ${last == null ? 'unknown' : format(last)}`
    })
    .join('; ')
}

/** The smallest of 1, 2, 5, 10, 20 … that is not less than the value. */
function niceTop(value: number): number {
  if (value <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 5, 10].find(step => step * power >= value) ?? 10) * power
}

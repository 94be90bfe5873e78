/** The icons: paths in a grid of 16, in the colour of the text. Icons are decoration: a word is always beside them. */
import type { JSX } from 'preact'

const paths = {
  loop: 'M3.2 8a4.8 4.8 0 0 1 8.4-3.2L13 6.2M13 3v3.2H9.8M12.8 8a4.8 4.8 0 0 1-8.4 3.2L3 9.8M3 13V9.8h3.2',
  list: 'M5.5 4h8M5.5 8h8M5.5 12h8M2.5 4h.01M2.5 8h.01M2.5 12h.01',
  plus: 'M8 3v10M3 8h10',
  machine: 'M2.5 3.5h11v4h-11zM2.5 9h11v4h-11zM5 5.5h.01M5 11h.01',
  report: 'M3 13V3M3 13h10.5M6 10.5V8M9 10.5V5M12 10.5V7',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.3 10.3 14 14',
  sun: 'M8 10.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6zM8 1.5v1.3M8 13.2v1.3M1.5 8h1.3M13.2 8h1.3M3.4 3.4l.9.9M11.7 11.7l.9.9M3.4 12.6l.9-.9M11.7 4.3l.9-.9',
  moon: 'M13.5 9.6A5.8 5.8 0 0 1 6.4 2.5a5.8 5.8 0 1 0 7.1 7.1z',
  half: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 2v12M8 5l4.5-1.5M8 8h6M8 11l4.5 1.5',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  play: 'M5 3.2v9.6L12.5 8z',
  stop: 'M4 4h8v8H4z',
  inject: 'M2.5 3.5h11v7h-6l-3 2.5v-2.5h-2zM5.5 7h5',
  save: 'M8 2.5v7M5 7l3 3 3-3M3 12.5h10',
  back: 'M6 4 2.5 7.5 6 11M2.5 7.5h7a4 4 0 0 1 0 8H8',
  check: 'M3.5 8.5l3 3 6-7',
  cross: 'M4 4l8 8M12 4l-8 8',
  chevron: 'M6 4l4 4-4 4',
  down: 'M4 6l4 4 4-4',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  file: 'M4 2h5l3 3v9H4zM9 2v3h3',
  folder: 'M2 4h4l1.5 2H14v7H2z',
  warn: 'M8 2.5 14.5 13.5h-13zM8 6.5v3.2M8 11.6h.01',
  info: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 7.3v3.4M8 5.2h.01',
  bell: 'M4 6.5a4 4 0 0 1 8 0c0 4 1.5 4.5 1.5 4.5h-11S4 10.5 4 6.5zM6.8 13.2a1.3 1.3 0 0 0 2.4 0',
  keys: 'M1.5 4h13v8h-13zM4 6.5h.01M6.5 6.5h.01M9 6.5h.01M11.5 6.5h.01M5 9.5h6',
  branch:
    'M4.5 5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3zM4.5 14a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3zM11.5 6a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3zM4.5 5v6M11.5 6c0 3-7 2-7 5',
  tool: 'M10.5 2.5a3.2 3.2 0 0 0-3 4.4L2.5 12l1.6 1.6 5-5a3.2 3.2 0 0 0 4.3-4l-1.9 1.9-1.6-.4-.4-1.6 1.9-1.9z',
  edit: 'M10.5 3 13 5.5 5.5 13H3v-2.5z',
  ask: 'M5.8 6a2.2 2.2 0 1 1 3 2c-.6.3-.8.7-.8 1.5M8 11.8h.01M8 14.5A6.5 6.5 0 1 0 8 1.5a6.5 6.5 0 0 0 0 13z',
  out: 'M6 3H3v10h3M7 8h7M11 5l3 3-3 3',
} as const

export type IconName = keyof typeof paths

export function Icon({
  name,
  size = 16,
  class: more,
}: {
  name: IconName
  size?: number
  class?: string
}): JSX.Element {
  return (
    <svg width={size} height={size} viewBox="0 0 16 16" aria-hidden="true" focusable="false" class={more}>
      <path
        d={paths[name]}
        fill="none"
        stroke="currentColor"
        stroke-width="1.5"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  )
}

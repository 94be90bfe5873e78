/** The side bar: links to the pages, the number of loops that need a person, and whether loopd can be reached. */
import type { JSX } from 'preact'
import { useCell } from '../base/cell.ts'
import { hostedBy, link } from '../base/feed.ts'
import { listing } from '../base/list.ts'
import { usePlace } from '../base/router.ts'
import { nextTheme, theme } from '../base/theme.ts'
import { Icon, type IconName } from '../parts/icon.tsx'
import { Link } from '../parts/link.tsx'

const places: readonly [path: string, words: string, icon: IconName][] = [
  ['/', 'Loops', 'list'],
  ['/start', 'Start', 'plus'],
  ['/report', 'Report', 'report'],
  ['/machine', 'Machine', 'machine'],
]

export function Side({ openPalette }: { openPalette(): void }): JSX.Element {
  const { path } = usePlace()
  const isCurrent = (to: string) =>
    to === '/' ? path === '/' || path.startsWith('/loops') : path.startsWith(to)
  return (
    <header class="side">
      <Link to="/" class="brand">
        <Icon name="loop" size={18} /> loop
      </Link>
      <nav class="nav" aria-label="Pages">
        {places.map(([to, words, icon]) => (
          <Link key={to} to={to} current={isCurrent(to)}>
            <Icon name={icon} />
            {words}
            {to === '/' && <Attention />}
          </Link>
        ))}
      </nav>
      <div class="side-end">
        <button type="button" class="side-button" onClick={openPalette}>
          <Icon name="search" />
          <span class="label grow">Search</span>
          <kbd aria-hidden="true">Ctrl K</kbd>
        </button>
        <ThemeButton />
        <LinkState />
      </div>
    </header>
  )
}

function Attention(): JSX.Element | null {
  const { rows } = useCell(listing)
  const many = [...rows.values()].filter(({ section }) => section === 'attention').length
  if (many === 0) return null
  return (
    <span class="count attention">
      {many}
      <span class="unseen"> need you</span>
    </span>
  )
}

const themeWords = { system: 'As the system', light: 'Light', dark: 'Dark' } as const
const themeIcons = { system: 'half', light: 'sun', dark: 'moon' } as const

function ThemeButton(): JSX.Element {
  const now = useCell(theme)
  return (
    <button type="button" class="side-button" onClick={nextTheme} aria-label={`Theme: ${themeWords[now]}`}>
      <Icon name={themeIcons[now]} />
      <span class="label">{themeWords[now]}</span>
    </button>
  )
}

const linkWords = {
  opening: 'Connecting',
  live: 'Live',
  lost: 'No connection',
  'signed-out': 'Signed out',
} as const

function LinkState(): JSX.Element {
  const state = useCell(link)
  const host = useCell(hostedBy)
  return (
    <div class="link-state" data-link={state === 'signed-out' ? 'lost' : state} role="status">
      <span class="link-dot" aria-hidden="true" />
      {linkWords[state]}
      {state === 'live' && host && <span class="tone-quiet label"> loopd {host.version}</span>}
    </div>
  )
}

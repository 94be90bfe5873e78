/**
 * The current place on the page: the path below /app, its query and its anchor, as one value that components follow.
 */
import { cell, useCell } from './cell.ts'

type Place = { path: string; query: URLSearchParams; anchor: string }

const root = '/app'

function here(): Place {
  const { pathname, search, hash } = window.location
  const path = pathname === root || pathname.startsWith(`${root}/`) ? pathname.slice(root.length) : pathname
  return { path: path === '' ? '/' : path, query: new URLSearchParams(search), anchor: hash.slice(1) }
}

const place = cell<Place>(here())

window.addEventListener('popstate', () => place.set(here()))
window.addEventListener('hashchange', () => place.set(here()))

export function usePlace(): Place {
  return useCell(place)
}

/** The path in the form of a browser's address; the list is at the top, with any query. */
export function address(path: string): string {
  return /^\/(?:$|[?#])/.test(path) ? path : `${root}${path}`
}

/** `replace`: the back button skips the current place. */
export function goTo(path: string, { replace = false } = {}): void {
  const to = address(path)
  if (replace) window.history.replaceState(null, '', to)
  else window.history.pushState(null, '', to)
  const before = place.get().path
  place.set(here())
  if (place.get().path !== before) window.scrollTo(0, 0)
}

/** Changes the query of the current place; an empty value removes a name. */
export function setQuery(changes: Record<string, string>): void {
  const { path, query, anchor } = place.get()
  const next = new URLSearchParams(query)
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') next.delete(name)
    else next.set(name, value)
  }
  const text = next.toString()
  goTo(`${path}${text === '' ? '' : `?${text}`}${anchor === '' ? '' : `#${anchor}`}`, { replace: true })
}

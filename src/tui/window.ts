/**
 * The window of a view: the open tab, its lines, the position in them, and the keys that move it. A tab whose content
 * changed is opened again at the same position.
 */

import { setImmediate as breathe } from 'node:timers/promises'
import { tabSays, windowSays } from '../views/screen/messages.ts'
import { lineDialog } from './dialog.ts'
import type { Tab } from './loop-tabs.ts'
import {
  move,
  type Paging,
  pagingOf,
  rowsIn,
  type ShownRow,
  searchStep,
  toEnd,
  toLine,
  type Window,
} from './pager.ts'
import type { KeyPress } from './screen.ts'
import type { Shell } from './view.ts'

/** The most bytes of output to read at once, so that keys are handled in between. */
const stepBytes = 8 << 20

export type PagedWindow = {
  /** Opens a tab, if `name` is not the open one or `anew` is set. */
  show(name: string, open: () => Tab, anew: boolean): void
  /** Reads more lines; true if there were any. */
  look(): boolean
  rows(window: Window): ShownRow[]
  info(): string
  key(key: KeyPress): void
  /** The line of the latest match. */
  found(): number | null
  close(): void
}

/** `last`: the last visible line. */
type Open = { name: string; tab: Tab; paging: Paging; size: number; last: number }

export function pagedWindow(shell: Shell): PagedWindow {
  let open: Open | null = null
  let window: Window = { width: 80, height: 20 }
  const actions = actionsOf(
    () => open,
    () => window,
    shell,
  )
  const close = () => {
    open?.tab.lines.close()
    open = null
  }
  return {
    show(name, opened, anew) {
      if (open?.name === name && !anew) return
      const { place, follows, search } = (open?.name === name ? open.paging : null) ?? {}
      close()
      const tab = opened()
      while (tab.lines.grow(stepBytes) && tab.lines.count().bytes < stepBytes);
      const paging = pagingOf(tab.lines, { ...tab, follows: follows ?? tab.follows })
      open = {
        name,
        tab,
        paging: { ...paging, ...(place && { place }), search: search ?? null },
        size: -1,
        last: 0,
      }
    },
    look() {
      if (!open) return false
      const isMore = open.tab.lines.grow(stepBytes)
      const { size, bytes } = open.tab.lines.count()
      const isNew = isMore || size + bytes !== open.size
      open.size = size + bytes
      return isNew
    },
    rows(room) {
      window = room
      if (!open) return []
      const rows = rowsIn(open.paging, room)
      open.last = rows.at(-1)?.n ?? 0
      const { none = '' } = open.tab
      return rows.length > 0 ? rows : [{ n: -1, isFirst: true, beside: '', text: none }]
    },
    info: () => (open ? infoOf(open) : ''),
    key: key => (key.ctrl ? actions[`^${key.name}`] : (actions[key.text] ?? actions[key.name]))?.(),
    found: () => open?.paging.search?.found ?? null,
    close,
  }
}

function actionsOf(open: () => Open | null, window: () => Window, shell: Shell): Record<string, () => void> {
  const paging = () => open()?.paging ?? null
  const search = (wish: Wish) => {
    const at = paging()
    if (!at) return
    at.search = { text: wish.text, found: at.search?.found ?? null }
    searching(at, wish, { shell, isOpen: () => paging() === at }).catch((error: Error) =>
      shell.say(error.message),
    )
  }
  const again = (back: boolean) => () => {
    const { search: last = null, place } = paging() ?? {}
    if (!last) return shell.say(windowSays.noSearch)
    const from = last.found === null ? (place?.line ?? 0) : last.found + (back ? -1 : 1)
    search({ text: last.text, from, back })
  }
  const ask = () => {
    const from = paging()?.place.line ?? 0
    shell.ask(lineDialog({ label: windowSays.search }, text => search({ text, from, back: false })))
  }
  return {
    ...moves(paging, window),
    '/': ask,
    n: again(false),
    N: again(true),
    l: () => shell.say(linkOf(open())),
    s: () => {
      const { tab } = open() ?? {}
      if (tab) shell.aside(allText(tab))
    },
  }
}

type Wish = { text: string; from: number; back: boolean }

/**
 * Searches in steps, so that keys are handled in between: up to the end, then the rest from the top, or backwards up to
 * the top, then from the end. Opening another tab ends the search.
 */
async function searching(
  paging: Paging,
  { text, from, back }: Wish,
  { shell, isOpen }: { shell: Shell; isOpen(): boolean },
): Promise<void> {
  const other = back ? paging.lines.count().lines - 1 : 0
  for (const start of new Set([from, other])) {
    const isAgain = start !== from
    const anew = isAgain ? (back ? 'end' : 'top') : null
    const isSearched = (line: number) => isAgain && (back ? line < from : line > from)
    for (let next: number | null = start; next !== null; ) {
      const found = searchStep(paging, { text, from: next, back })
      if (found.line !== null) return shell.say(windowSays.found(found.line + 1, anew))
      next = found.next === null || isSearched(found.next) ? null : found.next
      if (next !== null) shell.say(windowSays.searching(next + 1))
      await breathe()
      if (!isOpen()) return
    }
  }
  shell.say(windowSays.notFound(text))
}

function moves(paging: () => Paging | null, window: () => Window): Record<string, () => void> {
  const to = (go: (one: Paging) => void) => () => {
    const one = paging()
    if (one) go(one)
  }
  const by = (rows: () => number) => to(one => move(one, rows(), window()))
  const page = () => Math.max(1, window().height - 1)
  const begin = to(one => toLine(one, 0))
  const end = to(toEnd)
  const [down, up] = [by(() => 1), by(() => -1)]
  const [pageDown, pageUp] = [by(page), by(() => -page())]
  return {
    down,
    j: down,
    up,
    k: up,
    pagedown: pageDown,
    ' ': pageDown,
    pageup: pageUp,
    '^d': by(() => Math.ceil(page() / 2)),
    '^u': by(() => -Math.ceil(page() / 2)),
    home: begin,
    g: begin,
    end,
    G: end,
    f: end,
  }
}

function linkOf(open: Open | null): string {
  if (!open) return ''
  const { tab, paging } = open
  const line = paging.search?.found ?? paging.place.line
  return tab.link ? tab.link(line + 1) : tabSays.noLink
}

function infoOf({ tab, paging, last }: Open): string {
  const { lines, bytes, size } = tab.lines.count()
  if (bytes < size - 64) return windowSays.reading(bytes / Math.max(1, size))
  if (lines === 0) return ''
  return paging.follows
    ? windowSays.follows(lines)
    : windowSays.linesOf(paging.place.line + 1, last + 1, lines)
}

const mostAside = 20_000

/** The text of a tab for the terminal's own scrolling: the newest lines, if there are very many. */
function* allText({ lines, beside }: Tab): Generator<string> {
  while (lines.grow(stepBytes));
  const all = lines.count().lines
  const from = Math.max(0, all - mostAside)
  if (from > 0) yield windowSays.earlier(from)
  for (let at = from; at < all; at += 500) {
    const many = Math.min(500, all - at)
    const besides = beside?.(at, many) ?? []
    for (const [i, { colour, text }] of lines.read(at, many).entries()) {
      const plain = colour === '' && !text.includes('\u001B')
      yield `${besides[i] ?? ''}${plain ? text : `${colour}${text}\u001B[0m`}`
    }
  }
}

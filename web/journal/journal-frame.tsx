/** The frame of a loop's and of a group's page: the head, what it asks, and its parts in tabs with their keys. */
import type { ComponentChildren, JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Journal } from '../base/journal.ts'
import { goTo } from '../base/router.ts'
import { Link } from '../parts/link.tsx'
import { FailureNote } from '../parts/note.tsx'
import { usePageKeys } from '../shell/keys.ts'
import { setTitle } from '../shell/title.ts'

/** What every part of the page is given. */
type Viewed = { journal: Journal; state: { id: string }; summary: { status: string } }

export type PageTab<V> = readonly [name: string, words: string, part: (view: V) => JSX.Element]

type Props<V> = {
  what: 'loop' | 'group'
  view: V
  /** The first is shown where `tab` names none of them. */
  tabs: readonly [PageTab<V>, ...PageTab<V>[]]
  tab: string
  /** The head, and what stands above all tabs. */
  children: ComponentChildren
}

export function JournalFrame<V extends Viewed>({ what, view, tabs, tab, children }: Props<V>): JSX.Element {
  const { journal, state, summary } = view
  const { id } = state
  const [first] = tabs
  const chosen = tabs.find(([name]) => name === tab) ?? first
  const [, , part] = chosen
  useEffect(() => setTitle(`${summary.status} ${id}`), [id, summary.status])
  usePageKeys(
    tabs.map(([name, words], i) => ({
      key: String(i + 1),
      words: `show ${words.toLowerCase()}`,
      run: () => goTo(tabPath(id, name)),
    })),
  )
  return (
    <div class="page loop-page">
      {children}
      {journal.failure !== null && <FailureNote refused={{ message: journal.failure }} />}
      <nav class="tabs" aria-label={`Parts of the ${what}`}>
        {tabs.map(one => (
          <Link key={one[0]} to={tabPath(id, one[0])} current={one === chosen}>
            {one[1]}
          </Link>
        ))}
      </nav>
      {part(view)}
    </div>
  )
}

function tabPath(id: string, name: string): string {
  return name === '' ? `/loops/${id}` : `/loops/${id}/${name}`
}

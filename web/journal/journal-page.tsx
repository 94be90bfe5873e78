/**
 * The page of one loop or group: the head, what it asks, and its parts in tabs with their keys. What differs is in one
 * row for each kind of journal (web/run/loop-page, web/group/group-page).
 */
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'
import { folds, type JournalKind } from '../../src/core/folds.ts'
import type { Head } from '../../src/core/head.ts'
import type { Fold, Kinds } from '../../src/core/machine.ts'
import type { Envelope } from '../../src/model/envelope.ts'
import { type Journal, useJournal } from '../base/journal.ts'
import { goTo } from '../base/router.ts'
import { groupPage } from '../group/group-page.tsx'
import { Link } from '../parts/link.tsx'
import { Empty, FailureNote, Loading } from '../parts/note.tsx'
import { loopPage } from '../run/loop-page.tsx'
import { usePageKeys } from '../shell/keys.ts'
import { setTitle } from '../shell/title.ts'
import { EventsTab } from './events-tab.tsx'

/** What every part of the page is given. */
export type JournalView<K extends Kinds = Kinds> = {
  journal: Journal<K['event'] & Envelope>
  state: K['state']
  summary: K['summary']
}

/** `show` as a method, like those of a fold: it is called with the view of its own kind. */
export type PageTab<V> = readonly [name: string, words: string, part: { show(view: V): JSX.Element }['show']]

/** The page of one kind of journal. The first tab is shown where none is named; the events come last. */
export type PageOf<K extends Kinds> = {
  /** The head, and what stands above all tabs. */
  top(view: JournalView<K>): ComponentChildren
  tabs(state: K['state']): readonly [PageTab<JournalView<K>>, ...PageTab<JournalView<K>>[]]
  /** What is said about an event. */
  announce(event: K['event'] & Envelope, state: K['state'], before: K['state'] | null): readonly string[]
}

const pages: Record<JournalKind, PageOf<Kinds>> = { loop: loopPage, group: groupPage }

type Props = { id: string; tab: string }

export function JournalPage({ id, tab }: Props): JSX.Element {
  const journal = useJournal(id)
  const { kind, state, failure } = journal
  if (kind && state) return <Page kind={kind} journal={journal} state={state} tab={tab} />
  if (failure === null) return <Loading what={`loop ${id}`} />
  return (
    <div class="page">
      <Empty title={`Loop ${id} cannot be shown`} isPage>
        <FailureNote refused={{ message: failure }} />
        <p>
          <Link to="/">To the list of loops</Link>
        </p>
      </Empty>
    </div>
  )
}

type PageProps = { kind: JournalKind; journal: Journal; state: Kinds['state']; tab: string }

function Page({ kind, journal, state, tab }: PageProps): JSX.Element {
  const page = pages[kind]
  const fold: Fold<Kinds> = folds[kind]
  const summary: Head = useMemo(() => fold.summarize(state), [state])
  const view = { journal, state, summary }
  const events: PageTab<JournalView> = [
    'events',
    'Events',
    () => <EventsTab journal={journal} fold={fold} announce={page.announce} />,
  ]
  const tabs = [...page.tabs(state), events]
  const chosen = tabs.find(([name]) => name === tab) ?? tabs[0] ?? events
  const { id } = state
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
      {page.top(view)}
      {journal.failure !== null && <FailureNote refused={{ message: journal.failure }} />}
      <nav class="tabs" aria-label={`Parts of the ${kind}`}>
        {tabs.map(one => (
          <Link key={one[0]} to={tabPath(id, one[0])} current={one === chosen}>
            {one[1]}
          </Link>
        ))}
      </nav>
      {chosen[2](view)}
    </div>
  )
}

function tabPath(id: string, name: string): string {
  return name === '' ? `/loops/${id}` : `/loops/${id}/${name}`
}

/** The page of one loop: its head, its open question, its actions, and its tabs. */
import type { JSX } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'
import type { State } from '../../src/core/loop/state.ts'
import { type Summary, summarize } from '../../src/core/loop/summary.ts'
import type { Journal } from '../base/journal.ts'
import { goTo } from '../base/router.ts'
import { Link } from '../parts/link.tsx'
import { FailureNote } from '../parts/note.tsx'
import { usePageKeys } from '../shell/keys.ts'
import { setTitle } from '../shell/title.ts'
import { ChangesTab } from './changes/changes-tab.tsx'
import { EventsTab } from './events-tab.tsx'
import { LogTab } from './log/log-tab.tsx'
import { LoopHead } from './loop-head.tsx'
import { Overview } from './overview.tsx'
import { PromptsTab } from './prompts-tab.tsx'

/** The input of every part of the page. */
export type LoopView = { journal: Journal; state: State; summary: Summary }

const tabs: readonly [name: string, words: string, part: (view: LoopView) => JSX.Element][] = [
  ['', 'Overview', view => <Overview {...view} />],
  ['log', 'Log', view => <LogTab {...view} />],
  ['changes', 'Changes', view => <ChangesTab {...view} />],
  ['prompts', 'Prompts', view => <PromptsTab {...view} />],
  ['events', 'Events', view => <EventsTab {...view} />],
]

export function LoopPage({
  journal,
  state,
  tab,
}: {
  journal: Journal
  state: State
  tab: string
}): JSX.Element {
  const summary = useMemo(() => summarize(state), [state])
  const { id } = state
  useEffect(() => setTitle(`${summary.status} ${id}`), [id, summary.status])
  const [, , part] = tabs.find(([name]) => name === tab) ?? tabs[0] ?? []
  usePageKeys(
    tabs.map(([name, words], i) => ({
      key: String(i + 1),
      words: `show ${words.toLowerCase()}`,
      run: () => goTo(tabPath(id, name)),
    })),
  )
  const view = { journal, state, summary }
  return (
    <div class="page loop-page">
      <LoopHead {...view} />
      {journal.failure !== null && <FailureNote refused={{ message: journal.failure }} />}
      <nav class="tabs" aria-label="Parts of the loop">
        {tabs.map(([name, words]) => (
          <Link key={name} to={tabPath(id, name)} current={name === tab}>
            {words}
          </Link>
        ))}
      </nav>
      {part?.(view)}
    </div>
  )
}

function tabPath(id: string, name: string): string {
  return name === '' ? `/loops/${id}` : `/loops/${id}/${name}`
}

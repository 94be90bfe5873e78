/** The page of a group: its head, its open question, its graph and members, attempts side by side, and its events. */
import type { JSX } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'
import type { GroupState } from '../../src/core/group/state.ts'
import { type GroupSummary, summarizeGroup } from '../../src/core/group/summary.ts'
import type { Journal } from '../base/journal.ts'
import { goTo } from '../base/router.ts'
import { Link } from '../parts/link.tsx'
import { FailureNote } from '../parts/note.tsx'
import { usePageKeys } from '../shell/keys.ts'
import { setTitle } from '../shell/title.ts'
import { CompareTab } from './compare-tab.tsx'
import { GateCard } from './gate-card.tsx'
import { GraphCard } from './graph-card.tsx'
import { GroupEvents } from './group-events.tsx'
import { GroupHead } from './group-head.tsx'
import { MembersCard } from './members-card.tsx'
import { LearningsTab } from './plan/learnings-tab.tsx'
import { ReviewTab } from './plan/review-tab.tsx'
import { StagesCard } from './plan/stages-card.tsx'
import { TasksTab } from './plan/tasks-tab.tsx'

export type GroupView = { journal: Journal; state: GroupState; summary: GroupSummary }

type Tab = [name: string, words: string, part: (view: GroupView) => JSX.Element]

const overview: Tab = ['', 'Overview', view => <GroupOverview {...view} />]
const compare: Tab = ['compare', 'Compare', view => <CompareTab {...view} />]
const tasks: Tab = ['tasks', 'Tasks', view => <TasksTab {...view} />]
const reviews: Tab = ['reviews', 'Reviews', view => <ReviewTab {...view} />]
const learnings: Tab = ['learnings', 'Learnings', view => <LearningsTab {...view} />]
const events: Tab = ['events', 'Events', view => <GroupEvents {...view} />]

const tabsOf: Record<GroupState['spec']['program'], readonly Tab[]> = {
  'best-of': [overview, compare, events],
  workflow: [overview, events],
  plan: [overview, tasks, reviews, learnings, events],
}

export function GroupPage({
  journal,
  state,
  tab,
}: {
  journal: Journal
  state: GroupState
  tab: string
}): JSX.Element {
  const summary = useMemo(() => summarizeGroup(state), [state])
  const { id } = state
  useEffect(() => setTitle(`${summary.status} ${id}`), [id, summary.status])
  const tabs = tabsOf[state.spec.program]
  const [, , part] = tabs.find(([name]) => name === tab) ?? overview
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
      <GroupHead {...view} />
      {journal.failure !== null && <FailureNote refused={{ message: journal.failure }} />}
      {summary.question !== null && <GateCard state={state} />}
      <nav class="tabs" aria-label="Parts of the group">
        {tabs.map(([name, words]) => (
          <Link key={name} to={tabPath(id, name)} current={name === tab}>
            {words}
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

function GroupOverview(view: GroupView): JSX.Element {
  return (
    <div class="stack wide-gap">
      {view.state.spec.program === 'plan' && <StagesCard state={view.state} />}
      <MembersCard {...view} />
      <GraphCard journal={view.journal} state={view.state} />
    </div>
  )
}

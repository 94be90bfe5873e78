/** The page of a group: its head, its open question, its graph and members, attempts side by side, and its events. */
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { isNotApplied } from '../../src/core/attention.ts'
import type { GroupState } from '../../src/core/group/state.ts'
import { type GroupSummary, summarizeGroup } from '../../src/core/group/summary.ts'
import { nextSteps } from '../../src/views/words/next-steps.ts'
import type { Journal } from '../base/journal.ts'
import { JournalFrame, type PageTab } from '../journal/journal-frame.tsx'
import { NextCard } from '../journal/next-card.tsx'
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

type GroupTab = PageTab<GroupView>

const overview: GroupTab = ['', 'Overview', view => <GroupOverview {...view} />]
const compare: GroupTab = ['compare', 'Compare', view => <CompareTab {...view} />]
const tasks: GroupTab = ['tasks', 'Tasks', view => <TasksTab {...view} />]
const reviews: GroupTab = ['reviews', 'Reviews', view => <ReviewTab {...view} />]
const learnings: GroupTab = ['learnings', 'Learnings', view => <LearningsTab {...view} />]
const events: GroupTab = ['events', 'Events', view => <GroupEvents {...view} />]

const tabsOf: Record<GroupState['spec']['program'], readonly [GroupTab, ...GroupTab[]]> = {
  'best-of': [overview, compare, events],
  workflow: [overview, events],
  plan: [overview, tasks, reviews, learnings, events],
}

type Props = { journal: Journal; state: GroupState; tab: string }

export function GroupPage({ journal, state, tab }: Props): JSX.Element {
  const summary = useMemo(() => summarizeGroup(state), [state])
  const view = { journal, state, summary }
  return (
    <JournalFrame what="group" view={view} tabs={tabsOf[state.spec.program]} tab={tab}>
      <GroupHead {...view} />
      {summary.question !== null && <GateCard state={state} />}
    </JournalFrame>
  )
}

function GroupOverview(view: GroupView): JSX.Element {
  return (
    <div class="stack wide-gap">
      {view.state.spec.program === 'plan' && <StagesCard state={view.state} />}
      <NextCard steps={isNotApplied(view.summary) ? nextSteps(view.summary) : []} />
      <MembersCard {...view} />
      <GraphCard journal={view.journal} state={view.state} />
    </div>
  )
}

/** The page of a group: its head, its open question, its graph and members, attempts side by side, and its events. */
import type { JSX } from 'preact'
import { isNotApplied } from '../../src/core/attention.ts'
import type { GroupKinds } from '../../src/core/group/machine.ts'
import type { GroupState } from '../../src/core/group/state.ts'
import { announceGroup } from '../../src/views/text/group-announce.ts'
import { nextSteps } from '../../src/views/words/message.ts'
import type { JournalView, PageOf, PageTab } from '../journal/journal-page.tsx'
import { NextCard } from '../journal/next-card.tsx'
import { CompareTab } from './compare-tab.tsx'
import { GateCard } from './gate-card.tsx'
import { GraphCard } from './graph-card.tsx'
import { GroupHead } from './group-head.tsx'
import { MembersCard } from './members-card.tsx'
import { LearningsTab } from './plan/learnings-tab.tsx'
import { ReviewTab } from './plan/review-tab.tsx'
import { StagesCard } from './plan/stages-card.tsx'
import { TasksTab } from './plan/tasks-tab.tsx'

export type GroupView = JournalView<GroupKinds>

type GroupTab = PageTab<GroupView>

const overview: GroupTab = ['', 'Overview', view => <GroupOverview {...view} />]
const compare: GroupTab = ['compare', 'Compare', view => <CompareTab {...view} />]
const tasks: GroupTab = ['tasks', 'Tasks', view => <TasksTab {...view} />]
const reviews: GroupTab = ['reviews', 'Reviews', view => <ReviewTab {...view} />]
const learnings: GroupTab = ['learnings', 'Learnings', view => <LearningsTab {...view} />]

const tabsOf: Record<GroupState['spec']['program'], readonly [GroupTab, ...GroupTab[]]> = {
  'best-of': [overview, compare],
  workflow: [overview],
  plan: [overview, tasks, reviews, learnings],
}

export const groupPage: PageOf<GroupKinds> = {
  top: view => (
    <>
      <GroupHead {...view} />
      {view.summary.question !== null && <GateCard state={view.state} />}
    </>
  ),
  tabs: ({ spec }) => tabsOf[spec.program],
  announce: announceGroup,
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

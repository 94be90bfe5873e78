/** The page of one loop: its head, its open question, its actions, and its tabs. */
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { State } from '../../src/core/loop/state.ts'
import type { LoopSummary } from '../../src/core/loop/summary.ts'
import { summarize } from '../../src/core/loop/summary.ts'
import type { Journal } from '../base/journal.ts'
import { JournalFrame, type PageTab } from '../journal/journal-frame.tsx'
import { ChangesTab } from './changes/changes-tab.tsx'
import { LogTab } from './log/log-tab.tsx'
import { LoopEvents } from './loop-events.tsx'
import { LoopHead } from './loop-head.tsx'
import { Overview } from './overview.tsx'
import { PromptsTab } from './prompts-tab.tsx'

/** The input of every part of the page. */
export type LoopView = { journal: Journal; state: State; summary: LoopSummary }

const tabs: readonly [PageTab<LoopView>, ...PageTab<LoopView>[]] = [
  ['', 'Overview', view => <Overview {...view} />],
  ['log', 'Log', view => <LogTab {...view} />],
  ['changes', 'Changes', view => <ChangesTab {...view} />],
  ['prompts', 'Prompts', view => <PromptsTab {...view} />],
  ['events', 'Events', view => <LoopEvents {...view} />],
]

type Props = { journal: Journal; state: State; tab: string }

export function LoopPage({ journal, state, tab }: Props): JSX.Element {
  const summary = useMemo(() => summarize(state), [state])
  const view = { journal, state, summary }
  return (
    <JournalFrame what="loop" view={view} tabs={tabs} tab={tab}>
      <LoopHead {...view} />
    </JournalFrame>
  )
}

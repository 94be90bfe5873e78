/** The page of a loop: its head with its actions, and its tabs. */
import type { LoopKinds } from '../../src/core/loop/machine.ts'
import { announce } from '../../src/views/text/announce.ts'
import type { JournalView, PageOf } from '../journal/journal-page.tsx'
import { ChangesTab } from './changes/changes-tab.tsx'
import { LogTab } from './log/log-tab.tsx'
import { LoopHead } from './loop-head.tsx'
import { Overview } from './overview.tsx'
import { PromptsTab } from './prompts-tab.tsx'

export type LoopView = JournalView<LoopKinds>

export const loopPage: PageOf<LoopKinds> = {
  top: view => <LoopHead {...view} />,
  tabs: () => [
    ['', 'Overview', view => <Overview {...view} />],
    ['log', 'Log', view => <LogTab {...view} />],
    ['changes', 'Changes', view => <ChangesTab {...view} />],
    ['prompts', 'Prompts', view => <PromptsTab {...view} />],
  ],
  announce,
}

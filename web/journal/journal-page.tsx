/** The page of one loop or group: its journal says which of the two it is. */
import type { JSX } from 'preact'
import { useJournal } from '../base/journal.ts'
import { GroupPage } from '../group/group-page.tsx'
import { Link } from '../parts/link.tsx'
import { Empty, FailureNote, Loading } from '../parts/note.tsx'
import { LoopPage } from '../run/loop-page.tsx'

export function JournalPage({ id, tab }: { id: string; tab: string }): JSX.Element {
  const journal = useJournal(id)
  if (journal.loop) return <LoopPage journal={journal} state={journal.loop} tab={tab} />
  if (journal.group) return <GroupPage journal={journal} state={journal.group} tab={tab} />
  if (journal.failure === null) return <Loading what={`loop ${id}`} />
  return (
    <div class="page">
      <Empty title={`Loop ${id} cannot be shown`} isPage>
        <FailureNote refused={{ message: journal.failure }} />
        <p>
          <Link to="/">To the list of loops</Link>
        </p>
      </Empty>
    </div>
  )
}

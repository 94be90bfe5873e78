/** The learnings of the work tree: those that wait for consent, and the kept ones with how often they helped. */
import type { JSX } from 'preact'
import type { RouteAnswer } from '../../../src/server/api/contract.ts'
import { askLoopd } from '../../base/api.ts'
import { useAsked } from '../../base/asked.ts'
import { useSubmit } from '../../base/submit.ts'
import { saidHow } from '../../base/toast.ts'
import { Empty, FailureNote, Loading, Note } from '../../parts/note.tsx'
import type { GroupView } from '../group-page.tsx'

type Learnings = RouteAnswer<'learnings'>
type Pending = Learnings['pending'][number]

export function LearningsTab({ state, summary }: GroupView): JSX.Element {
  const { cwd } = state.spec
  const got = useAsked(`learnings ${cwd} ${summary.seq}`, signal =>
    askLoopd('learnings', { query: { cwd } }, signal),
  )
  if (got.refused) return <FailureNote refused={got.refused} retry={got.reload} />
  if (!got.value) return <Loading what="what was learnt" />
  const { learnings, pending, strange } = got.value
  if (learnings.length + pending.length + strange === 0)
    return (
      <Empty title="Nothing was learnt here yet">
        <p>
          After a plan, loop offers what went differently than assumed, and keeps it only with your consent.
        </p>
      </Empty>
    )
  const settle = (id: string, keep: boolean) => settled({ cwd, id, keep }, got.reload)
  return (
    <div class="stack wide-gap">
      {pending.length > 0 && (
        <section class="card" aria-label="Waiting for your consent">
          <div class="card-head">
            <h2>Waiting for your consent</h2>
            <span class="quiet small">written nowhere before</span>
          </div>
          {pending.map(one => (
            <LearningRow key={one.id} learning={one} keep="Remember" settle={settle} />
          ))}
        </section>
      )}
      {learnings.length > 0 && (
        <section class="card" aria-label="Kept">
          <div class="card-head">
            <h2>Kept</h2>
            <span class="quiet small">shown to loops that they fit</span>
          </div>
          {learnings.map(one => (
            <LearningRow key={one.id} learning={one} use={useWords(one)} settle={settle} />
          ))}
        </section>
      )}
      {strange > 0 && (
        <Note tone="quiet" icon="info">
          <p>
            {strange} came with the repository and {strange === 1 ? 'is' : 'are'} not used. Read them, then:{' '}
            <code>loop learn --trust</code>
          </p>
        </Note>
      )}
    </div>
  )
}

async function settled(
  body: { cwd: string; id: string; keep: boolean },
  reload: () => void,
): Promise<boolean> {
  const got = await askLoopd('settleLearning', { body })
  const isDone = saidHow(got, body.keep ? 'It is remembered.' : 'It is dropped.')
  if (isDone) reload()
  return isDone
}

function useWords({ shown, helped, isToGo }: Learnings['learnings'][number]): string {
  if (shown === 0) return 'not shown yet'
  return `shown ${shown} times, helped ${helped}${isToGo ? '; better dropped' : ''}`
}

type RowProps = {
  learning: Pending
  keep?: string
  use?: string
  settle(id: string, keep: boolean): Promise<boolean>
}

function LearningRow({ learning, keep, use, settle }: RowProps): JSX.Element {
  const { id, kind, text, before, found } = learning
  const accept = useSubmit(() => settle(id, true))
  const drop = useSubmit(() => settle(id, false))
  return (
    <article class="learning" aria-label={`Learning ${id}`}>
      <div class="grow">
        <p>{text}</p>
        {before !== undefined && found !== undefined && (
          <p class="small">
            <span class="quiet">Assumed:</span> {before} <span class="quiet">· Found:</span> {found}
          </p>
        )}
        <p class="small quiet">
          {kind} {learning.loop !== null && `of ${learning.loop}`} {use !== undefined && `· ${use}`}
        </p>
      </div>
      <div class="row">
        {keep !== undefined && (
          <button type="button" class="button primary small" disabled={accept.isBusy} onClick={accept.submit}>
            {keep}
          </button>
        )}
        <button type="button" class="button small" disabled={drop.isBusy} onClick={drop.submit}>
          Drop
        </button>
      </div>
    </article>
  )
}

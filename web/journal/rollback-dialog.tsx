/** Rolls the work tree back to a checkpoint, after showing the files that it would write and delete. Can be undone. */
import type { JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import { count } from '../../src/model/units.ts'
import type { RouteAnswer } from '../../src/server/api/contract.ts'
import { askLoopd } from '../base/api.ts'
import { type Inquiry, useAsked } from '../base/asked.ts'
import { sendCommand } from '../base/command.ts'
import { useSubmit } from '../base/submit.ts'
import { say } from '../base/toast.ts'
import { Dialog } from '../parts/dialog.tsx'
import { FailureNote, Loading } from '../parts/note.tsx'

type Props = { what: 'loop' | 'group'; id: string; names: readonly string[]; close(): void; to?: string }

export function RollbackDialog({ what, id, names, close, to: wanted }: Props): JSX.Element {
  const [to, setTo] = useState(wanted ?? lastBegin(names))
  const name = useId()
  const preview = useAsked(`${id} ${to}`, signal =>
    askLoopd('rollbackPreview', { params: { id }, query: { to } }, signal),
  )
  const { isBusy, submit } = useSubmit(() => rollBack(id, to), close)
  return (
    <Dialog title={`Roll back ${what} ${id}`} close={close} wide>
      <form class="stack bare" onSubmit={submit}>
        <div class="field">
          <label for={name}>To the checkpoint</label>
          <select id={name} class="input" value={to} onChange={event => setTo(event.currentTarget.value)}>
            {names.map(one => (
              <option key={one}>{one}</option>
            ))}
          </select>
          {what === 'loop' && (
            <span class="hint">iter-003 is the tree before iteration 3; iter-003-after what it left.</span>
          )}
        </div>
        <Preview got={preview} />
        <div class="dialog-end">
          <button type="button" class="button" onClick={close}>
            Not now
          </button>
          <button type="submit" class="button primary" disabled={isBusy || preview.value?.refused !== null}>
            Roll back
          </button>
        </div>
      </form>
    </Dialog>
  )
}

/** What the newest iteration began with: mostly that is what should not have been. */
function lastBegin(names: readonly string[]): string {
  return names.findLast(name => /^iter-\d+$/.test(name)) ?? 'initial'
}

async function rollBack(id: string, to: string): Promise<boolean> {
  const got = await askLoopd('command', { params: { id }, body: { kind: 'rollback', to } })
  if (!got.ok) {
    say({ tone: 'bad', text: got.message })
    return false
  }
  const undo = () => {
    sendCommand(id, { kind: 'rollback', undo: true }, 'The rollback is undone.').catch(() => undefined)
  }
  say({ tone: 'good', text: `The files are as they were at ${to}.`, undo: { label: 'Undo', run: undo } })
  return true
}

type Previewed = Inquiry<RouteAnswer<'rollbackPreview'>>

function Preview({ got }: { got: Previewed }): JSX.Element {
  if (got.refused) return <FailureNote refused={got.refused} retry={got.reload} />
  if (!got.value) return <Loading what="what it would change" />
  const { written, deleted, left, counts, refused } = got.value
  if (refused !== null) return <FailureNote refused={{ message: `It cannot be done now: ${refused}.` }} />
  if (counts.written + counts.deleted === 0)
    return <p class="quiet">The files are already as they were then.</p>
  return (
    <div class="stack tight">
      <p>
        {count(counts.written, 'file')} written, {counts.deleted} deleted. What is there now is saved first.
      </p>
      <ul class="file-list mono small" tabIndex={0} aria-label="Files">
        {written.map(path => (
          <li key={path}>
            <span class="tone-info">write </span> {path}
          </li>
        ))}
        {deleted.map(path => (
          <li key={path}>
            <span class="tone-bad">delete</span> {path}
          </li>
        ))}
        {left.map(path => (
          <li key={path}>
            <span class="tone-warn">left </span> {path}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Restores the work tree of a group from one of its checkpoints. */
import type { JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import type { GroupState } from '../../src/core/group/state.ts'
import { sendCommand } from '../run/act/ask-loop.ts'
import { SureDialog } from './sure-dialog.tsx'

export function GroupRollback({ state, close }: { state: GroupState; close(): void }): JSX.Element {
  const names = state.checkpoints.map(({ name }) => name)
  const [to, setTo] = useState(names[0] ?? 'initial')
  const id = useId()
  return (
    <SureDialog
      title={`Roll back the work tree of group ${state.id}`}
      words="The tree is saved as it is now before anything is changed."
      yes="Roll back"
      run={() => sendCommand(state.id, { kind: 'rollback', to }, `The files are as they were at ${to}.`)}
      close={close}
    >
      <div class="field">
        <label for={id}>To the checkpoint</label>
        <select id={id} class="input" value={to} onChange={event => setTo(event.currentTarget.value)}>
          {names.map(name => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </div>
    </SureDialog>
  )
}

/** Saves the work tree as it is now, under a chosen or a generated name. */
import type { JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import { isCheckpointName } from '../../../src/model/units.ts'
import { sendCommand } from '../../base/command.ts'
import { useSubmit } from '../../base/submit.ts'
import { Dialog } from '../../parts/dialog.tsx'

export function CheckpointDialog({ id, close }: { id: string; close(): void }): JSX.Element {
  const [text, setText] = useState('')
  const name = useId()
  const isFit = text === '' || isCheckpointName(text)
  const wish = { kind: 'checkpoint' as const, name: text === '' ? null : text }
  const { isBusy, submit } = useSubmit(() => sendCommand(id, wish, 'The checkpoint is requested.'), close)
  return (
    <Dialog title="Save a checkpoint" close={close}>
      <form class="stack bare" onSubmit={submit}>
        <div class="field">
          <label for={name}>Name (may be empty)</label>
          <input
            id={name}
            class="input"
            autofocus
            value={text}
            aria-invalid={!isFit}
            aria-describedby={`${name}-hint`}
            onInput={event => setText(event.currentTarget.value)}
          />
          <span id={`${name}-hint`} class="hint">
            Letters, digits, _ and -, and single dots within. The tree is saved exactly as it is.
          </span>
        </div>
        <div class="dialog-end">
          <button type="button" class="button" onClick={close}>
            Not now
          </button>
          <button type="submit" class="button primary" disabled={isBusy || !isFit}>
            Save
          </button>
        </div>
      </form>
    </Dialog>
  )
}

/** Cancels a loop: its agent is killed, and the files stay as they are or are rolled back. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { useSubmit } from '../../base/submit.ts'
import { Dialog } from '../../parts/dialog.tsx'
import type { LoopView } from '../loop-page.tsx'
import { sendCommand } from './ask-loop.ts'

export function CancelDialog({ view, close }: { view: Pick<LoopView, 'state'>; close(): void }): JSX.Element {
  const { id, tree } = view.state
  const [isBack, setBack] = useState(false)
  const { isBusy, submit } = useSubmit(
    () =>
      isBack
        ? sendCommand(
            id,
            { kind: 'cancel', rollback: 'initial' },
            'It is cancelled, and its files are as they were.',
          )
        : sendCommand(id, { kind: 'cancel' }, 'It is being cancelled; its files stay.'),
    close,
  )
  return (
    <Dialog title={`Cancel loop ${id}?`} close={close}>
      <form class="stack bare" onSubmit={submit}>
        <p class="quiet">Its agent is stopped at once. It can be resumed later.</p>
        <fieldset class="plain-set stack tight">
          <legend class="unseen">What to do with its files</legend>
          <label class="check">
            <input type="radio" name="files" checked={!isBack} onChange={() => setBack(false)} />
            <span>Keep the files as they are</span>
          </label>
          <label class="check">
            <input
              type="radio"
              name="files"
              checked={isBack}
              disabled={tree.checkpoints === null}
              onChange={() => setBack(true)}
            />
            <span>
              Roll back to <code>initial</code>, as they were before the loop; what is there now is saved
              first
            </span>
          </label>
        </fieldset>
        <div class="dialog-end">
          <button type="button" class="button" onClick={close}>
            Let it go on
          </button>
          <button type="submit" class="button danger solid" disabled={isBusy}>
            Cancel the loop
          </button>
        </div>
      </form>
    </Dialog>
  )
}

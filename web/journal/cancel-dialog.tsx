/** Cancels a loop or group: its agents are killed, and the files stay as they are or are rolled back. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { sendCommand } from '../base/command.ts'
import { useSubmit } from '../base/submit.ts'
import { Dialog } from '../parts/dialog.tsx'

type Props = {
  what: 'loop' | 'group'
  id: string
  /** What is stopped. */
  words: string
  mayRollBack: boolean
  close(): void
}

export function CancelDialog({ what, id, words, mayRollBack, close }: Props): JSX.Element {
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
    <Dialog title={`Cancel ${what} ${id}?`} close={close}>
      <form class="stack bare" onSubmit={submit}>
        <p class="quiet">{words}</p>
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
              disabled={!mayRollBack}
              onChange={() => setBack(true)}
            />
            <span>
              Roll back to <code>initial</code>, as they were before the {what}; what is there now is saved
              first
            </span>
          </label>
        </fieldset>
        <div class="dialog-end">
          <button type="button" class="button" onClick={close}>
            Let it go on
          </button>
          <button type="submit" class="button danger solid" disabled={isBusy}>
            Cancel the {what}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

/**
 * Adds a message to the prompt of the next iteration, once. Opened from a line of a diff, the message quotes that line.
 */
import type { JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import { sendCommand } from '../../base/command.ts'
import { useSubmit } from '../../base/submit.ts'
import { Dialog } from '../../parts/dialog.tsx'

type Props = { id: string; close(): void; about?: string | undefined }

export function InjectDialog({ id, close, about }: Props): JSX.Element {
  const [text, setText] = useState('')
  const name = useId()
  const whole =
    about === undefined
      ? text
      : `${about}

${text}`
  const { isBusy, submit } = useSubmit(
    () => sendCommand(id, { kind: 'inject', text: whole }, 'The next prompt says it, once.'),
    close,
  )
  return (
    <Dialog title="Tell the agent" close={close}>
      <form class="stack bare" onSubmit={submit}>
        {about !== undefined && <pre class="printed">{about}</pre>}
        <div class="field">
          <label for={name}>What the next iteration is told, once</label>
          <textarea
            id={name}
            class="input"
            required
            autofocus
            rows={5}
            value={text}
            onInput={event => setText(event.currentTarget.value)}
          />
        </div>
        <div class="dialog-end">
          <button type="button" class="button" onClick={close}>
            Not now
          </button>
          <button type="submit" class="button primary" disabled={isBusy || text.trim() === ''}>
            Inject
          </button>
        </div>
      </form>
    </Dialog>
  )
}

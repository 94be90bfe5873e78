/** Asks for confirmation before an action. */
import type { ComponentChildren, JSX } from 'preact'
import { useSubmit } from '../base/submit.ts'
import { Dialog } from '../parts/dialog.tsx'

type Props = {
  title: string
  words: string
  yes: string
  isDanger?: boolean
  children?: ComponentChildren
  /** True if the command was accepted. */
  run(): Promise<boolean>
  close(): void
}

export function SureDialog({ title, words, yes, isDanger, children, run, close }: Props): JSX.Element {
  const { isBusy, submit } = useSubmit(run, close)
  return (
    <Dialog title={title} close={close}>
      <form class="stack bare" onSubmit={submit}>
        <p class="quiet">{words}</p>
        {children}
        <div class="dialog-end">
          <button type="button" class="button" onClick={close}>
            Not now
          </button>
          <button type="submit" class={`button ${isDanger ? 'danger solid' : 'primary'}`} disabled={isBusy}>
            {yes}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

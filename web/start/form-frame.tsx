/** The frame of every start form: the fields on the left, the result and the button on the right. */
import type { ComponentChildren, JSX } from 'preact'

type Props = {
  submit(event: Event): void
  yes: string
  canStart: boolean
  side: ComponentChildren
  children: ComponentChildren
}

export function FormFrame({ submit, yes, canStart, side, children }: Props): JSX.Element {
  return (
    <form class="start-form" onSubmit={submit}>
      <div class="stack start-main">{children}</div>
      <div class="stack start-side">
        {side}
        <button type="submit" class="button primary" disabled={!canStart}>
          {yes}
        </button>
        <p class="small quiet">It runs in the background under loopd; close the page whenever you like.</p>
      </div>
    </form>
  )
}

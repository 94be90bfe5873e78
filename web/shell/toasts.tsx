/** The short messages in the corner. */
import type { JSX } from 'preact'
import { useCell } from '../base/cell.ts'
import { dismiss, toasts } from '../base/toast.ts'
import { Icon } from '../parts/icon.tsx'

export function Toasts(): JSX.Element {
  const shown = useCell(toasts)
  return (
    <div class="toasts" role="status" aria-live="polite">
      {shown.map(({ id, tone, text, undo }) => (
        <div key={id} class="toast">
          <Icon name={tone === 'good' ? 'check' : 'warn'} class={`tone-${tone}`} />
          <span class="grow">{text}</span>
          {undo && (
            <button
              type="button"
              class="button small"
              onClick={() => {
                undo.run()
                dismiss(id)
              }}
            >
              {undo.label}
            </button>
          )}
          <button
            type="button"
            class="button plain icon small"
            aria-label="Dismiss"
            onClick={() => dismiss(id)}
          >
            <Icon name="cross" size={12} />
          </button>
        </div>
      ))}
    </div>
  )
}

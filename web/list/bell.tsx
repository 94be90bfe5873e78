/** The switch for notifications of the browser. The browser is asked for permission only when somebody turns it on. */
import type { JSX } from 'preact'
import { useCell } from '../base/cell.ts'
import { isTelling, toggleTelling } from '../base/tell.ts'
import { Icon } from '../parts/icon.tsx'

export function Bell(): JSX.Element | null {
  const isOn = useCell(isTelling)
  if (!('Notification' in window)) return null
  return (
    <button
      type="button"
      class="button"
      aria-pressed={isOn}
      title="Tell me in this browser when a loop needs me or has ended"
      onClick={() => {
        toggleTelling().catch(() => undefined)
      }}
    >
      <Icon name="bell" /> {isOn ? 'Notifying' : 'Notify me'}
    </button>
  )
}

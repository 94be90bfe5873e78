/** Notifications of the browser, off until somebody turns them on here: only then is the permission asked for. */
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

/** The keyboard shortcuts of the current page. */
import type { JSX } from 'preact'
import { Dialog } from '../parts/dialog.tsx'
import { everywhere, keysHere } from './keys.ts'

export function KeysDialog({ close }: { close(): void }): JSX.Element {
  return (
    <Dialog title="Keys" close={close}>
      <dl class="facts">
        {[...everywhere, ...keysHere()].map(({ key, words }) => (
          <div key={key} class="contents">
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
      <div class="dialog-end">
        <button type="button" class="button" onClick={close}>
          Close
        </button>
      </div>
    </Dialog>
  )
}

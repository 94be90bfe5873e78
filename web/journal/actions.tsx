/**
 * What can be done about a loop or group, as buttons and as keys. One that cannot be used now says why. To pause, cancel
 * and roll back is the same for both; the dialogs of the other actions are given.
 */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { JournalKind } from '../../src/core/folds.ts'
import { sendCommand } from '../base/command.ts'
import { Icon, type IconName } from '../parts/icon.tsx'
import { usePageKeys } from '../shell/keys.ts'
import { CancelDialog } from './cancel-dialog.tsx'
import { RollbackDialog } from './rollback-dialog.tsx'

type Shared = 'pause' | 'rollback' | 'cancel'

export type BarAction<N extends string> = {
  name: N | Shared
  words: string
  icon: IconName
  key: string
  look?: 'primary' | 'danger'
  /** It is not shown while it cannot be used: another one stands in its place. */
  isHidden?: boolean
  /** Why it cannot be used now; null where it can. */
  why: string | null
}

type Props<N extends string> = {
  what: JournalKind
  id: string
  actions: readonly BarAction<N>[]
  /** Its checkpoints. */
  names: readonly string[]
  /** What a pause and a cancel do. */
  words: { pause: string; cancel: string }
  /** The dialog of an action of its own. */
  dialog(name: N, close: () => void): JSX.Element
}

export function Actions<N extends string>({
  what,
  id,
  actions,
  names,
  words,
  dialog,
}: Props<N>): JSX.Element {
  const [open, setOpen] = useState<N | Shared | null>(null)
  const close = () => setOpen(null)
  const run = (name: N | Shared) => {
    if (name !== 'pause') setOpen(name)
    else sendCommand(id, { kind: 'pause' }, words.pause).catch(() => undefined)
  }
  const dialogs: Partial<Record<string, () => JSX.Element>> = {
    rollback: () => <RollbackDialog what={what} id={id} names={names} close={close} />,
    cancel: () => (
      <CancelDialog
        what={what}
        id={id}
        words={words.cancel}
        mayRollBack={names.includes('initial')}
        close={close}
      />
    ),
  }
  return (
    <>
      <ActionBar actions={actions} run={run} />
      {open !== null && (dialogs[open]?.() ?? dialog(open as N, close))}
    </>
  )
}

type BarProps<N extends string> = { actions: readonly BarAction<N>[]; run(name: N | Shared): void }

function ActionBar<N extends string>({ actions, run }: BarProps<N>): JSX.Element {
  usePageKeys(
    actions.flatMap(({ key, words, name, why }) =>
      why === null ? { key, words: words.toLowerCase(), run: () => run(name) } : [],
    ),
  )
  return (
    <div class="row wrap actions">
      {actions
        .filter(({ why, isHidden }) => why === null || !isHidden)
        .map(({ name, words, icon, look = '', why }) => (
          <button
            key={name}
            type="button"
            class={`button ${look}`}
            disabled={why !== null}
            title={why ?? undefined}
            onClick={() => run(name)}
          >
            <Icon name={icon} size={14} /> {words}
          </button>
        ))}
    </div>
  )
}

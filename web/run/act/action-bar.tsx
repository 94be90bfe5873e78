/** What can be done about a loop or group, as buttons and as keys. One that cannot be used now says why. */
import type { JSX } from 'preact'
import { Icon, type IconName } from '../../parts/icon.tsx'
import { usePageKeys } from '../../shell/keys.ts'

export type BarAction<N extends string> = {
  name: N
  words: string
  icon: IconName
  key: string
  look?: 'primary' | 'danger'
  /** It is not shown while it cannot be used: another one stands in its place. */
  isHidden?: boolean
  /** Why it cannot be used now; null where it can. */
  why: string | null
}

type Props<N extends string> = { actions: readonly BarAction<N>[]; run(name: N): void }

export function ActionBar<N extends string>({ actions, run }: Props<N>): JSX.Element {
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

/** A page without content: it is loading, it failed and what to do, or there is nothing to show. */
import type { ComponentChildren, JSX } from 'preact'
import type { Refused } from '../base/api.ts'
import { Icon, type IconName } from './icon.tsx'
import type { Tone } from './status.tsx'

export function Note({
  tone,
  icon,
  children,
}: {
  tone: Tone
  icon: IconName
  children: ComponentChildren
}): JSX.Element {
  return (
    <div class="note" data-tone={tone} role={tone === 'bad' ? 'alert' : undefined}>
      <Icon name={icon} class={`tone-${tone}`} />
      <div class="grow stack tight">{children}</div>
    </div>
  )
}

export function FailureNote({
  refused,
  retry,
}: {
  refused: Pick<Refused, 'message'>
  retry?: (() => void) | undefined
}): JSX.Element {
  return (
    <Note tone="bad" icon="warn">
      <p class="lines">{refused.message}</p>
      {retry && (
        <p>
          <button type="button" class="button small" onClick={retry}>
            Try again
          </button>
        </p>
      )}
    </Note>
  )
}

/** `isPage`: the note is the whole page. */
type EmptyProps = { title: string; children?: ComponentChildren; isPage?: boolean }

export function Empty({ title, children, isPage = false }: EmptyProps): JSX.Element {
  return (
    <div class="empty">
      {isPage ? <h1>{title}</h1> : <h2>{title}</h2>}
      {children}
    </div>
  )
}

export function Loading({ what }: { what: string }): JSX.Element {
  return (
    <div class="empty" role="status">
      Loading {what} …
    </div>
  )
}

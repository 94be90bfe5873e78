/**
 * A link within the page: the browser shows and copies its address, but a plain click changes the place without a
 * reload.
 */
import type { ComponentChildren, JSX } from 'preact'
import { address, goTo } from '../base/router.ts'

type Props = { to: string; children: ComponentChildren; class?: string; current?: boolean; label?: string }

export function Link({ to, children, class: more, current, label }: Props): JSX.Element {
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    goTo(to)
  }
  return (
    <a
      href={address(to)}
      onClick={follow}
      class={more}
      aria-current={current ? 'page' : undefined}
      aria-label={label}
    >
      {children}
    </a>
  )
}

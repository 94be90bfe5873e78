/**
 * A dialog over the page: the browser's own, so that focus stays inside, Escape closes it and focus returns afterwards.
 */
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'

type Props = {
  title: string
  children: ComponentChildren
  close(): void
  wide?: boolean
  hideTitle?: boolean
  class?: string
}

export function Dialog({ title, children, close, wide, hideTitle, class: more = '' }: Props): JSX.Element {
  const element = useRef<HTMLDialogElement>(null)
  const name = useId()
  useEffect(() => {
    const before = document.activeElement
    const dialog = element.current
    dialog?.showModal()
    return () => {
      dialog?.close()
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  const outside = (event: MouseEvent) => event.target === element.current && close()
  return (
    <dialog
      ref={element}
      class={`dialog ${wide ? 'wide' : ''} ${more}`}
      aria-labelledby={name}
      onCancel={event => {
        event.preventDefault()
        close()
      }}
      onMouseDown={outside}
    >
      <div class={hideTitle ? '' : 'dialog-body'}>
        <h2 id={name} class={hideTitle ? 'unseen' : ''}>
          {title}
        </h2>
        {children}
      </div>
    </dialog>
  )
}

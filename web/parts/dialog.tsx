/**
 * A dialog over the page: the browser's own, so that focus stays inside, Escape closes it and focus returns afterwards.
 * A refusal is shown inside too, because the dialog covers the corner with the messages.
 */
import type { ComponentChildren, JSX } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useCell } from '../base/cell.ts'
import { toasts } from '../base/toast.ts'
import { FailureNote } from './note.tsx'

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
  // Before anything is drawn: what is typed next is meant for the dialog.
  useLayoutEffect(() => {
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
        <Refusal />
      </div>
    </dialog>
  )
}

function Refusal(): JSX.Element | null {
  const all = useCell(toasts)
  const [before] = useState(all.at(-1)?.id ?? 0)
  const last = all.at(-1)
  if (!last || last.id <= before || last.tone !== 'bad') return null
  return <FailureNote refused={{ message: last.text }} />
}

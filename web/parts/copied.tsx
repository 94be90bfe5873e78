/** A command to type, with a button that copies it. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Icon } from './icon.tsx'

export function CommandLine({ text }: { text: string }): JSX.Element {
  return (
    <div class="command">
      <code>{text}</code>
      <CopyButton text={text} />
    </div>
  )
}

export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }): JSX.Element {
  const [isDone, setDone] = useState(false)
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => {
        setDone(true)
        window.setTimeout(setDone, 1_500, false)
      },
      () => undefined,
    )
  }
  return (
    <button
      type="button"
      class="button plain icon small"
      aria-label={isDone ? 'Copied' : label}
      title={label}
      onClick={copy}
    >
      <Icon name={isDone ? 'check' : 'copy'} size={14} />
    </button>
  )
}

/** A long text of a form. */
import type { JSX } from 'preact'

type Props = { label: string; placeholder: string; value: string; set(text: string): void }

export function TextField({ label, placeholder, value, set }: Props): JSX.Element {
  return (
    <label class="field">
      <span class="label">{label}</span>
      <textarea
        class="input"
        rows={5}
        required
        placeholder={placeholder}
        value={value}
        onInput={event => set(event.currentTarget.value)}
      />
    </label>
  )
}

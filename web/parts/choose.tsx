/** A choice among a few: buttons side by side, one of them pressed. */
import type { JSX } from 'preact'

type Props<T extends string> = {
  label: string
  value: T
  choices: readonly (readonly [T, string])[]
  choose(value: T): void
}

export function Choose<T extends string>({ label, value, choices, choose }: Props<T>): JSX.Element {
  return (
    <fieldset class="segments plain-set">
      <legend class="unseen">{label}</legend>
      {choices.map(([name, words]) => (
        <button key={name} type="button" aria-pressed={name === value} onClick={() => choose(name)}>
          {words}
        </button>
      ))}
    </fieldset>
  )
}

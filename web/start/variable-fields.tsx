/** The variables of a template or workflow, each with its meaning and its default. */
import type { JSX } from 'preact'
import { useId } from 'preact/hooks'

export type FormVariable = { name: string; help: string; usual: string; isNeeded: boolean }

type Props = {
  variables: readonly FormVariable[]
  values: Record<string, string>
  set(values: Record<string, string>): void
}

export function VariableFields({ variables, values, set }: Props): JSX.Element | null {
  const id = useId()
  if (variables.length === 0) return null
  return (
    <fieldset class="field plain-set stack">
      <legend class="label">Values</legend>
      {variables.map(({ name, help, usual, isNeeded }) => (
        <div key={name} class="field">
          <label for={`${id}-${name}`}>
            {name} {isNeeded && <span class="tag">needed</span>}
          </label>
          <input
            id={`${id}-${name}`}
            class="input"
            required={isNeeded}
            placeholder={usual}
            value={values[name] ?? ''}
            aria-describedby={`${id}-${name}-help`}
            onInput={event => set({ ...values, [name]: event.currentTarget.value })}
          />
          <span id={`${id}-${name}-help`} class="hint">
            {help}
          </span>
        </div>
      ))}
    </fieldset>
  )
}

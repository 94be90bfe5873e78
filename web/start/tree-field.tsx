/** The directory: typed, or chosen from those in which a loop ran before. */
import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import { formatAge } from '../../src/model/units.ts'
import { askLoopd } from '../base/api.ts'
import { useAsked } from '../base/asked.ts'
import { useNow } from '../base/clock.ts'

const mostShown = 6

export function TreeField({ value, set }: { value: string; set(cwd: string): void }): JSX.Element {
  const id = useId()
  const now = useNow()
  const projects = useAsked('projects', signal => askLoopd('projects', {}, signal))
  const known = (projects.value ?? []).filter(({ exists }) => exists)
  return (
    <div class="field">
      <label for={id}>Directory</label>
      <input
        id={id}
        class="input mono"
        required
        placeholder="/home/you/project"
        list={`${id}-known`}
        value={value}
        onInput={event => set(event.currentTarget.value)}
      />
      <datalist id={`${id}-known`}>
        {known.map(({ cwd }) => (
          <option key={cwd} value={cwd} />
        ))}
      </datalist>
      {known.length > 0 && (
        <div class="row wrap chips">
          {known.slice(0, mostShown).map(({ cwd, lastAt }) => (
            <button
              key={cwd}
              type="button"
              class="button small"
              aria-pressed={cwd === value}
              title={cwd}
              onClick={() => set(cwd)}
            >
              {cwd.split('/').at(-1)} <span class="quiet">{formatAge(now - lastAt)}</span>
            </button>
          ))}
        </div>
      )}
    </div>
  )
}

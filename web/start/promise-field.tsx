/** The promises: commands that decide completion, typed or chosen from those that the project has. */
import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import type { RouteAnswer } from '../../src/server/api/contract.ts'
import { askLoopd } from '../base/api.ts'
import { useAsked } from '../base/asked.ts'
import { Icon } from '../parts/icon.tsx'

type Props = { cwd: string; promises: readonly string[]; set(promises: string[]): void }

export function PromiseField({ cwd, promises, set }: Props): JSX.Element {
  const id = useId()
  const detected = useAsked(cwd.startsWith('/') ? cwd : null, signal =>
    askLoopd('project', { query: { cwd } }, signal),
  )
  const found = commandsIn(detected.value)
  const change = (at: number, text: string) => set(promises.map((one, i) => (i === at ? text : one)))
  const add = (text: string) => set([...promises.filter(one => one.trim() !== ''), text])
  return (
    <fieldset class="field plain-set">
      <legend class="label">Promise</legend>
      <span class="hint" id={`${id}-hint`}>
        A command that exits with 0 when the work is done. loop runs it itself. A name in front makes it a
        named criterion: <code>tests pass=npm test</code>
      </span>
      {promises.map((text, i) => (
        <div key={i} class="row">
          <input
            class="input mono grow"
            aria-label={`Promise ${i + 1}`}
            aria-describedby={`${id}-hint`}
            placeholder="npm test"
            value={text}
            onInput={event => change(i, event.currentTarget.value)}
          />
          {promises.length > 1 && (
            <button
              type="button"
              class="button plain icon"
              aria-label={`Remove promise ${i + 1}`}
              onClick={() => set(promises.filter((_, at) => at !== i))}
            >
              <Icon name="cross" size={12} />
            </button>
          )}
        </div>
      ))}
      <div class="row wrap chips">
        {found.map(({ name, command }) => (
          <button
            key={command}
            type="button"
            class="button small"
            aria-pressed={promises.includes(command)}
            title={`detected: ${name}`}
            onClick={() => promises.includes(command) || add(command)}
          >
            {command}
          </button>
        ))}
        <button type="button" class="button plain small" onClick={() => set([...promises, ''])}>
          <Icon name="plus" size={12} /> another
        </button>
      </div>
    </fieldset>
  )
}

/** The commands that test, check and build the project, as far as loop has found them. */
function commandsIn(project: RouteAnswer<'project'> | null): { name: string; command: string }[] {
  const all = Object.entries(project?.commands ?? {}).flatMap(([name, found]) =>
    found ? [{ name: `${name}, ${found.because}`, command: found.command }] : [],
  )
  return [...new Map(all.map(one => [one.command, one])).values()]
}

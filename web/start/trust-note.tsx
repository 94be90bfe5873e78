/** A note that the project's configuration file is used only after a person has read and trusted it. */
import type { JSX } from 'preact'
import { askLoopd } from '../base/api.ts'
import { useAsked } from '../base/asked.ts'
import { FailureNote, Note } from '../parts/note.tsx'

export function TrustNote({
  cwd,
  trust,
  set,
}: {
  cwd: string
  trust: string | null
  set(hash: string | null): void
}): JSX.Element | null {
  const got = useAsked(cwd.startsWith('/') ? cwd : null, signal =>
    askLoopd('project', { query: { cwd } }, signal),
  )
  const config = got.value?.config
  const environment = got.value?.environment
  return (
    <>
      {got.refused && <FailureNote refused={got.refused} />}
      {got.value?.problem && (
        <Note tone="bad" icon="warn">
          <p>{got.value.problem}</p>
        </Note>
      )}
      {config && config.trust !== 'trusted' && (
        <Note tone="warn" icon="warn">
          <p>
            The project has a configuration of its own, <code>{config.path}</code>. It is not used unless you
            trust it.
          </p>
          <pre class="printed" tabIndex={0} aria-label="The configuration of the project">
            {config.text}
          </pre>
          <label class="check">
            <input
              type="checkbox"
              checked={trust !== null && trust === config.hash}
              disabled={config.hash === null}
              onChange={event => set(event.currentTarget.checked ? config.hash : null)}
            />
            <span>I have read it. Use it, now and until it changes.</span>
          </label>
        </Note>
      )}
      {environment && <p class="small quiet">{environment.words}</p>}
    </>
  )
}

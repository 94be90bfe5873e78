/** A file whose commands would run: its text, and a box by which a person confirms having read it. */
import type { JSX } from 'preact'
import { Note } from '../parts/note.tsx'

type File = { path: string; text: string; hash: string; isTrusted: boolean }
type Props = { file: File; trust: string | null; set(hash: string | null): void }

export function FileTrust({ file: { path, text, hash, isTrusted }, trust, set }: Props): JSX.Element {
  const shown = (
    <pre class="printed" tabIndex={0} aria-label="The file">
      {text}
    </pre>
  )
  if (isTrusted)
    return (
      <details class="card options">
        <summary class="card-head">
          <h2>The file</h2>
          <code class="quiet small clip">{path}</code>
        </summary>
        <div class="card-body">{shown}</div>
      </details>
    )
  return (
    <Note tone="warn" icon="warn">
      <p>
        <code>{path}</code> holds commands that would run, and is not trusted yet. Read it first.
      </p>
      {shown}
      <label class="check">
        <input
          type="checkbox"
          checked={trust === hash}
          onChange={event => set(event.currentTarget.checked ? hash : null)}
        />
        <span>I have read it. Use it, now and until it changes.</span>
      </label>
    </Note>
  )
}

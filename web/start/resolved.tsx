/** The result of the form: the equivalent command, the facts that loop has found, and its warnings. */
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { askLoopd } from '../base/api.ts'
import { useAsked } from '../base/asked.ts'
import { CommandLine } from '../parts/copied.tsx'
import { FailureNote, Note } from '../parts/note.tsx'
import { bodyOf, type Filled } from './filled.ts'

export function Resolved({ filled, isReady }: { filled: Filled; isReady: boolean }): JSX.Element {
  const body = JSON.stringify(bodyOf(filled))
  const [settled, setSettled] = useState(body)
  useEffect(() => {
    const timer = window.setTimeout(setSettled, 300, body)
    return () => window.clearTimeout(timer)
  }, [body])
  const got = useAsked(isReady ? settled : null, signal =>
    askLoopd('resolve', { body: JSON.parse(settled) }, signal),
  )
  return (
    <section class="card" aria-label="What would run" aria-live="polite">
      <div class="card-head">
        <h2>The same in a terminal</h2>
      </div>
      <div class="card-body stack">
        {!isReady && (
          <p class="quiet">Name a directory, a prompt and a promise: the command then appears here.</p>
        )}
        {got.refused && <FailureNote refused={got.refused} />}
        {got.value && (
          <>
            <CommandLine text={got.value.command} />
            {[...got.value.warnings, ...got.value.notices].map(words => (
              <Note key={words} tone="warn" icon="warn">
                <p>{words}</p>
              </Note>
            ))}
          </>
        )}
      </div>
    </section>
  )
}

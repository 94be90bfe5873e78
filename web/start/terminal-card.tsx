/** The command for a terminal that does the same as the form. */
import type { JSX } from 'preact'
import { groupCommandLine } from '../../src/views/text/command-line.ts'
import { CommandLine } from '../parts/copied.tsx'
import { type Filled, optionsOf, setOf } from './filled.ts'

type Props = {
  filled: Filled
  words: readonly string[] | null
  switches?: readonly string[]
  missing: string
}

/** `words` is null while something is missing; then the card says what. */
export function TerminalCard({ filled, words, switches = [], missing }: Props): JSX.Element {
  const given = { cwd: filled.cwd, set: setOf(filled), switches, options: optionsOf(filled) }
  return (
    <section class="card" aria-label="What would run">
      <div class="card-head">
        <h2>The same in a terminal</h2>
      </div>
      <div class="card-body stack">
        {words === null ? (
          <p class="quiet">{missing}</p>
        ) : (
          <CommandLine text={groupCommandLine(words, given)} />
        )}
      </div>
    </section>
  )
}

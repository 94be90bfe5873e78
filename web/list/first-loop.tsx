/** The list before the first loop: what a loop is, and the first command. */
import type { JSX } from 'preact'
import { CommandLine } from '../parts/copied.tsx'
import { Icon } from '../parts/icon.tsx'
import { Link } from '../parts/link.tsx'

export function FirstLoop(): JSX.Element {
  return (
    <div class="first">
      <Icon name="loop" size={32} class="tone-info" />
      <h2>No loop yet</h2>
      <p class="quiet">
        A loop runs a coding agent again and again until a command of yours exits with 0: the promise. loop
        runs that command itself and believes nothing else.
      </p>
      <div class="stack first-steps">
        <div class="stack tight">
          <h3>See one, without an agent or a key</h3>
          <CommandLine text="loop demo" />
        </div>
        <div class="stack tight">
          <h3>Start one in a project of yours</h3>
          <CommandLine text={'loop start "fix the failing tests" -p "npm test" -b'} />
        </div>
      </div>
      <p>
        Or <Link to="/start">fill in the form</Link>. It shows the same command.
      </p>
    </div>
  )
}

/**
 * What a browser without a key sees: how to get one. It waits: as soon as another tab of this browser is signed in,
 * the page appears in its place.
 */
import type { JSX } from 'preact'
import { useCell } from '../base/cell.ts'
import { linkFailure } from '../base/key.ts'
import { CommandLine } from '../parts/copied.tsx'

export function SignIn(): JSX.Element {
  const failure = useCell(linkFailure)
  return (
    <main class="sign-in">
      <h1>{failure ?? 'This browser is not signed in'}</h1>
      <p>Open the page from a terminal of this machine:</p>
      <CommandLine text="loop ui" />
      <p class="small quiet">
        The link that it opens works once, within one minute. The browser then stays signed in for 30 days.
      </p>
    </main>
  )
}

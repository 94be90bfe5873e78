/**
 * Starts the page: the theme, the sign-in by the address that was opened, then the list that every page may need and
 * the shell around the current page. Nothing is asked of loopd before there is a key.
 */
import { render } from 'preact'
import './style/tokens.css'
import './style/base.css'
import './style/shell.css'
import './style/parts.css'
import './style/list.css'
import './style/run.css'
import './style/log.css'
import './style/diff.css'
import './style/group.css'
import './style/plan.css'
import './style/machine.css'
import './style/start.css'
import { askLoopd } from './base/api.ts'
import { hostedBy } from './base/feed.ts'
import { codeInAddress, keepKey, linkFailure, ownKey } from './base/key.ts'
import { startListing } from './base/list.ts'
import { showTheme } from './base/theme.ts'
import { App } from './shell/app.tsx'
import { SignIn } from './shell/sign-in.tsx'
import { showStateInTitle } from './shell/title.ts'

const root = document.getElementById('root') as HTMLElement
let hasStarted = false

/** The page, or the way to it. A page that was live stays: it may hold words that were not sent yet. */
function show(): void {
  if (ownKey.get() === null) return hostedBy.get() ? undefined : render(<SignIn />, root)
  if (!hasStarted) {
    startListing()
    showStateInTitle()
  }
  hasStarted = true
  render(<App />, root)
}

async function signInBy(code: string): Promise<void> {
  const got = await askLoopd('signIn', { body: { code } })
  if (got.ok) keepKey(got.value.key)
  else
    linkFailure.set(got.reason === 'not-allowed' ? 'This link has expired or was already used.' : got.message)
}

showTheme()
ownKey.watch(show)
const code = codeInAddress()
if (code === null) show()
else signInBy(code).then(show, show)

/** Starts the page: the theme, the list that every page may need, and the shell around the current page. */
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
import { startListing } from './base/list.ts'
import { showTheme } from './base/theme.ts'
import { App } from './shell/app.tsx'
import { showStateInTitle } from './shell/title.ts'

showTheme()
startListing()
showStateInTitle()
const root = document.getElementById('root')
if (root) render(<App />, root)

/** Pages that need no build: the one shown if the page is not built, and the one for a browser without access. */
import { version } from '../../model/version.ts'

function html(title: string, text: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<h1>${title}</h1>
<p>${text}</p>
</html>
`
}

export function bareHtml(): string {
  return html(
    `loopd ${version}`,
    `It runs, and its page was not built. What there is: <a href="/v1/loops">the loops</a>,
<a href="/v1/daemon">loopd itself</a>, <a href="/metrics">figures</a>, <a href="/openapi.json">everything that can be asked</a>.`,
  )
}

export function closedHtml(): string {
  return html(
    'loopd',
    'This browser is not signed in. Open the page from a terminal with: <code>loop ui</code>. A tab that is open stays signed in for 30 days.',
  )
}

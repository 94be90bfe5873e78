/**
 * Pages that need no build: the one shown if the page is not built, and the one for a browser without access. Their
 * words are in views; their one style stands in them, since a browser without access gets no file, and the policy
 * names its hash.
 */
import { createHash } from 'node:crypto'
import { version } from '../../model/version.ts'
import { closedPage, type PlainPage, unbuiltPage } from '../../views/words/http.ts'

const style = `
:root { color-scheme: light dark; font: 15px/1.55 system-ui, sans-serif; }
body { margin: 0; display: grid; place-items: center; min-height: 100vh; color: light-dark(#1b1c20, #ececef); background: light-dark(#fbfbfc, #0e0f12); }
main { max-width: 26rem; padding: 2rem 1.5rem; }
h1 { font-size: 1.25rem; line-height: 1.3; margin: 0 0 0.75rem; }
p { margin: 0.75rem 0; }
.more { color: light-dark(#565963, #a6a8b2); font-size: 0.875rem; }
code { display: block; padding: 0.625rem 0.875rem; border: 1px solid light-dark(#d3d3da, #363841); border-radius: 8px; background: light-dark(#f4f4f6, #0a0b0d); font-family: ui-monospace, monospace; }
a { color: light-dark(#4f46c8, #a5a0ff); }
`

/** For the policy: no other inline style is allowed. */
export const plainStyleHash = `sha256-${createHash('sha256').update(style).digest('base64')}`

export function unbuiltHtml(): string {
  return htmlOf(unbuiltPage(version))
}

export function closedHtml(): string {
  return htmlOf(closedPage)
}

/** All of it is loop's own text. */
function htmlOf({ title, text, command, links = [], more }: PlainPage): string {
  const parts = [
    `<p>${text}</p>`,
    command && `<code>${command}</code>`,
    links.length > 0 &&
      `<ul>${links.map(([to, words]) => `<li><a href="${to}">${words}</a></li>`).join('')}</ul>`,
    more && `<p class="more">${more}</p>`,
  ]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · loop</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${parts.filter(Boolean).join('\n')}
</main>
</body>
</html>
`
}

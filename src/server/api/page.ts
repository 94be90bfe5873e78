/**
 * The page that is shown if the real one is not built. Its words are in views; its one style stands in it, since
 * there are no files, and the policy names its hash.
 */
import { createHash } from 'node:crypto'
import { version } from '../../model/version.ts'
import { unbuiltPage } from '../../views/words/http.ts'

const style = `
:root { color-scheme: light dark; font: 15px/1.55 system-ui, sans-serif; }
body { margin: 0; display: grid; place-items: center; min-height: 100vh; color: light-dark(#1b1c20, #ececef); background: light-dark(#fbfbfc, #0e0f12); }
main { max-width: 26rem; padding: 2rem 1.5rem; }
h1 { font-size: 1.25rem; line-height: 1.3; margin: 0 0 0.75rem; }
p { margin: 0.75rem 0; }
code { display: block; padding: 0.625rem 0.875rem; border: 1px solid light-dark(#d3d3da, #363841); border-radius: 8px; background: light-dark(#f4f4f6, #0a0b0d); font-family: ui-monospace, monospace; }
`

/** For the policy: no other inline style is allowed. */
export const plainStyleHash = `sha256-${createHash('sha256').update(style).digest('base64')}`

/** All of it is loop's own text. */
export function unbuiltHtml(): string {
  const { title, text, command } = unbuiltPage(version)
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
<p>${text}</p>
<code>${command}</code>
</main>
</body>
</html>
`
}

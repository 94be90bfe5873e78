/** What stands where the web page will: that it is loopd, and how to ask it. Loads nothing. */
import { version } from '../../model/version.ts'

export function page(): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>loopd</title>
<h1>loopd ${version}</h1>
<p>It runs. The page is not part of this version of loop yet. What there is: <a href="/v1/loops">the loops</a>,
<a href="/v1/daemon">loopd itself</a>, <a href="/metrics">figures</a>, <a href="/openapi.json">everything that can be asked</a>.</p>
</html>
`
}

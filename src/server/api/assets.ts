/**
 * The built files of the page: `index.html`, which is always revalidated, and assets, whose names change with their
 * content and which a browser may keep. They are looked up at every request, so a new build is served at once. Only
 * names that the contract allows, and only regular files of this folder, are served.
 */
import { createHash } from 'node:crypto'
import { closeSync, constants, lstatSync, openSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { httpWords } from '../../views/words/http.ts'
import { problem } from './app.ts'
import { contentPolicy } from './guard.ts'
import { unbuiltHtml } from './page.ts'

/** Beside the bundles of the programs (scripts/build.ts). */
const builtPage = join(import.meta.dirname, 'web')

const mediaTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
}

/** In order of preference. */
const encodings = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
] as const

export function indexPage(folder = builtPage): Response {
  const html = bytesOf(join(folder, 'index.html'))
  const headers = {
    'content-type': mediaTypes['.html'] ?? '',
    'content-security-policy': contentPolicy(html && inlineHash(html.toString())),
  }
  return new Response(html ?? unbuiltHtml(), { headers })
}

/** The page has one script in itself: the hashes of all others, as an import map. */
function inlineHash(html: string): string | null {
  const [, text] = /<script type="importmap">([^<]*)<\/script>/.exec(html) ?? []
  return text === undefined ? null : `sha256-${createHash('sha256').update(text).digest('base64')}`
}

/** `accepted`: the Accept-Encoding of the request. */
export function assetOf(name: string, accepted: string, folder = builtPage): Response {
  const file = join(folder, 'assets', name)
  const type = mediaTypes[extname(name)]
  const takes = accepted.split(',').map(part => part.trim().split(';')[0] ?? '')
  for (const encoding of type === undefined ? [] : encodings) {
    const bytes = takes.includes(encoding.name) ? bytesOf(`${file}${encoding.suffix}`) : null
    if (bytes) return asset(bytes, type ?? '', { 'content-encoding': encoding.name })
  }
  const bytes = type === undefined ? null : bytesOf(file)
  if (bytes) return asset(bytes, type ?? '', {})
  return problem(404, { reason: 'invalid-arguments', message: httpWords.noAsset })
}

function asset(bytes: Buffer<ArrayBuffer>, type: string, more: Record<string, string>): Response {
  const headers = {
    'content-type': type,
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'accept-encoding',
    ...more,
  }
  return new Response(bytes, { headers })
}

/** Null if there is no such regular file. */
function bytesOf(file: string): Buffer<ArrayBuffer> | null {
  if (!lstatSync(file, { throwIfNoEntry: false })?.isFile()) return null
  const fd = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    return readFileSync(fd) as Buffer<ArrayBuffer>
  } finally {
    closeSync(fd)
  }
}

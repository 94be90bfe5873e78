/**
 * Bundles the page of loopd (web/) into dist/web: index.html, and assets whose names change with their content, each
 * also compressed, so that loopd only reads files. The page's table of routes is generated from the server's
 * contract. The page names the hash of every script, so that a tab runs no other, whoever serves it or has put it into
 * the cache of the browser. `npm run dev:web` rebuilds on every change; loopd serves the new build at the next load.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { routes } from '../src/server/api/contract.ts'

const out = 'dist/web'

/** Returns the bundled files, for the licences. */
export async function buildWeb({ isDev = false } = {}): Promise<string[]> {
  const table = Object.entries(routes).map(([name, { method, path }]) => [name, [method, path]])
  const built = await build({
    entryPoints: [{ in: 'web/main.tsx', out: 'app' }],
    outdir: join(out, 'assets'),
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: ['chrome123', 'firefox120', 'safari17.5'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    define: { ROUTES: JSON.stringify(Object.fromEntries(table)) },
    minify: !isDev,
    sourcemap: isDev ? 'inline' : false,
    legalComments: 'none',
    metafile: true,
    write: false,
    logLevel: 'warning',
  })
  const carried = Object.values(built.metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs))
  // zod tests whether it may compile code, which the page's security policy reports as an attempt.
  if (carried.some(input => input.includes('node_modules/zod/')))
    throw new Error(
      'The page carries zod: something of core or views that it uses imports a schema as a value',
    )
  rmSync(out, { recursive: true, force: true })
  mkdirSync(join(out, 'assets'), { recursive: true })
  for (const { path, contents } of built.outputFiles) {
    writeFileSync(path, contents)
    if (isDev) continue
    writeFileSync(`${path}.gz`, gzipSync(contents, { level: 9 }))
    writeFileSync(
      `${path}.br`,
      brotliCompressSync(contents, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
    )
  }
  writeFileSync(join(out, 'index.html'), pageWith(built.outputFiles))
  return Object.keys(built.metafile.inputs)
}

/** The page, with the names and hashes of its files. */
function pageWith(files: readonly { path: string; contents: Uint8Array }[]): string {
  const asset = (ending: string) => {
    const found = readdirSync(join(out, 'assets')).find(
      name => name.startsWith('app-') && name.endsWith(ending),
    )
    return `/assets/${found}`
  }
  const hashes = Object.fromEntries(
    files.map(({ path, contents }) => [`/assets/${basename(path)}`, hashOf(contents)]),
  )
  const scripts = Object.entries(hashes).filter(([path]) => path.endsWith('.js'))
  const [css, js] = [asset('.css'), asset('.js')]
  const filled = {
    css,
    js,
    cssHash: hashes[css] ?? '',
    jsHash: hashes[js] ?? '',
    hashes: JSON.stringify(Object.fromEntries(scripts)),
  }
  const html = readFileSync('web/index.html', 'utf8')
  return html
    .replace('"{{hashes}}"', '{{hashes}}')
    .replaceAll(/{{(\w+)}}/g, (_, name: keyof typeof filled) => filled[name])
}

function hashOf(contents: Uint8Array): string {
  return `sha384-${createHash('sha384').update(contents).digest('base64')}`
}

if (process.argv.includes('--watch')) {
  const again = () => {
    buildWeb({ isDev: true }).then(
      () => console.error(`built at ${new Date().toLocaleTimeString()}`),
      () => undefined, // esbuild has said what is wrong
    )
  }
  again()
  let timer: NodeJS.Timeout | undefined
  for (const folder of ['web', 'src']) {
    watch(folder, { recursive: true }, () => {
      clearTimeout(timer)
      timer = setTimeout(again, 100)
    })
  }
}

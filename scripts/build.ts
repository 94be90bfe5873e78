/**
 * Bundles the programs into dist/: one CommonJS file per program, and one per `import()` (each command is one), so
 * that unused code is not loaded; build-layers moves what most of them share into files of its own. Why not modules:
 * docs/decisions/0007-start-up.md. build-web bundles the page. Bundled packages are not installed with loop, so their
 * licences are beside the bundles.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, globSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type BuildOptions, build, type Plugin } from 'esbuild'
import { buildLayers, fromLayers, layersOf } from './build-layers.ts'
import { buildMan } from './build-man.ts'
import { buildWeb } from './build-web.ts'

const lazy = globSync('src/**/*.ts').flatMap(file =>
  [...readFileSync(file, 'utf8').matchAll(/\bimport\('(\.[^']+)'\)/g)].map(([, to = '']) =>
    join(dirname(file), to),
  ),
)

rmSync('dist', { recursive: true, force: true })
// The page comes first: an interrupted build has no program yet, and scripts/install builds again.
const pageInputs = await buildWeb()
const entries = [
  { in: 'src/cli/front.ts', out: 'loop' },
  { in: 'src/cli/loopd/front.ts', out: 'loopd' },
  { in: 'src/hooks/front.ts', out: 'session-hook' },
  { in: 'src/adapters/agents/scripted-player.ts', out: 'scripted-player' },
  { in: 'src/adapters/agents/opencode-driver.ts', out: 'opencode-driver' },
  { in: 'src/adapters/agents/acp-driver.ts', out: 'acp-driver' },
  { in: 'src/adapters/network/network-guard.ts', out: 'network-guard' },
  { in: 'src/adapters/network/network-door.ts', out: 'network-door' },
  { in: 'src/checkpoints/scan/second-thread.ts', out: 'second-thread' },
  ...Array.from(new Set(lazy), file => ({ in: file, out: basename(file, '.ts') })),
]
const ownFiles: Plugin = {
  name: 'an import() is a file of its own',
  setup({ onResolve }) {
    onResolve({ filter: /^\./ }, ({ path, kind }) =>
      kind === 'dynamic-import' ? { path: `./${basename(path, '.ts')}.cjs`, external: true } : null,
    )
  },
}
const options: BuildOptions = {
  outdir: 'dist',
  outExtension: { '.js': '.cjs' },
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node24',
  // yaml's build for Node is CommonJS; the browser build is a module and can be tree-shaken.
  alias: { yaml: './node_modules/yaml/browser/index.js' },
  define: { 'import.meta.dirname': '__dirname', 'import.meta.filename': '__filename' },
  supported: { 'dynamic-import': false },
  plugins: [ownFiles],
  // For Node, the exports of a CommonJS file are its default export.
  footer: { js: 'module.exports = module.exports.default ?? module.exports' },
  legalComments: 'none',
  logLevel: 'warning',
  // import.meta.url and the like do not exist in CommonJS; what a layer does not export would be undefined.
  logOverride: { 'empty-import-meta': 'error', 'import-is-undefined': 'error' },
}
const { metafile } = await build({ ...options, entryPoints: entries, metafile: true })
const layers = layersOf(metafile)
await buildLayers(layers, options)
const ofLayers = (entry: string) => layers.filter(({ users }) => users.has(entry))
for (const entryPoints of Map.groupBy(entries, one =>
  ofLayers(one.in)
    .map(({ name }) => name)
    .join(),
).values()) {
  const used = ofLayers(entryPoints[0]?.in ?? '')
  await build({ ...options, entryPoints, plugins: [ownFiles, fromLayers(used)] })
}
cpSync('src/platform/linux/shim.sh', 'dist/shim.sh')
cpSync('src/platform/linux/mount.sh', 'dist/mount.sh')
for (const shell of ['bash', 'zsh', 'fish'])
  cpSync(`src/cli/commands/completion.${shell}`, `dist/completion.${shell}`)
buildMan()
writeFileSync('dist/THIRD-PARTY-NOTICES.txt', notices([...Object.keys(metafile.inputs), ...pageInputs]))
writeFileSync('dist/build.json', `${JSON.stringify({ build: buildId(), commit: commitHere() })}\n`)

/** What `loop --version` calls this build: the same sources give the same one. */
function buildId(): string {
  const hash = createHash('sha256')
  for (const file of globSync('dist/**/*.{cjs,sh,html}').toSorted()) hash.update(readFileSync(file))
  return hash.digest('hex').slice(0, 8)
}

/** Null where there is no git, or no repository: in an archive of the sources. */
function commitHere(): string | null {
  const git = (...args: string[]) => spawnSync('git', args, { encoding: 'utf8' })
  const { status, stdout } = git('rev-parse', '--short=8', 'HEAD')
  if (status !== 0) return null
  return `${stdout.trim()}${git('status', '--porcelain').stdout === '' ? '' : ' with changes'}`
}

/** The name, version and licence of every bundled package. */
function notices(inputs: string[]): string {
  const roots = inputs.flatMap(input => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? [])
  const packages = [...new Set(roots)].sort().map(root => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const files = readdirSync(root).filter(file => /^(?:licen[cs]e|notice|copying)(?:\.|$)/i.test(file))
    if (files.length === 0)
      throw new Error(`${name} has no file with its licence: nothing may be shipped of it`)
    const texts = files.map(file => readFileSync(join(root, file), 'utf8').trim())
    return [`${name} ${version} (${license})`, ...texts].join('\n\n')
  })
  const head = 'The programs of loop hold code of these packages.'
  return `${[head, ...packages].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}

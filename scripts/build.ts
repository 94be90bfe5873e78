/**
 * Bundles the programs into dist/: one CommonJS file for each program and each command, so that a command loads
 * itself and nothing else. Why not modules: docs/decisions/0007-start-up.md.
 */
import { cpSync, globSync, rmSync } from 'node:fs'
import { basename } from 'node:path'
import { build } from 'esbuild'

rmSync('dist', { recursive: true, force: true })
await build({
  entryPoints: [
    { in: 'src/cli/front.ts', out: 'loop' },
    { in: 'src/server/front.ts', out: 'loopd' },
    ...[
      'src/cli/main.ts',
      'src/adapters/agents/scripted-player.ts',
      ...globSync('src/cli/commands/*.ts'),
    ].map(file => ({ in: file, out: basename(file, '.ts') })),
  ],
  outdir: 'dist',
  outExtension: { '.js': '.cjs' },
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node24',
  // Its build for Node is CommonJS; the other one is a module and can be tree-shaken.
  alias: { yaml: './node_modules/yaml/browser/index.js' },
  define: { 'import.meta.dirname': '__dirname', 'import.meta.filename': '__filename' },
  supported: { 'dynamic-import': false },
  plugins: [
    {
      name: 'what is loaded when it is used is a file of its own',
      setup({ onResolve }) {
        onResolve({ filter: /^\.\/(main|commands\/.+)\.ts$/ }, ({ path, kind }) =>
          kind === 'dynamic-import' ? { path: `./${basename(path, '.ts')}.cjs`, external: true } : null,
        )
      },
    },
  ],
  // To Node, what a CommonJS file exports is its default export.
  footer: { js: 'module.exports = module.exports.default ?? module.exports' },
  legalComments: 'none',
  logLevel: 'warning',
  // import.meta.url and the like: there is none in CommonJS, and what it names would not be found.
  logOverride: { 'empty-import-meta': 'error' },
})
cpSync('src/adapters/process/shim.sh', 'dist/shim.sh')

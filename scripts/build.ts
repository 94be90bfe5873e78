/** Bundles the programs into dist/: split, so that each command loads only what it uses. */
import { cpSync, rmSync } from 'node:fs'
import { build } from 'esbuild'

rmSync('dist', { recursive: true, force: true })
await build({
  entryPoints: {
    loop: 'src/cli/front.ts',
    loopd: 'src/server/front.ts',
    'scripted-player': 'src/adapters/agents/scripted-player.ts',
    'second-walker': 'src/adapters/checkpoints/scan/second-walker.ts',
  },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  // Its build for Node is CommonJS; the other one is a module and can be tree-shaken.
  alias: { yaml: './node_modules/yaml/browser/index.js' },
  chunkNames: '[name]-[hash]',
  legalComments: 'none',
  logLevel: 'warning',
})
cpSync('src/adapters/process/shim.sh', 'dist/shim.sh')

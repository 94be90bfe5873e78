/**
 * The program `loop`: checks that this Node can run it, then becomes cli/main. Kept free of imports that an
 * older Node could not load, so that the message below can always be printed.
 */
import { enableCompileCache } from 'node:module'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 24 || (major === 24 && minor < 15)) {
  console.error(
    `loop needs Node 24.15 or newer, and this is ${process.version}. In a checkout, run "npm start" once: it brings its own.`,
  )
  process.exit(4)
}
enableCompileCache?.(process.env['LOOP_COMPILE_CACHE'])
const { main } = await import('./main.ts')
process.exitCode = await main(process.argv.slice(2))

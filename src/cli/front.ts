/**
 * The program `loop`: checks that this Node can run it, then loads cli/main. It imports nothing by name that an
 * older Node lacks, so that the message below can always be printed.
 */
import * as nodeModule from 'node:module'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 24 || (major === 24 && minor < 15)) {
  console.error(
    `loop needs Node 24.15 or newer, and this is ${process.version}. Install Node 24 (https://nodejs.org), then try again.`,
  )
  process.exit(4)
}
// In a directory of the user's own: a shared one could contain anybody's code.
const { XDG_CACHE_HOME, HOME } = process.env
const cache = XDG_CACHE_HOME ?? `${HOME}/.cache`
if (cache.startsWith('/') && !cache.startsWith('/proc/')) {
  nodeModule.enableCompileCache(`${cache}/daedalos/loop/node`)
}
import('./main.ts')
  .then(({ main }) => main(process.argv.slice(2)))
  .then(code => {
    process.exitCode = code || (process.exitCode ?? 0)
    // Where nothing is under way any more, leave now: not when Node has cleared memory that it gives back anyway. Not
    // after a long run: process.exit never returns where a thread that compiles waits for a full heap to be collected.
    if (process.uptime() < 10) {
      setImmediate(() => process.getActiveResourcesInfo().length === 0 && process.exit())
    }
  })
  .catch(error => {
    console.error(`loop could not be loaded: ${error.message}. Install it again.`)
    process.exitCode = 3
  })

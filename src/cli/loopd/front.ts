/** The program `loopd`: checks that this Node can run it, then loads cli/main with the commands of loopd. */
import * as nodeModule from 'node:module'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 24 || (major === 24 && minor < 15)) {
  console.error(
    `loopd needs Node 24.15 or newer, and this is ${process.version}. Install Node 24 (https://nodejs.org), then try again.`,
  )
  process.exit(4)
}
const { XDG_CACHE_HOME, HOME } = process.env
const cache = XDG_CACHE_HOME ?? `${HOME}/.cache`
if (cache.startsWith('/') && !cache.startsWith('/proc/')) {
  nodeModule.enableCompileCache(`${cache}/daedalos/loop/node`)
}
import('./program.ts')
  .then(({ runProgram }) => runProgram(process.argv.slice(2)))
  // Its servers would keep the process alive.
  .then(code => process.exit(code || process.exitCode))
  .catch(error => {
    console.error(`loopd could not be loaded: ${error.message}. Install it again.`)
    process.exit(3)
  })

/** The program behind `loop hook`: nothing but the hook, since a session waits for it at every stop. */

import { out } from '../cli/terminal.ts'
import { hookFailure } from './hook.ts'
import { runHook } from './run-hook.ts'

// A bug must not hold a person's session either.
const letGo = (error: Error) => {
  out(hookFailure(error.message))
  process.exit(0)
}
process.on('uncaughtException', letGo)
const [kind = '', flag, typed] = process.argv.slice(2)
runHook(kind, flag === '--deadline' ? (typed ?? '') : null, process.env)
  .then(said => said !== '' && out(said))
  .catch(letGo)

/** The program behind `loop hook`: it loads nothing but the hook, since a session waits for it at every stop. */
import { out } from '../cli/terminal.ts'
import { hookFailure, runHook } from './hook.ts'

// Even a bug must not block a person's session.
const letGo = (error: Error) => {
  out(hookFailure(error.message))
  process.exit(0)
}
process.on('uncaughtException', letGo)
const [kind = '', flag, typed] = process.argv.slice(2)
runHook(kind, flag === '--deadline' ? (typed ?? '') : null, process.env)
  .then(said => said !== '' && out(said))
  .catch(letGo)

/** The program behind `loop hook`: nothing but the hook, since a session waits for it at every stop. */
import { out } from '../terminal.ts'
import { runHook } from './run-hook.ts'

const [kind = '', flag, typed] = process.argv.slice(2)
runHook(kind, flag === '--deadline' ? (typed ?? '') : null, process.env).then(said => {
  if (said !== '') out(said)
})

/** Checks whether agents can run in a sandbox here, by starting a real one, and names the remedy if not. */
import { maySandbox } from '../../adapters/process/sandbox.ts'
import { sandboxCures, sandboxTroubleWords } from '../../views/words/sandbox.ts'
import { type Check, good, warn } from './check.ts'

export function sandboxCheck(env: NodeJS.ProcessEnv): Check[] {
  const rights = maySandbox(env)
  if (rights.works)
    return [good('sandbox', 'files, with bubblewrap (--sandbox auto); the network stays open')]
  const found = `none: ${sandboxTroubleWords(rights.why, rights.said)}`
  return [warn('sandbox', found, sandboxCures[rights.why])]
}

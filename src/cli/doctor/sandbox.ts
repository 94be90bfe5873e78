/** Checks whether agents can run in a sandbox here, by starting a real one, and names the remedy if not. */
import { maySandbox } from '../../adapters/process/sandbox.ts'
import { sandboxCures, sandboxTroubleWords } from '../../views/words/sandbox.ts'
import { type Check, good, warn } from './check.ts'

export function sandboxCheck(env: NodeJS.ProcessEnv): Check[] {
  const rights = maySandbox(env, { network: false })
  if (rights.works) return [good('sandbox', `files, with bubblewrap (--sandbox auto); ${network(env)}`)]
  const found = `none: ${sandboxTroubleWords(rights.why, rights.said)}`
  return [warn('sandbox', found, sandboxCures[rights.why])]
}

/** Tried too, since a system can refuse this alone. */
function network(env: NodeJS.ProcessEnv): string {
  const rights = maySandbox(env, { network: true })
  if (rights.works) return 'the network too (--sandbox-network)'
  return `the network cannot be restricted: ${sandboxTroubleWords(rights.why, rights.said)}`
}

/** Checks whether agents can run in a sandbox here, by starting a real one, and names the remedy if not. */
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { maySandbox } from '../../adapters/process/contain.ts'
import { liesIn } from '../../adapters/process/sandbox-layers.ts'
import { secretFiles } from '../../adapters/process/secret-files.ts'
import { sandboxCures, sandboxTroubleWords } from '../../failures/machine.ts'
import { platform } from '../../platform/platform.ts'
import { type Check, good, warn } from './check.ts'

export function sandboxCheck(env: NodeJS.ProcessEnv): Check[] {
  const rights = maySandbox(env, { network: false })
  if (rights.works) {
    const found = `files, with bubblewrap (--sandbox auto); ${network(env)}`
    return [good('sandbox', found), good('hidden files', hidden(env))]
  }
  const found = `none: ${sandboxTroubleWords(rights.why, rights.said)}`
  return [warn('sandbox', found, sandboxCures[rights.why])]
}

/** Tried too, since a system can refuse this alone. */
function network(env: NodeJS.ProcessEnv): string {
  const rights = maySandbox(env, { network: true })
  if (rights.works) return 'the network too (--sandbox-network)'
  return `the network cannot be restricted: ${sandboxTroubleWords(rights.why, rights.said)}`
}

/** What of this home directory a sandbox hides, by kind: the names, not what is in them. */
function hidden(env: NodeJS.ProcessEnv): string {
  const home = env['HOME'] || homedir()
  const secrets = secretFiles(env, home).filter(({ path }) => existsSync(path))
  const isApart = (path: string) =>
    path.startsWith(`${home}/`) && !secrets.some(one => liesIn(path, one.path))
  const sockets = platform.files.sockets().filter(isApart)
  const found = [...secrets, ...sockets.map(path => ({ kind: 'sockets', path }))]
  if (found.length === 0)
    return 'a sandbox hides keys and passwords; none of the files that loop knows is here'
  const short = (path: string) => (path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path)
  const kinds = Map.groupBy(found, ({ kind }) => kind)
  return [...kinds]
    .map(([kind, files]) => `${kind}: ${files.map(({ path }) => short(path)).join(', ')}`)
    .join('; ')
}

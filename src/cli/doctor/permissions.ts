/**
 * Checks whether other users can read loop's private files, or change files that decide loops. Only the most important
 * files are checked; the mode of the data directory is a check of its own.
 */
import { readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { spelledOut } from '../../core/text/plain-text.ts'
import { envFile, type Paths } from '../../store/files/paths.ts'
import { type Check, warn } from './check.ts'

const mostNamed = 5
/** The most loops whose kept environment is checked. */
const mostLoops = 2_000

/** Returns nothing if all is well. */
export function permissionsCheck(paths: Paths): Check[] {
  const { database, daemon, backups, config, userTemplates } = paths
  const kept = [database, `${database}-wal`, daemon.token, paths.sealKey, ...below(backups)]
  const environments = below(paths.loops)
    .slice(-mostLoops)
    .map(loop => envFile(paths, loop.slice(paths.loops.length + 1)))
  const own = [dirname(config), config, userTemplates, ...below(userTemplates)]
  return [
    ...found([...kept, ...environments], { bits: 0o077, what: 'open to others', cure: 'chmod go-rwx' }),
    ...found(own, { bits: 0o022, what: 'for others to change', cure: 'chmod go-w' }),
  ]
}

type Wrong = { bits: number; what: string; cure: string }

function found(files: string[], { bits, what, cure }: Wrong): Check[] {
  const me = process.getuid?.()
  const wrong = files.filter(file => {
    const stat = statSync(file, { throwIfNoEntry: false })
    if (!stat) return false
    return (stat.mode & bits) !== 0 || (me !== undefined && stat.uid !== me && stat.uid !== 0)
  })
  if (wrong.length === 0) return []
  const named = wrong.slice(0, mostNamed).map(spelledOut).join(' ')
  const more = wrong.length > mostNamed ? ` and ${wrong.length - mostNamed} more` : ''
  return [warn('permissions', `${named}${more}: ${what}, or not yours`, `Take it back: ${cure} ${named}`)]
}

function below(directory: string): string[] {
  try {
    return readdirSync(directory).map(name => join(directory, name))
  } catch {
    return [] // there is none
  }
}

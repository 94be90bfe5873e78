/**
 * A directory of which a run sees what was there when the run began, and no secret. A secret file that is only covered
 * by a mount is seen again once its owner replaces it by rename, which git, npm and shells do, and one that is made
 * later was never covered. So such a directory is an empty one, with each other entry put into it.
 */
import { accessSync, constants, lstatSync, readdirSync, readlinkSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { SandboxLayer } from '../../platform/contract.ts'

/** Read-only only after all layers: those in between make their own entries in it. */
type Around = { open: SandboxLayer[]; close: SandboxLayer[] }

/** `hidden`: paths that are left out, whether they exist or not. */
export function listed(directories: readonly string[], hidden: ReadonlySet<string>): Around {
  const byDepth = directories.filter(mayBeListed).toSorted((a, b) => a.length - b.length)
  return {
    open: byDepth.flatMap(at => [{ at, as: 'hidden' }, ...entriesOf(at, hidden)] as const),
    close: byDepth.map(at => ({ at, as: 'closed' })),
  }
}

/** A directory of somebody else is no home: some accounts have one of the system's. */
function mayBeListed(directory: string): boolean {
  try {
    accessSync(directory, constants.R_OK)
    return statSync(directory).uid === process.getuid?.()
  } catch {
    return false
  }
}

function entriesOf(directory: string, hidden: ReadonlySet<string>): SandboxLayer[] {
  return readdirSync(directory)
    .map(name => join(directory, name))
    .filter(path => !hidden.has(path))
    .flatMap(layerOf)
}

/** None for what is gone or cannot be reached, such as a mount whose server is away: the sandbox would not begin. */
function layerOf(at: string): SandboxLayer[] {
  try {
    if (lstatSync(at).isSymbolicLink()) return [{ at, as: 'link', to: readlinkSync(at) }]
    statSync(at)
    return [{ at, as: 'shown' }]
  } catch {
    return []
  }
}

/**
 * Finds what a checkpoint of the tree does not have because it is ignored: small files such as .env, dependency
 * directories, nested repositories. Walks the tree and a copy side by side, into which the checkpoint was written.
 * The ignore rules of the copy apply, and directories that the copy does not have are not entered.
 */
import { readFileSync } from 'node:fs'
import { setImmediate as breathe } from 'node:timers/promises'
import { isDirectory, isLink, isRegular, joinPath, locate } from '../../checkpoints/format/file.ts'
import { isIgnored, type Rules, rulesIn } from '../../checkpoints/format/ignore-rules.ts'
import { isLoopsOwn } from '../../checkpoints/scan/ignored.ts'
import { type ListedDirectory, listDirectory } from '../../checkpoints/scan/listing.ts'

/** Paths in the tree, one character per byte; of an ignored directory only the directory itself. */
type Unsaved = {
  ignored: string[]
  /** Each nested `.git`, a directory or a file that names one. */
  repositories: string[]
  /** Directories that cannot be listed. */
  shut: string[]
}

type Walk = { tree: string; copy: string; found: Unsaved; signal: AbortSignal; visited: number }
type WalkedDirectory = { path: string; stack: readonly Rules[]; ignored: boolean }

const directoriesPerBreath = 100

export async function leftOut(request: {
  tree: string
  copy: string
  outer: readonly Rules[]
  signal: AbortSignal
}): Promise<Unsaved> {
  const { tree, copy, outer, signal } = request
  const found: Unsaved = { ignored: [], repositories: [], shut: [] }
  const walk: Walk = { tree, copy, found, signal, visited: 0 }
  const open: WalkedDirectory[] = [{ path: '', stack: outer, ignored: false }]
  for (let place = open.pop(); place; place = open.pop()) {
    walk.visited += 1
    signal.throwIfAborted()
    if (walk.visited % directoriesPerBreath === 0) await breathe()
    open.push(...below(walk, place))
  }
  return found
}

/** Adds what is left out in one directory; returns the subdirectories that the copy has too. */
function below(walk: Walk, { path, stack: above, ignored }: WalkedDirectory): WalkedDirectory[] {
  const { found } = walk
  const there = new Map(listed(walk.copy, path)?.map(one => [one.name, one.stat.mode]) ?? [])
  const stack = ignored ? above : withRules(walk.copy, path, { above, there })
  const live = listed(walk.tree, path)
  if (!live) found.shut.push(path)
  const next: WalkedDirectory[] = []
  for (const { name, stat } of live ?? []) {
    const at = joinPath(path, name)
    const has = there.get(name)
    const isDir = isDirectory(stat.mode)
    const isHidden = ignored || isIgnored(stack, at, isDir)
    if (name === '.git') {
      if (path !== '') found.repositories.push(at)
    } else if (isDir && has !== undefined && isDirectory(has)) {
      next.push({ path: at, stack, ignored: isHidden })
    } else if (has === undefined && isHidden && !isLoopsOwn(at) && (isDir || isPlain(stat.mode))) {
      found.ignored.push(at)
    }
  }
  return next
}

const isPlain = (mode: number) => isRegular(mode) || isLink(mode)

/** Null where the directory cannot be listed. */
function listed(tree: string, path: string): ListedDirectory[] | null {
  try {
    return listDirectory(tree, path)
  } catch {
    return null
  }
}

function withRules(
  copy: string,
  path: string,
  { above, there }: { above: readonly Rules[]; there: ReadonlyMap<string, number> },
): readonly Rules[] {
  const mode = there.get('.gitignore')
  // Git ignores a .gitignore that is a link.
  if (mode === undefined || !isRegular(mode)) return above
  return [...above, rulesIn(path, readFileSync(locate(copy, joinPath(path, '.gitignore')), 'latin1'))]
}

/**
 * What a work tree has and a saved tree of it has not, because it is ignored: small files such as .env, dependency
 * directories, repositories inside. Found by walking the tree beside a copy in which the saved tree was written: the
 * rules are those of the copy, and what lies in a directory that the copy does not have is left alone.
 */
import { readFileSync } from 'node:fs'
import { setImmediate as breathe } from 'node:timers/promises'
import { isIgnored, type Rules, rulesIn } from '../../checkpoints/scan/ignore.ts'
import { isLoopsOwn } from '../../checkpoints/scan/ignored.ts'
import { joinPath, type ListedDirectory, listDirectory, locate } from '../../checkpoints/scan/listing.ts'
import { isDirectory, isLink, isRegular } from '../../checkpoints/scan/stat.ts'

/** Paths relative to the tree, one character per byte; of an ignored directory only itself. */
type Unsaved = {
  ignored: string[]
  /** Each `.git` below the root, whether it is a directory or a file that names one. */
  repositories: string[]
  /** Directories that cannot be listed. */
  shut: string[]
}

type Walk = { tree: string; copy: string; found: Unsaved; signal: AbortSignal; visited: number }
type Place = { path: string; stack: readonly Rules[]; ignored: boolean }

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
  const open: Place[] = [{ path: '', stack: outer, ignored: false }]
  for (let place = open.pop(); place; place = open.pop()) {
    walk.visited += 1
    signal.throwIfAborted()
    if (walk.visited % directoriesPerBreath === 0) await breathe()
    open.push(...below(walk, place))
  }
  return found
}

/** Notes what is left out in one directory; returns the directories in it that the copy has too. */
function below(walk: Walk, { path, stack: above, ignored }: Place): Place[] {
  const { found } = walk
  const there = new Map(listed(walk.copy, path)?.map(one => [one.name, one.stat.mode]) ?? [])
  const stack = ignored ? above : withRules(walk.copy, path, { above, there })
  const live = listed(walk.tree, path)
  if (!live) found.shut.push(path)
  const next: Place[] = []
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

/** Null where it cannot be listed. */
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
  // Git does not follow a link here.
  if (mode === undefined || !isRegular(mode)) return above
  return [...above, rulesIn(path, readFileSync(locate(copy, joinPath(path, '.gitignore')), 'latin1'))]
}

/**
 * Files in places where an agent can put anything. Reading follows no link, never blocks on a FIFO, and is bounded.
 * Writing replaces a link instead of following it. Both go through the open directory, so that a link that appears
 * meanwhile is not followed either.
 */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { platform } from '../platform/platform.ts'

const mostBytes = 1_000_000

export type TreeFile = { text: string } | 'absent' | 'broken'

const plainDirectory = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW

/**
 * Opens a directory; below a work tree, from `.loop` on, without following a link. Everything done by `within` stays in
 * that directory, even if somebody replaces its name by a link at that moment.
 */
function openDirectory(dir: string): number {
  const [, tree, below] = /^(.*)\/(\.loop(?:\/.*)?)$/s.exec(dir) ?? []
  if (tree === undefined || below === undefined) return openSync(dir, plainDirectory)
  let fd = openSync(tree || '/', constants.O_RDONLY | constants.O_DIRECTORY)
  for (const name of below.split('/')) {
    try {
      const next = openSync(platform.files.within(fd, name), plainDirectory)
      closeSync(fd)
      fd = next
    } catch (error) {
      closeSync(fd)
      throw error
    }
  }
  return fd
}

function inDirectory<T>(dir: string, work: (at: (name: string) => string) => T): T {
  const fd = openDirectory(dir)
  try {
    return work(name => platform.files.within(fd, name))
  } finally {
    closeSync(fd)
  }
}

/** `dir` must be a directory, and not a link to one. */
export function readPlain(dir: string, name: string, most = mostBytes): TreeFile {
  let fd: number
  try {
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
    fd = inDirectory(dir, at => openSync(at(name), flags))
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'absent' : 'broken'
  }
  try {
    const stat = fstatSync(fd)
    return stat.isFile() && stat.size <= most ? { text: readFileSync(fd, 'utf8') } : 'broken'
  } catch {
    return 'broken' // a disk error, or the file was truncated meanwhile
  } finally {
    closeSync(fd)
  }
}

/** By rename, so that a reader never sees half of it. */
export function replaceFile(dir: string, name: string, text: string): void {
  inDirectory(dir, at => {
    const next = at(`.${name}.loop-tmp`)
    rmSync(next, { force: true, recursive: true })
    writeFileSync(next, text, { flag: 'wx' })
    renameSync(next, at(name))
  })
}

/** The directory of this path below `dir`, made where it is missing. Throws where something else is in its place. */
export function makeDirectories(dir: string, path: string): string {
  let made = dir
  for (const name of path.split('/').filter(part => part !== '.' && part !== '')) {
    inDirectory(made, at => {
      if (!lstatSync(at(name), { throwIfNoEntry: false })) mkdirSync(at(name))
    })
    made = join(made, name)
  }
  inDirectory(made, () => null)
  return made
}

/** The ignore file of `.loop`: what a person keeps there belongs into the repository, what loop writes does not. */
const treeIgnore = `# Written by loop. What it keeps here is not for the repository; these are:
*
!config.yaml
!templates/
!templates/**
!maxims/
!maxims/**
`

/** The names in `.loop` that belong into the repository. */
export const forRepository = ['config.yaml', 'templates', 'maxims']

/** Is the ignore file as loop has written it? */
export function hasOwnIgnore(dir: string): boolean {
  const found = readPlain(dir, '.gitignore')
  return typeof found !== 'string' && found.text === treeIgnore
}

/** Creates `.loop` and its ignore file where they are missing. False where a link or a file stands in its place. */
export function ensureLoopDirectory(dir: string): boolean {
  if (!lstatSync(dir, { throwIfNoEntry: false })) mkdirSync(dir)
  if (!lstatSync(dir).isDirectory()) return false
  const isThere = (at: (name: string) => string) => lstatSync(at('.gitignore'), { throwIfNoEntry: false })
  if (!inDirectory(dir, isThere)) replaceFile(dir, '.gitignore', treeIgnore)
  return true
}

/** Writes a file in `.loop` of a work tree, by the same rules. */
export function putInLoopDirectory(dir: string, name: string, text: string): boolean {
  if (!ensureLoopDirectory(dir)) return false
  replaceFile(dir, name, text)
  return true
}

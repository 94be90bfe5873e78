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
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
  writeSync,
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

/** `at`: the path of a name in the open directory, to be used only while `work` runs. */
export function inDirectory<T>(dir: string, work: (at: (name: string) => string) => T): T {
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
    removeUnfinished(at)
    // Loaded only here: every stop of a session loads this file, and hardly any writes one.
    const { randomBytes } = process.getBuiltinModule('node:crypto')
    const next = at(`.${name}.${randomBytes(6).toString('hex')}.loop-tmp`)
    try {
      writeFileSync(next, text, { flag: 'wx' })
      renameSync(next, at(name))
    } catch (error) {
      unlinkIn(next)
      throw error
    }
  })
}

const unfinished = /^\..+\.loop-tmp$/
const staleMs = 60_000

/** A host that was killed before its rename leaves such a file; one that is being written is younger. */
function removeUnfinished(at: (name: string) => string): void {
  for (const name of readdirSync(at('.'))) {
    if (!unfinished.test(name)) continue
    const found = lstatSync(at(name), { throwIfNoEntry: false })
    if (found && Date.now() - found.mtimeMs > staleMs) unlinkIn(at(name))
  }
}

/** What is no file stays, and is somebody else's. */
function unlinkIn(path: string): void {
  try {
    unlinkSync(path)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (!['ENOENT', 'EISDIR', 'EPERM'].includes(code)) throw error
  }
}

/** Removes the files of these names. Returns the names that are left; null where there is no such directory. */
export function removeFiles(dir: string, names: readonly string[]): string[] | null {
  try {
    return inDirectory(dir, at => {
      for (const name of names) unlinkIn(at(name))
      return readdirSync(at('.'))
    })
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes(code)) return null
    throw error
  }
}

/** Removes the empty directory of this name. */
export function removeDirectory(dir: string, name: string): void {
  inDirectory(dir, at => rmdirSync(at(name)))
}

/** In one write, at the end of a file that is made where it is missing. */
export function appendFile(dir: string, name: string, text: string): void {
  const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants
  const flags = O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK
  const fd = inDirectory(dir, at => openSync(at(name), flags, 0o666))
  try {
    const stat = fstatSync(fd)
    if (!stat.isFile()) throw new Error(`${name} is not a file`)
    // A last line that was cut off, or that an editor left without its end, stays a line of its own.
    const last = Buffer.alloc(1)
    const isCut = stat.size > 0 && readSync(fd, last, 0, 1, stat.size - 1) === 1 && last.toString() !== '\n'
    writeSync(fd, `${isCut ? '\n' : ''}${text}`)
  } finally {
    closeSync(fd)
  }
}

/** Makes the first of these that is free: a file with this text, or a directory where there is none. Null: none is. */
export function makeFirstFree(dir: string, names: readonly string[], text: string | null): string | null {
  return inDirectory(dir, at => {
    for (const name of names) {
      try {
        if (text === null) mkdirSync(at(name))
        else writeFileSync(at(name), text, { flag: 'wx' })
        return name
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      }
    }
    return null
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

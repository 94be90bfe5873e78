/**
 * Files in places where an agent can put anything: read without following a link, waiting for a FIFO or taking in
 * more than is sensible; written so that a link in their place is replaced and not followed.
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

const mostBytes = 1_000_000

export type TreeFile = { text: string } | 'absent' | 'broken'

/** `dir` itself must be a directory and no link to one. */
export function readPlain(dir: string, name: string, most = mostBytes): TreeFile {
  let fd: number
  try {
    const place = lstatSync(dir, { throwIfNoEntry: false })
    if (!place) return 'absent'
    if (!place.isDirectory()) return 'broken'
    fd = openSync(join(dir, name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'absent' : 'broken'
  }
  try {
    const stat = fstatSync(fd)
    return stat.isFile() && stat.size <= most ? { text: readFileSync(fd, 'utf8') } : 'broken'
  } catch {
    return 'broken' // an error of the disk, or it was truncated under us
  } finally {
    closeSync(fd)
  }
}

/** By rename: whoever reads it sees all of it. */
export function replaceFile(dir: string, name: string, text: string): void {
  const next = join(dir, `.${name}.loop-tmp`)
  rmSync(next, { force: true, recursive: true })
  writeFileSync(next, text, { flag: 'wx' })
  renameSync(next, join(dir, name))
}

/** What a person keeps in `.loop` is for the repository, what loop writes is not. */
const treeIgnore = `# Written by loop. What it keeps here is not for the repository; these are:
*
!config.yaml
!templates/
!templates/**
!maxims/
!maxims/**
`

/** The names in `.loop` that are for the repository. */
export const forRepository = ['config.yaml', 'templates', 'maxims']

/** The ignore file is as loop has written it. */
export function hasOwnIgnore(dir: string): boolean {
  const found = readPlain(dir, '.gitignore')
  return typeof found !== 'string' && found.text === treeIgnore
}

/** Makes `.loop` with its ignore file where either is missing. False where a link or a file is in its place. */
export function ensureLoopDirectory(dir: string): boolean {
  if (!lstatSync(dir, { throwIfNoEntry: false })) mkdirSync(dir)
  if (!lstatSync(dir).isDirectory()) return false
  if (!lstatSync(join(dir, '.gitignore'), { throwIfNoEntry: false }))
    replaceFile(dir, '.gitignore', treeIgnore)
  return true
}

/** A file in `.loop` of a work tree, by the same rules. */
export function putInLoopDirectory(dir: string, name: string, text: string): boolean {
  if (!ensureLoopDirectory(dir)) return false
  replaceFile(dir, name, text)
  return true
}

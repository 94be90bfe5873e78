/**
 * The state files of a work tree, `.loop/state.json` and `.loop/PROGRESS.md`: written if their content has changed,
 * and removed again. A symlink planted by an agent is never followed.
 */

import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import {
  ensureLoopDirectory,
  forRepository,
  hasOwnIgnore,
  removeDirectory,
  removeFiles,
  replaceFile as replace,
} from '../../adapters/tree-file.ts'
import { stateFileWords } from '../../views/words/message.ts'

type StateFiles = { 'state.json': string; 'PROGRESS.md': string }

/** `written`: the last written content by path, to avoid equal writes. */
export function writeStateFiles(tree: string, files: StateFiles, written: Map<string, string>): void {
  const dir = join(tree, '.loop')
  if (!ensureLoopDirectory(dir)) throw new Error(`${dir} is not a directory`)
  const isThere = (name: string) => lstatSync(join(dir, name), { throwIfNoEntry: false }) !== undefined
  for (const [name, text] of Object.entries(files)) {
    const path = join(dir, name)
    if (written.get(path) === text && isThere(name)) continue
    replace(dir, name, text)
    written.set(path, text)
  }
}

/** Removes loop's files; the ignore file stays while other files need it. */
export function removeStateFiles(tree: string): void {
  const dir = join(tree, '.loop')
  const left = removeFiles(dir, ['state.json', 'PROGRESS.md', 'workflow-state.json'])
  const others = left?.filter(name => name !== '.gitignore')
  if (!others?.every(name => forRepository.includes(name))) return
  const isEmpty = hasOwnIgnore(dir) ? removeFiles(dir, ['.gitignore'])?.length === 0 : left?.length === 0
  if (isEmpty) removeDirectory(tree, '.loop')
}

/** Runs what writes them. The first time that it fails, `complain` is told why; the loop continues without them. */
export function writing(complain: (why: string) => void): (write: () => void) => void {
  let isSilent = false
  return write => {
    try {
      write()
    } catch (error) {
      if (!isSilent) complain(stateFileWords((error as Error).message))
      isSilent = true
    }
  }
}

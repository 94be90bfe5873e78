/**
 * The state files of a work tree, `.loop/state.json` and `.loop/PROGRESS.md`: written if their content has changed,
 * and removed again. A symlink planted by an agent is never followed.
 */
import { lstatSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import {
  ensureLoopDirectory,
  forRepository,
  hasOwnIgnore,
  replaceFile as replace,
} from '../../adapters/tree-file.ts'

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
  // A symlink in its place could lead anywhere.
  if (!lstatSync(dir, { throwIfNoEntry: false })?.isDirectory()) return
  for (const name of ['state.json', 'PROGRESS.md', 'workflow-state.json'])
    rmSync(join(dir, name), { force: true })
  const left = readdirSync(dir).filter(name => name !== '.gitignore')
  if (left.every(name => forRepository.includes(name)) && hasOwnIgnore(dir)) rmSync(join(dir, '.gitignore'))
  if (readdirSync(dir).length === 0) rmdirSync(dir)
}

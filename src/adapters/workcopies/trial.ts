/**
 * A trial copy of a checkpoint, for a command that is run there once; then the copy is deleted. Lighter than a working
 * copy: dependency directories are links to those of the tree, so that nothing is copied or mounted. Links between
 * packages of one repository stay inside the copy. Large ignored entries that are no dependencies are left out.
 */

import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { locate, readable } from '../../checkpoints/format/file.ts'
import { gitCheckpoints } from '../../checkpoints/git/backend.ts'
import { copyCache, openRepository } from '../../checkpoints/objects/repository.ts'
import { outerRules } from '../../checkpoints/scan/outer-rules.ts'
import { ok, type Result } from '../../model/failure.ts'
import { copySmall } from './copy-files.ts'
import { removeHome } from './home.ts'
import { leftOut } from './left-out.ts'
import { isLarge, weigh } from './weigh.ts'

type TrialOptions = {
  /** The work tree whose ignored files the copy gets. */
  tree: string
  /** The git store of its checkpoints. */
  store: string
  /** The directory for trial copies. */
  place: string
}

export type Trial = { path: string; remove(): Promise<Result<null>> }

const dependencies = /(?:^|\/)(?:node_modules|\.venv|venv|vendor|\.tox|target|\.gradle|Pods|deps|_build)$/

export async function makeTrial(saved: string, options: TrialOptions): Promise<Result<Trial>> {
  const { tree, store, place } = options
  mkdirSync(place, { recursive: true, mode: 0o700 })
  await removeOld(place)
  const home = mkdtempSync(join(place, 'trial-'))
  const path = join(home, basename(tree))
  mkdirSync(path)
  const remove = () => removeHome(home, store)
  const { signal } = new AbortController()
  const checkpoints = gitCheckpoints({ tree: path, store, cache: copyCache(path), rulesOf: tree })
  const written = await checkpoints.materialize({ tree: saved, signal })
  if (!written.ok) {
    await remove()
    return written
  }
  const { rules } = outerRules(openRepository({ tree: path, store, rulesOf: tree }))
  const { ignored } = await leftOut({ tree, copy: path, outer: rules, signal })
  for (const one of ignored) {
    const weight = await weigh(tree, one, signal)
    if (dependencies.test(one)) link(join(tree, readable(one)), join(path, readable(one)))
    else if (weight && !isLarge(weight) && !weight.isShut)
      copySmall(Buffer.from(locate(tree, one)), Buffer.from(locate(path, one)))
  }
  return ok({ path, remove })
}

const oldMs = 24 * 3_600_000

/** Removes copies of checks that were killed. */
async function removeOld(place: string): Promise<void> {
  for (const name of readdirSync(place)) {
    const home = join(place, name)
    const stat = lstatSync(home, { throwIfNoEntry: false })
    if (stat && Date.now() - stat.mtimeMs > oldMs) await removeHome(home)
  }
}

/** node_modules becomes a directory of links: so a package that is part of the tree itself is that of the copy. */
function link(from: string, to: string): void {
  if (!/(?:^|\/)node_modules$/.test(from) || !lstatSync(from).isDirectory()) return symlinkSync(from, to)
  mkdirSync(to)
  for (const name of readdirSync(from)) linkPackage(join(from, name), join(to, name))
}

function linkPackage(from: string, to: string): void {
  const stat = lstatSync(from)
  if (stat.isSymbolicLink() && !readlinkSync(from).startsWith('/')) return symlinkSync(readlinkSync(from), to)
  if (!stat.isDirectory() || !basename(from).startsWith('@')) return symlinkSync(from, to)
  mkdirSync(to)
  for (const name of readdirSync(from)) linkPackage(join(from, name), join(to, name))
}

/** The sources that a step is about: a file, or the files below a directory, without tests. */
import { readdirSync, statSync } from 'node:fs'
import { join, normalize } from 'node:path'
import { generatedWhy, isTestFile } from '../../core/change.ts'
import { isSource } from '../../core/check.ts'
import type { CheckWork } from './work.ts'

const mostFiles = 2_000

/** A path that leads out of the tree matches nothing. */
export function targetFiles(
  work: Pick<CheckWork, 'tree' | 'textOf'>,
  target: string,
): { path: string; text: string }[] {
  const from = normalize(target).replace(/\/+$/, '')
  if (from.startsWith('..') || from.startsWith('/')) return []
  return pathsBelow(work.tree, from === '.' ? '' : from)
    .filter(path => isSource(path) && !isTestFile(path) && generatedWhy({ path }) === null)
    .flatMap(path => {
      const text = work.textOf(path)
      return text === null ? [] : [{ path, text }]
    })
}

function pathsBelow(tree: string, from: string): string[] {
  const stat = statSync(join(tree, from), { throwIfNoEntry: false })
  if (stat?.isFile()) return [from]
  if (!stat?.isDirectory()) return []
  const found: string[] = []
  const open = [from]
  for (let at = open.pop(); at !== undefined && found.length < mostFiles; at = open.pop()) {
    for (const entry of readdirSync(join(tree, at), { withFileTypes: true }).toSorted((a, b) =>
      a.name < b.name ? -1 : 1,
    )) {
      const path = at === '' ? entry.name : `${at}/${entry.name}`
      if (entry.isDirectory() && !/^(?:\.|node_modules$|vendor$|venv$|target$)/.test(entry.name))
        open.push(path)
      else if (entry.isFile()) found.push(path)
    }
  }
  return found
}

export function isWithin(path: string, target: string): boolean {
  const from = normalize(target).replace(/\/+$/, '')
  return from === '.' || path === from || path.startsWith(`${from}/`)
}

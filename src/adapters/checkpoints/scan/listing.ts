/**
 * The names in a directory and what lstat says of each: the one place that looks at the work tree, so that it
 * can be done by several threads. Paths are relative to the tree, one character per byte (latin1), since a
 * name need not be UTF-8.
 */
import { lstatSync, readdirSync } from 'node:fs'
import type { Stat } from './snapshot.ts'

export type Listed = { name: string; stat: Stat }

/** Throws what the system says where the directory can not be read; what is gone meanwhile is left out. */
export function listDirectory(tree: string, directory: string): Listed[] {
  const found: Listed[] = []
  for (const name of readdirSync(locate(tree, directory), { encoding: 'latin1' as BufferEncoding })) {
    const stat = lstatOrNull(tree, joinPath(directory, name))
    if (stat) found.push({ name, stat })
  }
  return found
}

export function lstatOrNull(tree: string, path: string): Stat | null {
  // Gone, or behind a directory that can not be entered: either way nothing can be read.
  try {
    return lstatSync(locate(tree, path))
  } catch {
    return null
  }
}

const ascii = /^\p{ASCII}*$/u

export function locate(tree: string, path: string): string | Buffer {
  if (path === '') return tree
  if (ascii.test(path)) return `${tree}/${path}`
  return Buffer.concat([Buffer.from(`${tree}/`), Buffer.from(path, 'latin1')])
}

export function joinPath(directory: string, name: string): string {
  return directory === '' ? name : `${directory}/${name}`
}

/** `a`, `a/b` of `a/b/c`. */
export function ancestorsOf(path: string): string[] {
  const names = path.split('/')
  return names.slice(1).map((_, at) => names.slice(0, at + 1).join('/'))
}

/** For people. */
export function readable(path: string): string {
  return Buffer.from(path, 'latin1').toString()
}

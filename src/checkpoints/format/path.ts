/**
 * Paths of the work tree. Each is relative to the tree and has one character per byte (latin1), since a name need not
 * be UTF-8.
 */

/** An ASCII name has the same bytes in latin1 and in UTF-8. */
export function isAscii(name: string): boolean {
  return Buffer.byteLength(name) === name.length
}

/** The absolute path, as the system wants it: a buffer where the name is not ASCII. */
export function locate(tree: string, path: string): string | Buffer {
  if (path === '') return tree
  if (isAscii(path)) return `${tree}/${path}`
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

/** The path as text for people: decoded as UTF-8. */
export function readable(path: string): string {
  return Buffer.from(path, 'latin1').toString()
}
